#!/bin/sh
# llmcall through TLS and through proxies.
. "${0%/*}/../lib.sh"
for c in python3 openssl; do
	command -v $c >/dev/null || skip "$c is not installed"
done

TURNPIPE_PATH=$TOP/share
KEY=sk-test-0123456789
OPENAI_API_KEY=$KEY
export TURNPIPE_PATH OPENAI_API_KEY
printf '{"type":"request","id":"r1","model":"openai/m","messages":[{"role":"user","content":"hi"}]}\n' >req

# A CA of our own, and a certificate of its for "localhost" alone.
{
	new='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
	openssl req -x509 $new -keyout ca.key -out ca.pem -subj /CN=ours \
	    -days 2 -addext keyUsage=critical,keyCertSign
	openssl req -x509 $new -keyout other.key -out other.pem \
	    -subj /CN=theirs -days 2
	openssl req $new -keyout server.key -out server.csr -subj /CN=server
	printf 'subjectAltName=DNS:localhost\n' >ext
	openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key \
	    -CAcreateserial -extfile ext -days 2 -out server.pem
} >openssl.log 2>&1 || {
	cat openssl.log >&2
	exit 1
}

# start NAME ARGUMENT...: its port is $port, its log NAME.log
start()
{
	name=$1
	shift
	: >"$name.log"
	mkfifo "$name.port"
	"$PYTHON" "$TOP/t/netserver.py" "$@" "$name.log" >"$name.port" 2>"$name.err" &
	tap_pids="$tap_pids $!"
	if ! read -r port <"$name.port"; then
		cat "$name.err" >&2
		exit 1
	fi
}

# What came of it: text, or what is said; the status; what the log has.
ask()
{
	st=0
	llmcall -x 0 <req >out 2>err || st=$?
	jq -r 'select(.role).content' out
	sed 's/port [0-9]*/port N/; s/after [0-9]* ms: .*/after N ms/' err
	! grep -q "$KEY\|s3cret" out err || echo 'a secret is printed'
	echo $st
	cat ./*.log | grep -v openssl | sed "s/:[0-9][0-9]*/:N/; s/$KEY/KEY/"
	for log in tls proxy; do
		[ ! -f $log.log ] || : >$log.log
	done
}
rm openssl.log

start tls tls server.pem server.key
tls=$port
OPENAI_BASE_URL=https://localhost:$tls/v1
export OPENAI_BASE_URL
hello='hi
0
POST /v1/chat/completions Bearer KEY'

check 'https: an untrusted certificate is refused, nothing is sent' 'ask | sed "s/SSL certificate problem: .*/SSL certificate problem/"' <<!
llmcall: SSL certificate problem
77
!
for v in SSL_CERT_FILE CURL_CA_BUNDLE; do
	check "https: $v" "export $v=ca.pem; ask" <<!
$hello
!
done
check 'https: CURL_CA_BUNDLE comes before SSL_CERT_FILE' 'export SSL_CERT_FILE=other.pem CURL_CA_BUNDLE=ca.pem; ask' <<!
$hello
!
mkdir certs
cp ca.pem "certs/$(openssl x509 -in ca.pem -noout -hash).0"
check 'https: SSL_CERT_DIR' 'export SSL_CERT_DIR=$PWD/certs; ask' <<!
$hello
!
check 'https: another CA does not do' 'export SSL_CERT_FILE=other.pem; ask | sed "s/SSL certificate problem: .*/SSL certificate problem/"' <<!
llmcall: SSL certificate problem
77
!
check 'https: nor a certificate for another host' 'export SSL_CERT_FILE=ca.pem OPENAI_BASE_URL=https://127.0.0.1:$tls/v1; ask | sed "s/certificate subject.*/certificate subject/; s/SSL: no alternative.*/certificate subject/"' <<!
llmcall: certificate subject
77
!
check 'https: nor a CA file that does not exist' 'export SSL_CERT_FILE=none.pem; ask | grep -x "77\|.*none.pem.*" | sed "s/.*none.pem.*/none.pem/"' <<!
none.pem
77
!
check 'https: not trusted is not tried again' 'st=0; llmcall -x 3 <req >out 2>err || st=$?; wc -l <err | tr -d " "; echo $st' <<!
1
77
!
check 'http to a port of TLS is no answer' 'OPENAI_BASE_URL=http://localhost:$tls/v1; st=0; llmcall -x 0 <req >out 2>err || st=$?; echo $st; wc -l <err | tr -d " "' <<!
69
1
!

start h2 h2 server.pem server.key
check 'HTTP/2: the calls share a connection, and go on on another where a server ends it' 'export OPENAI_BASE_URL=https://localhost:$port/v1 SSL_CERT_FILE=ca.pem
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do cat req; done >in
    llmcall -j 6 <in | grep -c "\"content\":\"hi\""; sort h2.log | uniq -c | sed "s/^ *//"
    cat in in in | llmcall -j 1 | grep -c "\"content\":\"hi\""; sort h2.log | uniq -c | sed "s/^ *//"' <<!
12
12 POST
1 connection
36
48 POST
3 connection
!
rm h2.log
start full full
check 'no connection within the time' 'OPENAI_BASE_URL=http://127.0.0.1:$port/v1; st=0
    llmcall -x 1 -c 0.1 <req >out 2>err || st=$?; grep -ic time err; echo $st' <<!
2
75
!

# Proxies.
start proxy proxy
proxy=$port
llmserver_start -r '{"text":"hi"}'
OPENAI_BASE_URL=$URL/v1
direct='hi
0'
through="hi
0
POST http://127.0.0.1:N/v1/chat/completions Bearer KEY"
check 'a password in the base URL is not printed' 'export OPENAI_BASE_URL="http://me:s3cret@no host/v1"
    llmcall -n <req | head -1; llmcall <req 2>&1 | sed "s/\(completions: \).*/\1WHY/"' <<!
POST http://***@no host/v1/chat/completions
llmcall: http://***@no host/v1/chat/completions: WHY
{"type":"error","id":"r1","from":"llmcall","code":78,"message":"http://***@no host/v1/chat/completions: WHY
!
check 'http_proxy' 'export http_proxy=http://127.0.0.1:$proxy; ask' <<!
$through
!
check 'http_proxy without a scheme' 'export http_proxy=127.0.0.1:$proxy; ask' <<!
$through
!
check 'HTTP_PROXY' 'export HTTP_PROXY=http://127.0.0.1:$proxy; ask' <<!
$through
!
check 'HTTP_PROXY of a CGI is a header of somebody'\''s' 'export REQUEST_METHOD=GET HTTP_PROXY=http://127.0.0.1:$proxy; ask' <<!
$direct
!
check 'all_proxy' 'export all_proxy=http://127.0.0.1:$proxy; ask' <<!
$through
!
check 'https_proxy is not for http' 'export https_proxy=http://127.0.0.1:$proxy; ask' <<!
$direct
!
for v in no_proxy NO_PROXY; do
	for not in 127.0.0.1 'x.org,127.0.0.1' '*' 127.0.0.0/8; do
		check "$v=$not" "export http_proxy=http://127.0.0.1:$proxy $v='$not'; ask" <<!
$direct
!
	done
done
check 'no_proxy of another host' 'export http_proxy=http://127.0.0.1:$proxy no_proxy=127.0.0.2,example.org; ask' <<!
$through
!
check 'a proxy with a password' 'export http_proxy=http://me:s3cret@127.0.0.1:$proxy; ask' <<!
hi
0
POST http://127.0.0.1:N/v1/chat/completions Basic bWU6czNjcmV0 Bearer KEY
!
check 'a proxy that is not there; its password is not printed' 'export http_proxy=http://me:s3cret@127.0.0.1:1; ask' <<!
llmcall: Failed to connect to 127.0.0.1 port N after N ms
69
!
for v in https_proxy HTTPS_PROXY; do
	check "$v: the key is in the tunnel only, which is verified" "export $v=http://127.0.0.1:$proxy OPENAI_BASE_URL=https://localhost:$tls/v1 SSL_CERT_FILE=ca.pem; ask" <<!
hi
0
CONNECT localhost:N
POST /v1/chat/completions Bearer KEY
!
done
check 'https_proxy: an untrusted certificate' 'export https_proxy=http://127.0.0.1:$proxy OPENAI_BASE_URL=https://localhost:$tls/v1; ask | sed "s/SSL certificate problem: .*/SSL certificate problem/"' <<!
llmcall: SSL certificate problem
77
CONNECT localhost:N
!
finish

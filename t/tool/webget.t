#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_PATH="$PWD/etc:$TOP/share"
mkdir etc
mkfifo ready
"$PYTHON" "$TOP/t/webserver.py" >ready 2>server.err &
tap_pids="$tap_pids $!"
read -r port <ready || { cat server.err >&2; exit 1; }
at=http://127.0.0.1:$port

# tries URL...: what it says of each, and its status; the port is N.
tries()
{
	for u; do
		st=0
		webget -t 20 "$u" >out 2>&1 || st=$?
		sed "s/:$port/:N/g; s/; found .*//" out
		[ $st = 1 ] || echo "$st"
	done
}
no='which is not a public address: the user can allow it in fetch.allow'
check 'addresses that are not of the public internet, however they are written' '
    tries $at/ "http://2130706433:$port/" "http://0x7f.1:$port/" "http://017700000001:$port/" "http://127.1:$port/" \
	http://0.0.0.0/ http://10.1.2.3/ http://100.64.0.1/ http://169.254.169.254/latest/meta-data http://172.31.0.1/ http://192.168.0.1/ \
	http://224.0.0.1/ http://255.255.255.255/ "http://[::1]/" "http://[::]/" "http://[fd00::1]/" "http://[fe80::1]/" "http://[ff02::1]/" \
	"http://[::ffff:127.0.0.1]/" "http://[::ffff:a00:1]/" "http://[64:ff9b::7f00:1]/" "http://[2002:7f00:1::]/" "http://[::7f00:1]/" "http://[2001:db8::1]/" |
	sed "s/, which is not .*//; s/webget: //"
    tries http://localhost:$port/ | grep -c "not a public address"' <<'!'
http://127.0.0.1:N/: leads to 127.0.0.1
http://127.0.0.1:N/: leads to 127.0.0.1
http://127.0.0.1:N/: leads to 127.0.0.1
http://127.0.0.1:N/: leads to 127.0.0.1
http://127.0.0.1:N/: leads to 127.0.0.1
http://0.0.0.0/: leads to 0.0.0.0
http://10.1.2.3/: leads to 10.1.2.3
http://100.64.0.1/: leads to 100.64.0.1
http://169.254.169.254/latest/meta-data: leads to 169.254.169.254
http://172.31.0.1/: leads to 172.31.0.1
http://192.168.0.1/: leads to 192.168.0.1
http://224.0.0.1/: leads to 224.0.0.1
http://255.255.255.255/: leads to 255.255.255.255
http://[::1]/: leads to ::1
http://[::]/: leads to ::
http://[fd00::1]/: leads to fd00::1
http://[fe80::1]/: leads to fe80::1
http://[ff02::1]/: leads to ff02::1
http://[::ffff:127.0.0.1]/: leads to ::ffff:127.0.0.1
http://[::ffff:a00:1]/: leads to ::ffff:10.0.0.1
http://[64:ff9b::7f00:1]/: leads to 64:ff9b::7f00:1
http://[2002:7f00:1::]/: leads to 2002:7f00:1::
http://[::7f00:1]/: leads to ::127.0.0.1
http://[2001:db8::1]/: leads to 2001:db8::1
1
!
check 'what is no URL of the web, or has credentials in it' \
    'tries file:///etc/passwd gopher://127.0.0.1/ example.org "" http://ann@127.0.0.1/ "http://127.0.0.1:80\\@example.org/" "http://[fe80::1%25lo]/"' <<'!'
webget: file:///etc/passwd: expected http or https
webget: gopher://127.0.0.1/: expected http or https
webget: example.org: expected a URL such as https://example.org/page
webget: : expected a URL such as https://example.org/page
webget: http://ann@127.0.0.1/: expected no user name
webget: http://127.0.0.1:80\@example.org/: expected no password
webget: http://[fe80::1%25lo]/: expected an address without a zone
!
check 'a proxy of the environment is not asked' \
    'http_proxy=$at ALL_PROXY=$at tries http://10.0.0.1/' <<!
webget: http://10.0.0.1/: leads to 10.0.0.1, $no
!
echo "fetch: {allow: ['127.0.0.1:$port']}" >etc/settings.yaml
check 'a page as text' 'tries $at/html' <<'!'
A & B

# Top

One two —
three <tag> &copy &bogus;

- a
- link (/x?a=1&b=2)

  x
   y

1 | 2 |

js 3 < 4
0
!
check 'another charset; what is asked for, without credentials of ~/.netrc' \
    'printf "machine 127.0.0.1 login ann password secret\n" >"$HOME/.netrc"; tries $at/latin $at/accept' <<!
café
0
text/markdown None
0
!
check 'no text, no page' 'tries $at/png $at/nul $at/none' <<!
webget: http://127.0.0.1:N/png: no text but image/png: look for a page about it
webget: http://127.0.0.1:N/nul: no text but binary data: look for a page about it
error: HTTP status 404: no such page; look for its address on another one
gone
!
check 'five redirects, each judged like the first' \
    'tries $at/hop/5 $at/hop/6 $at/to/http://127.0.0.2:$port/html $at/to/file:///etc/passwd $at/to/http://a:b@127.0.0.1:$port/html $at/to/http://10.0.0.1/' <<!
[from http://127.0.0.1:N/hop/0]
there
0
webget: http://127.0.0.1:N/hop/1: more than 5 redirects
webget: http://127.0.0.2:N/html: leads to 127.0.0.2, $no
webget: file:///etc/passwd: expected http or https
webget: http://a:b@127.0.0.1:N/html: expected no password
webget: http://10.0.0.1/: leads to 10.0.0.1, $no
!
check 'a bomb is cut at 1 MiB of what it unpacks to' \
    'webget $at/bomb >out; wc -c <out; tail -n 1 out' <<!
1048614
[cut: the page is longer than 1 MiB]
!
check 'a server that does not come to an end' \
    'webget -t 1 $at/slow 2>&1 | sed "s/:$port/:N/"' <<!
webget: http://127.0.0.1:N/slow: no whole answer in 1 s: try once more, or another page
!
check 'a name that is allowed may lead anywhere; a network' \
    'echo "fetch: {allow: [\"localhost:$port\"]}" >etc/settings.yaml; tries http://localhost:$port/hop/0 $at/hop/0 http://localhost:1/ | sed "s/[^ ]*, which/X, which/"
    echo "fetch: {allow: [127.0.0.0/8]}" >etc/settings.yaml; tries $at/hop/0' <<!
there
0
webget: http://127.0.0.1:N/hop/0: leads to X, $no
webget: http://localhost:1/: leads to X, $no
there
0
!
check 'the proxy of the setting and no other; each redirect through it is judged' \
    'export http_proxy=$at HTTP_PROXY=$at ALL_PROXY=$at NO_PROXY="*"; rm etc/settings.yaml; tries $at/hop/0
    echo "fetch: {proxy: \"$at\"}" >etc/settings.yaml
    tries http://1.1.1.1/proxy http://10.1.2.3/proxy http://1.1.1.1/to/http://169.254.169.254/
    printf "fetch: {proxy: \"$at\", allow: [10.1.2.3]}" >etc/settings.yaml; tries http://10.1.2.3/proxy' <<!
webget: http://127.0.0.1:N/hop/0: leads to 127.0.0.1, $no
http://1.1.1.1/proxy
0
webget: http://10.1.2.3/proxy: leads to 10.1.2.3, $no
webget: http://169.254.169.254/: leads to 169.254.169.254, $no
http://10.1.2.3/proxy
0
!
fails 78 'a proxy of another kind' 'echo "fetch: {proxy: \"ftp://x\"}" >etc/settings.yaml; webget $at' <<!
webget: $PWD/etc/settings.yaml:1:16: expected http://, https:// or socks5h:// in front
!
fails 78 'a setting that is no host' 'echo "fetch: {allow: [\"http://x/\"]}" >etc/settings.yaml; webget $at' <<!
webget: $PWD/etc/settings.yaml:1:16: expected HOST, HOST:PORT, ADDRESS or ADDRESS/BITS
!
rm etc/settings.yaml
fails 64 'no URL' webget <<!
webget: expected one URL
usage: webget [-t seconds] url
!
check 'fetch: the tool' 'echo "{\"url\":\"ftp://x\"}" | "$TOP/share/tools/fetch" 2>&1 || echo $?' <<!
webget: ftp://x: expected http or https
1
!
fails 74 'nothing can be printed' 'echo "fetch: {allow: [127.0.0.1]}" >etc/settings.yaml; webget $at/hop/0 >/dev/full' <<!
webget: write <stdout>: No space left on device
!

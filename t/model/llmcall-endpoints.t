#!/bin/sh
# Endpoints that a company allows, against servers that refuse anything else:
# Bedrock by signature version 4, Vertex, Azure, Open Responses.
. "${0%/*}/../lib.sh"

command -v python3 >/dev/null || skip 'no python3'
TURNPIPE_PATH=$TOP/share
AWS_ACCESS_KEY_ID=AKIDEXAMPLE
AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY
export TURNPIPE_PATH AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
unset AWS_REGION AWS_DEFAULT_REGION AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK

# start ARGUMENT...: its base is $URL, its log ./log
start()
{
	: >log
	rm -f port
	mkfifo port
	"$PYTHON" "$TOP/t/endpointserver.py" "$@" log >port 2>server.err &
	tap_pids="$tap_pids $!"
	if ! read -r URL <port; then
		cat server.err >&2
		exit 1
	fi
	URL=http://127.0.0.1:$URL
}

# What came of it: text, or what is said; the status; what the log has.
ask()
{
	st=0
	printf '{"type":"request","messages":[{"role":"user","content":"%s"}]}\n' "${2-hi}" |
	    llmcall -x 0 -m "$1" >out 2>err || st=$?
	jq -r 'select(.role).content' out
	jq -r 'select(.type == "error").message' out
	! grep -q 'wJalr\|s3ss10n\|k3y-' out err || echo 'a secret is printed'
	echo "$st: $(cat log)"
	: >log
}

check 'the verifier takes the published test vectors, and nothing that differs' \
    'python3 "$TOP/t/endpointserver.py" vectors | cut -d" " -f1 | sort | uniq -c | tr -d " "' <<!
9ok
!

# Signed: the host's service, its region or that of the environment.
start bedrock us-east-1
check 'an access key signs; the scope is the service of the host' \
    'BEDROCK_BASE_URL=$URL/openai/v1 ask bedrock/openai.gpt-oss-120b
    printf "AWS_SESSION_TOKEN=-\n"
    AWS_SESSION_TOKEN=s3ss10n+/== BEDROCK_BASE_URL=$URL/v1 ask bedrock/m' <<!
hi
0: 200 /openai/v1/chat/completions
AWS_SESSION_TOKEN=-
403: not the session token
77: 403 not the session token
!
check 'what is signed may be of any text, and over a megabyte' \
    'BEDROCK_BASE_URL=$URL/v1 ask bedrock/m "$(printf "a + /  \303\244 =&%%41")"
    { printf %s "{\"type\":\"request\",\"messages\":[{\"role\":\"user\",\"content\":\""
      head -c 1500000 /dev/zero | tr "\0" x; echo "\"}]}"; } |
	BEDROCK_BASE_URL=$URL/v1 llmcall -x 0 -m bedrock/m | jq -r "select(.role).content"; cat log' <<!
hi
0: 200 /v1/chat/completions
hi
200 /v1/chat/completions
!
: >log
check 'another path than a plain one is signed as it is sent' \
    'for p in "/a%20b/v1" "/a.b_c~d-e/v1"; do BEDROCK_BASE_URL=$URL$p ask bedrock/m; done' <<!
hi
0: 200 /a%20b/v1/chat/completions
hi
0: 200 /a.b_c~d-e/v1/chat/completions
!
check 'another region, another key, a wrong secret: refused, and nothing printed' \
    'export BEDROCK_BASE_URL="$URL/v1"
    AWS_REGION=eu-west-1 ask bedrock/m
    AWS_ACCESS_KEY_ID=AKIDOTHER ask bedrock/m
    AWS_SECRET_ACCESS_KEY=wJalr2 ask bedrock/m' <<!
403: scope is eu-west-1/bedrock
77: 403 scope is eu-west-1/bedrock
403: unknown access key
77: 403 unknown access key
403: the signature does not match
77: 403 the signature does not match
!
check 'a dry run says that it is signed, and tells no secret' \
    'BEDROCK_BASE_URL=$URL/wJalr2key99 AWS_SECRET_ACCESS_KEY=wJalr2key99 llmcall -n -m bedrock/m <<-E | sed "s,//[^/]*,//H,"
	{"type":"request","messages":[]}
	E' <<!
POST http://H/***/chat/completions
Content-Type: application/json
User-Agent: turnpipe/$(llmcall --version | sed 's/.* //;q')
Authorization: AWS4-HMAC-SHA256 ***

{"model":"m","messages":[],"stream":true,"stream_options":{"include_usage":true}}
!
: >log
start -t 's3ss10n+/==' bedrock us-east-1
check 'a session token is sent and signed' \
    'AWS_SESSION_TOKEN=s3ss10n+/== BEDROCK_BASE_URL=$URL/v1 ask bedrock/m' <<!
hi
0: 200 /v1/chat/completions
!
start -a 301 bedrock us-east-1
check 'a clock that differs is what the server says' \
    'BEDROCK_BASE_URL=$URL/v1 ask bedrock/m' <<!
403: Signature expired: the clocks differ
77: 403 Signature expired: the clocks differ
!
# Names of hosts as Amazon has them, to this server through a proxy's name.
start bedrock-mantle eu-west-1
check 'the region of the variables is in the address, and is signed for' \
    'export http_proxy="$URL" no_proxy=
    AWS_REGION=eu-west-1 BEDROCK_BASE_URL=http://bedrock-mantle.us.invalid/v1 ask bedrock/m
    AWS_DEFAULT_REGION=us-east-2 AWS_BEDROCK_BASE_URL=http://bedrock-mantle.eu-west-1.api.invalid/v1 ask bedrock/m' <<!
hi
0: 200 http://bedrock-mantle.us.invalid/v1/chat/completions
hi
0: 200 http://bedrock-mantle.eu-west-1.api.invalid/v1/chat/completions
!
unset http_proxy
: >log
check 'a Bedrock API key comes first; half an access key does not count' \
    'export BEDROCK_BASE_URL="$URL/v1"
    AWS_BEARER_TOKEN_BEDROCK=k3y-1 ask bedrock/m
    AWS_SECRET_ACCESS_KEY= ask bedrock/m | sed "s, write it to .*, write it,"
    AWS_SESSION_TOKEN="s3ss10n x" ask bedrock/m' <<!
403: no signature
77: 403 no signature
no key for bedrock: set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write it
77: 
AWS_SESSION_TOKEN: expected a key in one word
77: 
!
unset BEDROCK_BASE_URL AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY

# Vertex: the project and the location are in the path, the key is a token.
vertex=/v1/projects/my-project/locations/europe-west4/endpoints/openapi
start -p "$vertex/chat/completions" -h 'Authorization=Bearer ya29.k3y-2'
dry()
{
	printf '{"type":"request","messages":[]}\n' | llmcall -n -m vertex/google/gemini-2.5-flash | sed -n '1p'
}
check 'vertex: host and path are of the project and the location' \
    'export GOOGLE_CLOUD_PROJECT=my-project
    dry; GOOGLE_CLOUD_LOCATION=global dry; GOOGLE_CLOUD_LOCATION=europe-west4 dry' <<!
POST https://aiplatform.googleapis.com/v1/projects/my-project/locations/global/endpoints/openapi/chat/completions
POST https://aiplatform.googleapis.com/v1/projects/my-project/locations/global/endpoints/openapi/chat/completions
POST https://europe-west4-aiplatform.googleapis.com$vertex/chat/completions
!
check 'vertex: the token of a variable or a command; without one, without a project, nothing is sent' \
    'VERTEX_BASE_URL=$URL$vertex VERTEX_ACCESS_TOKEN=ya29.k3y-2 ask vertex/google/m
    VERTEX_BASE_URL=$URL$vertex VERTEX_ACCESS_TOKEN_CMD="echo ya29.k3y-2" ask vertex/google/m
    VERTEX_BASE_URL=$URL$vertex VERTEX_ACCESS_TOKEN=ya29.other ask vertex/google/m
    VERTEX_BASE_URL=$URL$vertex ask vertex/google/m | sed "s, to .*, to FILE,"
    VERTEX_ACCESS_TOKEN=ya29.k3y-2 ask vertex/google/m
    GOOGLE_CLOUD_PROJECT=../x VERTEX_ACCESS_TOKEN=ya29.k3y-2 ask vertex/google/m' <<!
hi
0: 200 $vertex/chat/completions
hi
0: 200 $vertex/chat/completions
403: header Authorization
77: 403 header Authorization
no key for vertex: set VERTEX_ACCESS_TOKEN, or write it to FILE
77: 
vertex: set GOOGLE_CLOUD_PROJECT, a part of its URL
78: 
vertex: not a part of a URL: GOOGLE_CLOUD_PROJECT
78: 
!
: >log

# Azure: one header of its own for a key, a bearer token from Entra ID.
azure=/openai/v1/chat/completions
start -p $azure -h api-key=k3y-3
check 'azure: its key in its header, and no other' \
    'AZURE_OPENAI_ENDPOINT=$URL/ AZURE_OPENAI_API_KEY=k3y-3 ask azure/mine
    AZURE_OPENAI_ENDPOINT=$URL AZURE_OPENAI_AD_TOKEN=k3y-3 ask azure/mine' <<!
hi
0: 200 $azure
403: header api-key
77: 403 header api-key
!
start -p $azure -h 'Authorization=Bearer k3y-4'
check 'azure: a token of Entra ID as a bearer' \
    'AZURE_OPENAI_BASE_URL=$URL/openai/v1 AZURE_OPENAI_AD_TOKEN=k3y-4 ask azure/mine
    AZURE_OPENAI_BASE_URL=$URL/openai/v1 AZURE_OPENAI_API_KEY=k3y-4 ask azure/mine' <<!
hi
0: 200 $azure
403: header Authorization
77: 403 header Authorization
!

# Open Responses, without a key and with one.
start -p /v1/responses
check 'open-responses: no key, nothing that could hold one' \
    'OPEN_RESPONSES_BASE_URL=$URL/v1 ask open-responses/qwen3
    OPEN_RESPONSES_BASE_URL=$URL/v1 OPEN_RESPONSES_API_KEY=k3y-5 ask open-responses/qwen3' <<!
hi
0: 200 /v1/responses
403: header Authorization is not known
77: 403 header Authorization is not known
!
start -p /v1/responses -h 'Authorization=Bearer k3y-5'
check 'open-responses: with a key' \
    'OPEN_RESPONSES_BASE_URL=$URL/v1 OPEN_RESPONSES_API_KEY=k3y-5 ask open-responses/qwen3' <<!
hi
0: 200 /v1/responses
!
finish

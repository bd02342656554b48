# For llmcall-messages.t and llmcall-responses.t.

# matrix NAME CODE REQUESTS LINE...: what llmcall makes of ./req, its stderr
# and records, where the server answers with the lines; $KEY is not printed.
matrix()
{
	name=$1 code=$2 count=$3
	shift 3
	serve "$@"
	cat >want
	check "$name" 'st=0
	    llmcall -x 1 -i 60 -f 60 <req >out 2>err || st=$?
	    sed "s/ in [0-9.e-]* s: / in T: /" err
	    stable <out | sed "/^{\"type\":\"end\"}/d;/^{\"type\":\"usage\"/d"
	    echo "$st after $(sent)"
	    ! grep -q "$KEY" out err' <<!
$(cat want)
$code after $count
!
}

# turnpipe -n --map: where each byte of a request comes from.  Input: what was
# read (file_note of lib/file.h), as part=made; the request, part=request; then
# the lines of request.jq's view "map".  share, tree: directories; TURNPIPE_BLAME
# in the environment: only lines that have this text, each on its own.
BEGIN {
	FS = OFS = "\t"
	blame = ENVIRON["TURNPIPE_BLAME"]
}
part == "made" && $2 == "section" { stage[$3] = $1 }
part == "made" && $2 == "file" && !(($1, $3) in noted) {
	noted[$1, $3] = 1
	list[$1] = list[$1] $3 "\n"
}
part == "made" { next }
part == "request" { if (request == "") request = $0; next }

# The words of a line of YAML, JSON or Markdown.
function words(s) {
	sub(/^[ \t]*(- )?("?[A-Za-z_]+"?: )?["']?/, "", s)
	sub(/["',]*[ \t\r]*$/, "", s)
	return s
}
function decode(s) {
	gsub(/\\[nrt]/, " ", s)
	gsub(/\\"/, "\"", s)
	gsub(/\\\\/, "\\", s)
	return s
}
function load(by,    v, n, i, k, s) {
	count[by] = 0
	n = split(list[by], v, "\n")
	for (i = 1; i < n; i++) {
		for (k = 1; (getline s < v[i]) > 0; k++) {
			raw[by, ++count[by]] = s
			said[by, count[by]] = words(s)
			file[by, count[by]] = v[i]
			line[by, count[by]] = k
		}
		close(v[i])
	}
}
# Where this text of a section stands, as FILE:LINE, or "-".
function find(by, only, text,    i, n, own, best, at, w) {
	if (!(by in count))
		load(by)
	own = words(text)
	for (i = 1; i <= count[by]; i++) {
		if (only != "" && file[by, i] != only)
			continue
		w = said[by, i]
		n = 0
		if (w == own && w != "")
			n = length(text) + 1
		else if (length(own) >= 6 && index(raw[by, i], own))
			n = length(own)
		else if (length(w) >= 6 && index(text, w))
			n = length(w)
		if (n > best) {
			best = n
			at = file[by, i] ":" line[by, i]
		}
	}
	return best ? at : "-"
}
function whose(at, name) {
	if (name == "mcp-server")
		return "tool"
	if (at == "-")
		return name == "git" ? "tree" : by == "-" ? "stage" : "ours"
	if (index(at, share "/") == 1)
		return "ours"
	return index(at, tree "/") == 1 ? "tree" : "user"
}
# Begins a line or a text at this place of the request.
function begins(n) {
	return substr(request, n - 1, 1) ~ /["{:]/ || substr(request, n - 2, 2) == "\\n"
}
function place(text,    i, k, at) {
	for (k = pos; i = index(substr(request, k + 1), text); k += i) {
		at = at ? at : k + i
		if (begins(k + i)) {
			at = k + i
			break
		}
	}
	if (at)
		pos = at + length(text) - 1
	return at
}
# The next string of a message, which its sender may have escaped another way.
function next_string(    s) {
	s = substr(request, pos + 1)
	if (!match(s, /"(content|text|arguments)":"/))
		return 0
	pos += RSTART + RLENGTH - 1
	s = substr(request, pos + 1)
	match(s, /^([^"\\]|\\.)*/)
	pos += RLENGTH
	return pos - RLENGTH + 1
}
function flush() {
	if (row != "")
		print from, to, row
	row = ""
}
{
	at = place($3)
	name = $1
	by = name in stage ? stage[name] : "-"
	text = decode($3)
	if (name ~ /^message [0-9]/) {
		if (!at)
			at = next_string()
		by = "histfit"
		source = "-"
		owner = $2
	} else if (name ~ /^tool /) {
		by = "toollist"
		source = "-"
		n = split(list[by], v, "\n")
		for (i = 1; i < n; i++)
			if (v[i] ~ "/" substr(name, 6) "\\.json$")
				source = v[i] ":1"
		owner = source == "-" ? "tool" : whose(source, name)
	} else {
		if (by == "-" && name ~ /^reminder:/)
			by = "reminders"
		only = substr(name, index(name, ":") + 1)
		if (!((by, only) in noted))
			only = ""
		source = "-"
		if (by != "-")
			source = find(by, only, text)
		if (source == "-")
			source = find("promptcompose", "", text)
		if (by == "-" && source != "-")
			by = "promptcompose"
		# What a tool says of its use goes on from its file.
		if (source == "-" && by == "toolrules")
			source = find("toollist", "", text)
		owner = whose(source, name)
	}
	if (blame != "" && !index(text, blame))
		next
	new = by OFS name OFS source OFS owner
	split(source, v, ":")
	split(last, u, ":")
	# Lines of one file that stand together are one.
	if (row == "" || blame != "" || !at || key != by OFS name OFS owner || v[1] != u[1]) {
		flush()
		row = new
		from = at ? at - 1 : "-"
	}
	key = by OFS name OFS owner
	last = source
	to = at ? pos : "-"
}
END { flush() }

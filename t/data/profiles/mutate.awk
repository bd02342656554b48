# Layouts, each with one change: a section is gone, or stands behind the next
# one.  awk -v dir=DIR -f mutate.awk LAYOUT writes DIR/N.yaml and prints
# "N what was done" for each.  What is gone is ignored too, else the records
# would find a place of their own.

function item(group, line) {
	id[++n] = line ~ /^ *- [{]?id:/
	of[n] = group
	text[n] = line
	name[n] = line
	sub(/^ *- [{]?(id|tag|heading): *"?/, "", name[n])
	sub(/["},].*/, "", name[n])
}

# Print the items of a group, in the order of at[].
function put(group, k, i) {
	for (k = 1; k <= n; k++) {
		i = at[k]
		if (of[i] != group || i == gone)
			continue
		print text[i] >file
		put(i)
	}
}

function write(what) {
	file = dir "/" ++files ".yaml"
	printf "%s", head >file
	print "ignore: [" ignore \
	    (gone && id[gone] ? "\"" name[gone] "\"" : "") "]" >file
	print "sections:" >file
	put(0)
	close(file)
	print files, what
}

/^  - / { item(0, $0); top = n; next }
/^      - / { item(top, $0); inner[top]++; next }
/^ *#/ { next }
top { text[n] = text[n] "\n" $0; next }
/^ignore: / {
	sub(/^ignore: \[/, "")
	sub(/\].*/, ", ")
	ignore = $0
	next
}
/^sections:/ { next }
{ head = head $0 "\n" }

END {
	for (k = 1; k <= n; k++)
		at[k] = k
	for (i = 1; i <= n; i++) {
		# A group of nothing is no layout.
		gone = i
		if (inner[of[i]] != 1)
			write("without " name[i])
		gone = 0
		for (j = i + 1; j <= n && of[j] != of[i]; j++)
			;
		if (j > n)
			continue
		at[i] = j
		at[j] = i
		write(name[j] " before " name[i])
		at[i] = i
		at[j] = j
	}
}

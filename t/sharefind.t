#!/bin/sh
. "${0%/*}/lib.sh"

export TURNPIPE_SHARE="$PWD/share" TURNPIPE_PATH="$PWD/mine"
mkdir -p share/d mine/d
echo a >share/d/a; echo b >share/d/b; echo c >share/d/c
echo mine >mine/d/b; : >mine/d/c

check 'the first file of a name wins' 'sharefind d/a d/b | sed "s|$PWD/||"' <<!
share/d/a
mine/d/b
!
check 'a directory: winners by name, without what is switched off' \
    'sharefind -l d | sed "s|$PWD/||"' <<!
share/d/a
mine/d/b
!
fails 1 'an empty file switches off' 'sharefind d/c' <<!
!
fails 1 'nothing there' 'sharefind d/x' <<!
!
fails 1 'no way out of the search path' 'sharefind d/../../mine/d/b' <<!
!
printf 'a: {n: 2, l: [x, "y z"], off: false}\n' >share/settings.yaml
printf 'a: {n: 3}\n' >mine/settings.yaml
check '-g: settings, the first file over the others, lists by lines' \
    'sharefind -g a.n a.l a.off' <<!
3
x
y z
false
!
fails 1 '-g: a key that no file has' 'sharefind -g a.none' <<!
!
fails 64 'no name' 'sharefind' <<!
sharefind: expected a name
usage: sharefind [-l] NAME ...
       sharefind -g KEY ...
!
fails 74 'a full disk' 'sharefind d/a >/dev/full' <<!
sharefind: write <stdout>: No space left on device
!
# make keeps its products: those of another PREFIX look for another share.
check 'another PREFIX is seen' '
    unset SAN MAKEFLAGS MFLAGS MAKELEVEL
    for d in /a /b /b; do
	make -s -C "$TOP" O="$PWD/o" DATADIR=$d "$PWD/o/obj/config.h"
	sed -n "s/.*DATADIR//p" o/obj/config.h
    done; make -sq -C "$TOP" O="$PWD/o" DATADIR=/b "$PWD/o/obj/config.h" && echo kept' <<!
 "/a"
 "/b"
 "/b"
kept
!

check 'the shipped settings.yaml tells every key that a command reads' '
    grep -rhoE "settings_[a-z]+\(\"[a-z_.]+\"" "$TOP/cmd" "$TOP/lib" |
    sed "/enabled(/s/\"$/.enabled\"/; s/.*(\"//; s/\"//" | sort -u |
    while IFS=. read -r a b c; do
        [ "$b" ] || { grep -q "^\(# \)\{0,1\}$a:" "$TOP/share/settings.yaml" || echo "$a"; continue; }
        sed -n "/^$a:/,/^[a-z]/p" "$TOP/share/settings.yaml" |
            grep -q "[ {]${c:-$b}:" || echo "$a.$b"
    done' <<!
!

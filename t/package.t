#!/bin/sh
# The Debian package, install and uninstall: make check-extra.
. "${0%/*}/lib.sh"

[ -n "${EXTRA-}" ] || skip 'the package is of make check-extra'
for c in dpkg-buildpackage dh fakeroot lintian git; do
	command -v $c >/dev/null || skip "no $c: make deps-package installs it"
done
git -C "$TOP" rev-parse -q --verify HEAD >/dev/null || skip 'no git repository'
git -C "$TOP" diff --quiet HEAD || skip 'what is not committed is not packaged'

# dpkg's flags do without the paths of the build, unless one has a blank.
places=${TMPDIR:-/tmp}/turnpipe-package-$(id -u)
case $places in *[[:space:]]*) skip "a blank in $places" ;; esac
rm -rf "$places"
mkdir -m 700 "$places"
mkdir "$places/a" "$places/another-one"
check 'it is built, and lintian finds no error' \
    'sh "$TOP/.ci/package" "$places/a/deb" >one 2>err || cat one err; grep -c "^E:" one || :' <<!
0
!
check 'in another place it is the same, byte for byte' \
    'sh "$TOP/.ci/package" "$places/another-one/deb" >two 2>err || cat two err
    [ "$(tail -n 1 one)" = "$(tail -n 1 two)" ] || tail -n 1 one two'
deb=$(ls "$places/a/deb"/turnpipe_*.deb)
check 'what it installs (t/data/installed)' '
    dpkg-deb --contents "$deb" | awk "{ print \$6 }" | grep -v "/$" |
	sed "s|^\./usr/||; /^share\/doc\//d; s|\(share/man/.*\)\.gz$|\1|" | LC_ALL=C sort >list
    diff "$DATA/installed" list'

# By hand: what was there stays, what was made goes.
mkdir -p prefix/share/man/man1 prefix/bin
: >prefix/bin/other
find prefix | LC_ALL=C sort >before
check 'make install has the same files' '
    make -s -C "$TOP" install PREFIX="$PWD/prefix" >out 2>&1 || cat out
    (cd prefix && find . -type f -o -type l | sed "s|^\./||; /^bin\/other$/d; /^share\/turnpipe\/made$/d" | LC_ALL=C sort) | diff "$DATA/installed" -
    prefix/bin/msg Hi | grep -c "\"Hi\""' <<!
1
!
check 'make uninstall leaves what was there before, and no directory more' '
    make -s -C "$TOP" uninstall PREFIX="$PWD/prefix"
    find prefix | LC_ALL=C sort | diff before -'

[ "$(id -u)" -eq 0 ] || skip 'a chroot needs root'
command -v debootstrap >/dev/null || skip 'no debootstrap: make deps-package installs it'
mirror=$(sed -n 's/^deb \(\[[^]]*\] \)*\(http[^ ]*\).*/\2/p; s/^URIs: //p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
debootstrap --variant=minbase --include=ca-certificates \
    "$(. /etc/os-release; echo "$VERSION_CODENAME")" "$places/root" $mirror >log 2>&1 ||
    skip 'debootstrap: no mirror can be reached'
cp "$deb" "$places/root/tmp/turnpipe.deb"
check 'in a clean Debian it is installed with what it needs, and runs' '
    chroot "$places/root" sh -c "apt-get install -qq -y --no-install-recommends /tmp/turnpipe.deb >/tmp/log 2>&1 || cat /tmp/log
	cd /tmp && turnpipe --version && turnpipe -n -m openai/x Hi | jq -r .messages[-1].role
	echo \"{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"Hi\\\"}\" >s.jsonl; turnpipe log ./s.jsonl | tail -n 1"' <<!
turnpipe (turnpipe) 0.1
user
Hi
!
check 'it goes as a whole' '
    chroot "$places/root" sh -c "apt-get purge -qq -y turnpipe >/tmp/log 2>&1 || cat /tmp/log; find / -xdev -path /proc -prune -o -name \"*turnpipe*\" -print | grep -v /tmp/turnpipe.deb || :"'
rm -rf "$places"
finish

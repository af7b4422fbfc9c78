#!/bin/sh
# Prints the path of axe-core, the checker of accessibility that browser tests
# use; fetches it at a fixed version into a cache folder when it is not there.
# It is never part of the repository. Ends with 1 where it cannot be had.
set -eu
version=4.14.0

if [ -n "${MOIETY_AXE:-}" ]; then
	echo "$MOIETY_AXE"
	exit 0
fi
cache=${XDG_CACHE_HOME:-${HOME:-${TMPDIR:-/tmp}}/.cache}/moiety
mkdir -p "$cache" 2>/dev/null || cache=${TMPDIR:-/tmp}/moiety-cache-$(id -u)
file=$cache/axe-core-$version.min.js
if [ -s "$file" ]; then
	echo "$file"
	exit 0
fi
command -v npm >/dev/null 2>&1 || {
	echo "axe-core $version: npm is not installed" >&2
	exit 1
}
mkdir -p "$cache"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$tmp" && npm pack --silent "axe-core@$version" >/dev/null 2>&1) || {
	echo "axe-core $version: cannot be fetched" >&2
	exit 1
}
tar -xzf "$tmp/axe-core-$version.tgz" -C "$tmp" package/axe.min.js
# A name of its own first: several tests may fetch at the same time.
cp "$tmp/package/axe.min.js" "$file.$$"
mv "$file.$$" "$file"
echo "$file"

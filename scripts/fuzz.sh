#!/bin/sh
# Runs every fuzz target for a while (FUZZTIME, ten seconds unless told).
# Exits 1 if any target found an input that fails.
set -u
cd "$(dirname "$0")/.." || exit 1
. scripts/env.sh

found=0
failed=0
list=$(grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sort)
IFS='
'
for line in $list; do
	file=${line%%:*}
	name=${line##*func }
	found=$((found + 1))
	printf '== %s %s\n' "$(dirname "$file")" "$name"
	CGO_ENABLED=0 go test -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZTIME:-10s}" -fuzzminimizetime 10x "$(dirname "$file")" || failed=$((failed + 1))
done
printf '%d fuzz targets, %d failed\n' "$found" "$failed"
[ "$failed" = 0 ]

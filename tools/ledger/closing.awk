# Reads the ledger of scripts/test.sh and prints what was tried, what failed and what was
# skipped, with one closing line of counts. Exits with 1 if anything failed or nothing passed.

{
	kind = $1
	rest = substr($0, length(kind) + 2)
	sub(/\t/, ": ", rest)
}

kind == "pass" && rest ~ /^[0-9]+$/ { passed += rest; next }
kind == "count" { tried = tried "  " rest "\n"; next }
kind == "skip" { skipped = skipped "  " rest "\n"; skips++; next }
kind == "fail" { failed = failed "  " rest "\n"; fails++; next }
{ failed = failed "  the ledger has the line " $0 "\n"; fails++ }

END {
	if (tried != "") printf "\ntried\n%s", tried
	if (failed != "") printf "\nfailed\n%s", failed
	if (skipped != "") printf "\nskipped\n%s", skipped
	printf "\n%d passed, %d failed, %d skipped\n", passed, fails, skips
	exit fails > 0 || passed == 0
}

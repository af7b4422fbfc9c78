# Reads the events of go test -json (cmd/test2json documents them) and writes lines of the
# ledger of scripts/test.sh: "pass N", "fail NAME", "skip NAME<tab>REASON", and "count TEXT"
# for what a test said after "count: ", how often it tried what its passing does not show.
# A test with subtests is counted through them, unless it failed by itself.

function field(name) {
	if (!match($0, "\"" name "\":\"([^\"\\\\]|\\\\.)*\""))
		return ""
	return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
}

# plain returns a line of output without escapes, spaces around it and the place of t.Log.
function plain(text) {
	gsub(/\\[nrt]/, " ", text)
	gsub(/\\u003c/, "<", text)
	gsub(/\\u003e/, ">", text)
	gsub(/\\u0026/, "\\&", text)
	gsub(/\\"/, "\"", text)
	gsub(/^ +| +$/, "", text)
	sub(/^[^ ]+\.go:[0-9]+: /, "", text)
	return text
}

{
	action = field("Action")
	package = field("Package")
	test = field("Test")
	name = package "." test
}

package == "" { next } # of a build

action == "start" { open[package] = 1 }

test == "" {
	if (action == "fail" && !(package in failed))
		print "fail " package # it did not build, or died outside a test
	if (action == "fail" || action == "pass" || action == "skip")
		delete open[package]
	next
}

action == "output" {
	said = plain(field("Output"))
	if (said ~ /^count: /)
		print "count " substr(said, 8)
	else if (said != "" && said !~ /^(===|---) /)
		reason[name] = reason[name] " " said
	next
}

action == "pass" || action == "fail" || action == "skip" {
	outer = test
	if (sub(/\/[^\/]*$/, "", outer)) {
		inner[package "." outer] = 1
		if (action == "fail")
			innerFailed[package "." outer] = 1
	}
	if (action == "pass" && !(name in inner))
		passed++
	if (action == "skip")
		print "skip " name "\t" (name in reason ? substr(reason[name], 2) : "no reason given")
	if (action == "fail") {
		failed[package] = 1
		if (!(name in innerFailed))
			print "fail " name
	}
	delete reason[name]
}

END {
	for (package in open)
		print "fail " package ": ended before its tests did"
	if (NR == 0)
		print "fail go test gave no results"
	print "pass " passed + 0
}

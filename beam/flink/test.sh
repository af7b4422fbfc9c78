#!/bin/sh
# test.sh [fetch]: fits with their sums added up by Prism and by Flink, compared byte by
# byte with those of one machine: a flat model with steps of EM by workers in the process
# that asks (LOOPBACK), a tree by workers of their own (PROCESS), and a worker that is
# killed. The jars must be in the cache; fetch gets them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
. scripts/env.sh
jars=${XDG_CACHE_HOME:-$HOME/.cache}/moiety/flink-1.19-beam-2.62.0
export CGO_ENABLED=0

if [ ! -d "$jars" ] && [ "${1:-}" = fetch ]; then
	mvn -B -q -s "$here/settings.xml" -f "$here/pom.xml" dependency:copy-dependencies \
		-DoutputDirectory="$jars.part" -DincludeScope=runtime && mv "$jars.part" "$jars" || exit 1
fi
if [ ! -d "$jars" ] || ! command -v java >/dev/null; then
	echo "skipped: needs java and the jars in $jars (make test-flink fetches them)"
	exit 0
fi

tmp=$(mktemp -d)
server=
# Workers of PROCESS live on after their job. They begin where the server did.
workers() {
	for p in $(pgrep -f -- '--worker=true'); do
		[ "$(readlink "/proc/$p/cwd")" = "$tmp" ] && echo "$p"
	done
}
ended() {
	[ -z "$server" ] || kill "$server" 2>/dev/null
	for p in $(workers); do kill "$p"; done
	rm -rf "$tmp"
}
trap ended EXIT
trap 'exit 130' INT TERM

go build -trimpath -o "$tmp/bin/" ./cmd/moiety &&
	(cd beam && go build -trimpath -ldflags '-s -w' -o "$tmp/bin/" ./cmd/moiety-beam &&
		go build -trimpath -mod=mod -ldflags '-s -w' -o "$tmp/bin/boot" github.com/apache/beam/sdks/v2/go/container) || exit 1

port=$((20000 + $$ % 20000))
mkdir "$tmp/work" "$tmp/artifacts"
(cd "$tmp" && exec sh "$here/serve.sh" "$jars" $port "$tmp/artifacts") >"$tmp/server.log" 2>&1 &
server=$!
for _ in $(seq 120); do
	grep -q 'JobService started' "$tmp/server.log" && break
	sleep 1
done

# Three blocks of records, which are three lanes, in groups so clear that EM is done
# after a few steps: a pass by Flink takes 5 s and more, whatever it adds up.
awk 'BEGIN {
	seed = 29
	print "id,a,b,c,d,e,f,g,h,i,j,k,l"
	for (n = 1; n <= 9000; n++) {
		seed = seed * 16807 % 2147483647
		group = seed % 3
		line = "r" n
		for (h = 0; h < 12; h++) {
			seed = seed * 16807 % 2147483647
			line = line "," (seed / 2147483647 < (int(h / 4) == group ? .95 : .015))
		}
		print line
	}
}' >"$tmp/example.csv"
flat='-k 3' tree='--leaves 3' start='-k 3 --refine none'

failed=0
made() { # made PROGRAM NAME FLAGS...: a fit, and the time it took
	program=$1 name=$2
	shift 2
	begun=$(date +%s)
	"$tmp/bin/$program" fit "$tmp/example.csv" --model bernoulli -q -o "$tmp/$name" "$@" >"$tmp/$name.log" 2>&1
	echo "$name: $(($(date +%s) - begun)) s"
}
alike() { # alike NAME WANT: two runs have the same bytes
	for f in "$tmp/$2"/*.moiety; do
		if ! cmp "$f" "$tmp/$1/${f##*/}"; then
			failed=1
			tail -n 5 "$tmp/$1.log" "$tmp/server.log"
		fi
	done
}
flink() { # flink NAME WANT FLAGS...: a fit by Flink and its comparison
	name=$1 want=$2
	shift 2
	made moiety-beam "$name" --work "$tmp/work" --pass-limit 3m \
		--runner universal --endpoint 127.0.0.1:$port --parallelism 2 "$@"
	alike "$name" "$want"
}
for want in flat tree start; do
	eval "flags=\$$want"
	# shellcheck disable=SC2086
	made moiety "$want" $flags
	[ -d "$tmp/$want" ] || exit 1
	# shellcheck disable=SC2086
	made moiety-beam "prism-$want" $flags --work "$tmp/work"
	alike "prism-$want" "$want"
done
process="--environment_type PROCESS --environment_config {\"command\":\"$tmp/bin/boot\"} --worker_binary $tmp/bin/moiety-beam"
# shellcheck disable=SC2086
flink loopback-flat flat $flat --environment_type LOOPBACK
# shellcheck disable=SC2086
flink process-tree tree $tree $process
# The next worker that begins is killed at once.
old=" $(workers | tr '\n' ' ')"
(
	for _ in $(seq 900); do
		for p in $(workers); do
			case $old in
			*" $p "*) ;;
			*) kill -9 "$p" && echo "killed worker $p" && exit ;;
			esac
		done
		sleep .1
	done
	echo 'no worker was seen to be killed'
) >"$tmp/kill.log" &
# shellcheck disable=SC2086
flink killed start $start $process
cat "$tmp/kill.log"
grep -q '^killed' "$tmp/kill.log" || failed=1
exit $failed

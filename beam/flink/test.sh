#!/bin/sh
# test.sh [fetch]: fits with their sums added up by Flink, compared byte by byte with
# those of one machine: workers in the process that asks (LOOPBACK), of their own
# (PROCESS), and one that is killed. The jars must be in the cache; fetch gets them.
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

moiety=$tmp/bin/moiety
flags='--label sex,age -k 3 --refine none -q'
"$moiety" demo patients -o "$tmp/example" -q >/dev/null
# shellcheck disable=SC2086
"$moiety" fit "$tmp/example.csv" $flags -o "$tmp/here" >/dev/null || exit 1

failed=0
flink() { # flink NAME ENVIRONMENT...: a fit by Flink and its comparison
	name=$1
	shift
	# shellcheck disable=SC2086
	"$tmp/bin/moiety-beam" fit "$tmp/example.csv" $flags -o "$tmp/$name" --work "$tmp/work" --pass-limit 3m \
		--runner universal --endpoint 127.0.0.1:$port --parallelism 2 "$@" >"$tmp/$name.log" 2>&1
	for f in model.moiety assignments.moiety rows.moiety; do
		if ! cmp "$tmp/here/$f" "$tmp/$name/$f"; then
			failed=1
			tail -n 5 "$tmp/$name.log" "$tmp/server.log"
		fi
	done
	echo "$name: done"
}
process="--environment_type PROCESS --environment_config {\"command\":\"$tmp/bin/boot\"} --worker_binary $tmp/bin/moiety-beam"
flink loopback --environment_type LOOPBACK
# shellcheck disable=SC2086
flink process $process
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
flink killed $process
cat "$tmp/kill.log"
grep -q '^killed' "$tmp/kill.log" || failed=1
exit $failed

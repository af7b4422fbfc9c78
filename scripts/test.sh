#!/bin/sh
# The test command. Runs every step even when an earlier one failed, prints the
# time of each, and ends with all skips and one closing line of counts.
#
#   scripts/test.sh         all steps
#   scripts/test.sh long    all tests in their long forms
#   scripts/test.sh short   lint and the tests under -short
#   scripts/test.sh lint    lint only
set -u
cd "$(dirname "$0")/.." || exit 1
. scripts/env.sh

mode=${1:-full}
house=$PWD
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
ledger=$tmp/ledger # one line a result: "pass N", "fail NAME", "skip NAME<tab>REASON"
times=$tmp/times
: >"$ledger"
: >"$times"

skip() { # skip NAME REASON
	printf 'skip %s\t%s\n' "$1" "$2" >>"$ledger"
	printf '   skipped: %s\n' "$2"
}

# step NAME COMMAND...: runs the command; the command keeps the ledger itself.
step() {
	step=$1
	shift
	printf '\n== %s\n' "$step"
	start=$(date +%s)
	"$@"
	took=$(($(date +%s) - start))
	printf '%6d s  %s\n' "$took" "$step" >>"$times"
	printf '== %s: %d s\n' "$step" "$took"
}

# check NAME COMMAND...: one pass or fail in the ledger by exit code.
check() {
	name=$1
	shift
	if "$@" >"$tmp/check" 2>&1; then
		echo 'pass 1' >>"$ledger"
		printf '   ok: %s\n' "$name"
	else
		echo "fail $name" >>"$ledger"
		printf '   FAILED: %s\n' "$name"
		cat "$tmp/check"
	fi
}

# Modules beside the product, each a folder, which may import its rooms. Apache Beam has a
# step of its own.
beside='experiments bench browser bank tools'
modules=. # those of them that can be built here, and the product

unreachable='dial tcp|lookup |GOPROXY=off|proxyconnect|[Tt]imeout|connection re|TLS handshake|Forbidden'

# absent NAME: what could not be built or found; a download that failed is a named skip.
absent() {
	if grep -Eq "$unreachable" "$tmp/fetch"; then
		skip "$1" "it could not be downloaded: $(tail -n 1 "$tmp/fetch")"
	else
		echo "fail $1: it does not build" >>"$ledger"
		cat "$tmp/fetch"
	fi
	return 1
}

# reached FOLDER: whether all that a module imports is here or can be downloaded.
reached() {
	go list -C "$1" -deps -test ./... >"$tmp/fetch" 2>&1 || absent "modules of $1"
}

# --- step 1: programs that some tests drive -------------------------------

has_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }
has_postgres() { command -v postgres || ls /usr/lib/postgresql/*/bin/postgres; }
has_pdftotext() { command -v pdftotext; }
needs_qemu() { [ "$(go env GOHOSTOS)/$(go env GOHOSTARCH)" = linux/amd64 ]; }
has_qemu() { command -v qemu-aarch64-static; }

install_programs() {
	go mod download >"$tmp/modules" 2>&1 ||
		skip 'modules of all systems' "could not be downloaded: $(tail -n 1 "$tmp/modules")"
	missing=
	command -v bash >/dev/null 2>&1 || missing="$missing bash"
	command -v awk >/dev/null 2>&1 || missing="$missing mawk"
	has_browser >/dev/null 2>&1 || missing="$missing chromium"
	has_postgres >/dev/null 2>&1 || missing="$missing postgresql"
	has_pdftotext >/dev/null 2>&1 || missing="$missing poppler-utils"
	! needs_qemu || has_qemu >/dev/null 2>&1 || missing="$missing qemu-user-static"
	if [ -z "$missing" ]; then
		echo '   all there'
		return
	fi
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		skip "install$missing" 'needs root and apt-get; the tests that drive it skip themselves'
		return
	fi
	apt() {
		DEBIAN_FRONTEND=noninteractive timeout 400 apt-get -qq -y --no-install-recommends \
			-o DPkg::Lock::Timeout=60 -o Acquire::Retries=1 -o Acquire::http::Timeout=20 "$@" \
			>"$tmp/apt" 2>&1 </dev/null
	}
	apt update || echo '   apt-get update failed; trying the lists that are there'
	for p in $missing; do
		if apt install "$p"; then
			echo "   installed $p"
		else
			skip "install $p" "apt-get: $(tail -n 1 "$tmp/apt")"
		fi
	done
}

# --- step 2: format, vet, staticcheck -------------------------------------

# fetched TOOL ARG: builds the tool.
fetched() {
	go tool -modfile=tools/go.mod "$@" >"$tmp/fetch" 2>&1 || absent "$1"
}

formatted() {
	out=$(git ls-files -co --exclude-standard '*.go' 2>/dev/null | while read -r f; do
		[ -f "$f" ] && echo "$f"
	done)
	[ -n "$out" ] || out=.
	# shellcheck disable=SC2086
	out=$(go tool -modfile=tools/go.mod gofumpt -l $out) || return 1
	[ -z "$out" ] && return 0
	printf 'not in the house format (make fmt):\n%s\n' "$out"
	return 1
}

# What a clone has to fetch: no data, no wheels, no programs.
largest=1000000

light() {
	git ls-files -z 2>/dev/null | xargs -0 -r ls -ln 2>/dev/null | awk -v most="$largest" '
		$5 > most { print "   " $5 " bytes: " $NF; bad = 1 }
		END { exit bad }'
}

lint() {
	check "no file of more than $largest bytes" light
	if fetched gofumpt -version; then check 'gofumpt -l' formatted; fi
	if fetched staticcheck -version; then staticcheck=yes; else staticcheck=no; fi
	for m in $modules; do
		check "go vet $m" env -C "$m" CGO_ENABLED=0 go vet ./...
		[ $staticcheck = no ] || check "staticcheck $m" env -C "$m" CGO_ENABLED=0 go tool -modfile="$house/tools/go.mod" staticcheck ./...
	done
}

# --- step 3: tests ---------------------------------------------------------

# go_test FLAGS... PACKAGES...: gotestsum prints as packages end; the ledger is made of the
# events of go test, with or without it.
go_test() {
	: >"$tmp/events"
	if [ -x "$tmp/gotestsum" ]; then
		"$tmp/gotestsum" --format pkgname --format-icons text --format-hide-empty-pkg --hide-summary skipped --jsonfile "$tmp/events" -- "$@"
	else
		go test -json "$@" >"$tmp/events"
		said='\(ok  \|FAIL\)'
		grep -q '"Action":"fail"' "$tmp/events" && said= # then all of it
		sed -n 's/.*"Output":"\('"$said"'.*\)\\n".*/\1/p' "$tmp/events"
	fi
	awk -f "$house/tools/ledger/events.awk" "$tmp/events" >>"$ledger"
}

all_tests() {
	for m in $modules; do
		(cd "$m" && CGO_ENABLED=0 go_test "$@" ./...)
	done
}

# Packages that start goroutines or are called from several; sums of other rooms
# run on the goroutines of pass, whose battery is in the list.
concurrent='internal/par pass internal/progress dataset internal/durable internal/run'

# Tests of these packages that compute for long and share nothing: run above already.
alone='^(TestVerdictStreamed|TestZipBounds|TestPrivateModel)$'

race_tests() {
	if ! command -v gcc >/dev/null 2>&1; then
		skip 'race tests' 'the race detector needs gcc, which was not found'
		return
	fi
	case $(go env GOARCH) in
	amd64 | arm64 | ppc64le | s390x) ;;
	*)
		skip 'race tests' "no race detector for $(go env GOARCH)"
		return
		;;
	esac
	set --
	for p in $concurrent; do
		ls "$p"/*_test.go >/dev/null 2>&1 && set -- "$@" "./$p"
	done
	CGO_ENABLED=1 go_test -race -short -skip "$alone" "$@"
}

# --- step 4: the program and other systems -------------------------------------------------

# The program is one file that people download: it stays under this many bytes.
ceiling=30000000

small_enough() {
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$tmp/moiety" ./cmd/moiety || return 1
	size=$(wc -c <"$tmp/moiety")
	printf '   the program has %d bytes of %d\n' "$size" "$ceiling"
	[ "$size" -le "$ceiling" ]
}

other_systems() {
	check "the program has at most $ceiling bytes" small_enough
	for system in windows/amd64 darwin/arm64 linux/arm64; do
		for m in $modules; do
				check "build $m for $system" env -C "$m" CGO_ENABLED=0 GOOS="${system%/*}" GOARCH="${system#*/}" go build ./...
		done
	done
}

vet_other_systems() {
	for system in windows/amd64 darwin/arm64; do
		for m in $modules; do
				check "go vet $m for $system" env -C "$m" CGO_ENABLED=0 GOOS="${system%/*}" GOARCH="${system#*/}" go vet ./...
		done
	done
	check "go vet for the page" env CGO_ENABLED=0 GOOS=js GOARCH=wasm go vet ./cmd/page
}

# --- step 5: kernels for arm64, emulated -----------------------------------

arm64_kernels() {
	check 'go vet for arm64' env CGO_ENABLED=0 GOARCH=arm64 go vet ./internal/kernel
	if [ "$(go env GOHOSTARCH)" = arm64 ]; then
		echo '   tested above: this machine is one'
	elif ! needs_qemu; then
		skip 'kernels for arm64' 'emulated on linux/amd64 only'
	elif ! has_qemu >/dev/null 2>&1; then
		skip 'kernels for arm64' 'needs qemu-aarch64-static (Debian: qemu-user-static)'
	else
		(
			export CGO_ENABLED=0 GOARCH=arm64
			go_test -exec qemu-aarch64-static ./internal/kernel
		)
	fi
}

# --- step 6: the Python package ----------------------------------------------

# The wheel of this system, installed into an empty environment without a
# compiler, and its tests there. Packages are downloaded; without a network the
# step is a named skip.
python_package() {
	if ! command -v python3 >/dev/null 2>&1 || ! python3 -m venv "$tmp/venv" >"$tmp/py" 2>&1; then
		skip 'Python package' 'needs python3 with venv'
		return
	fi
	if ! go run ./scripts/wheels -o "$tmp/dist" -local >"$tmp/py" 2>&1; then
		echo 'fail wheel of this system' >>"$ledger"
		cat "$tmp/py"
		return
	fi
	if ! "$tmp/venv/bin/pip" install -q --disable-pip-version-check --only-binary :all: numpy scipy scikit-learn pandas polars pytest nbformat nbclient ipykernel >"$tmp/py" 2>&1; then
		skip 'Python package' "packages could not be had: $(tail -n 1 "$tmp/py")"
		return
	fi
	check 'wheel installs' "$tmp/venv/bin/pip" install -q --disable-pip-version-check --no-index "$tmp"/dist/moiety-*.whl
	mkdir "$tmp/pytests" && cp python/tests/*.py python/notebooks/*.ipynb "$tmp/pytests/"
	(cd "$tmp/pytests" && "$tmp/venv/bin/python" -m pytest -q -p no:cacheprovider -rf . 2>&1) | tee "$tmp/py" | tail -n 30
	sed -n 's/.*[^0-9]\([0-9][0-9]*\) passed.*/pass \1/p; s/^\([0-9][0-9]*\) passed.*/pass \1/p' "$tmp/py" | tail -n 1 >>"$ledger"
	sed -n 's/^FAILED \([^ ]*\).*/fail python \1/p; s/^ERROR \([^ ]*\).*/fail python \1/p' "$tmp/py" >>"$ledger"
	grep -q ' passed' "$tmp/py" || echo 'fail python tests did not run' >>"$ledger"
}

# The wheels of all systems, built and looked into.
all_wheels() { check 'wheels of five systems' five_wheels; }
five_wheels() {
	go run ./scripts/wheels -o "$tmp/wheels" || return 1
	for w in "$tmp"/wheels/moiety-*.whl; do
		python3 -m zipfile -t "$w" || return 1
	done
	[ "$(ls "$tmp"/wheels/moiety-*.whl | wc -l)" = 5 ]
}

# --- step 7: the R package ------------------------------------------------------

r_package() {
	if ! command -v Rscript >/dev/null 2>&1; then
		skip 'R package' 'needs R (Debian: r-base-core)'
		return
	fi
	mkdir "$tmp/rlib"
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$tmp/moiety" ./cmd/moiety
	check 'R package installs' R CMD INSTALL --library="$tmp/rlib" r
	check 'tests of the R package' env R_LIBS="$tmp/rlib" MOIETY_PROGRAM="$tmp/moiety" Rscript r/tests/test.R
	check 'R CMD check without the program: no errors, no warnings' r_check
}
r_check() {
	R CMD build r >/dev/null && mv moiety_*.tar.gz "$tmp/" &&
		(cd "$tmp" && _R_CHECK_FORCE_SUGGESTS_=false R CMD check --no-manual moiety_*.tar.gz) || return 1
	! grep -E '(WARNING|ERROR)$' "$tmp/moiety.Rcheck/00check.log"
}

# --- step 8: the module for Apache Beam -------------------------------------------

# Its modules are downloaded; without a network the step is a named skip. The first
# build takes minutes.
beam_module() {
	check 'no Beam among the modules of the program' no_beam
	if ! (cd beam && go mod download) >"$tmp/beam" 2>&1; then
		skip 'beam' "its modules could not be downloaded: $(tail -n 1 "$tmp/beam")"
		return
	fi
	check 'go vet of beam' in_beam go vet ./...
	(cd beam && CGO_ENABLED=0 go_test -timeout 10m ./...)
	if [ -d "$flink_jars" ] && command -v java >/dev/null 2>&1; then
		check 'sums by Flink' sh beam/flink/test.sh
	else
		skip 'Flink' 'needs java, and jars in the cache: make test-flink fetches them'
	fi
}
flink_jars=${XDG_CACHE_HOME:-$HOME/.cache}/moiety/flink-1.19-beam-2.62.0
no_beam() { ! go list -m all | grep -q apache/beam; }
in_beam() { (cd beam && CGO_ENABLED=0 "$@"); }

# --- step 9: the bank of laws --------------------------------------------------------

# Forty laws at 300 records are a look, not a proof: see bank/README.md.
bank_of_laws() {
	check 'forty laws' forty_laws && cat "$tmp/forty"
}
forty_laws() {
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$tmp/moiety" ./cmd/moiety &&
		go run -C bank ./cmd/bank run -program "$tmp/moiety" -small -out "$tmp/forty.jsonl" &&
		go run -C bank ./cmd/bank table "$tmp/forty.jsonl" >"$tmp/forty"
}

# --- the run ---------------------------------------------------------------

for m in $beside; do
	if reached "$m"; then modules="$modules $m"; fi
done
[ "$mode" = lint ] || go build -modfile=tools/go.mod -o "$tmp/gotestsum" gotest.tools/gotestsum >"$tmp/fetch" 2>&1 || absent gotestsum
case $mode in
full)
	step 'programs for tests' install_programs
	step 'lint' lint
	step 'tests' all_tests -timeout 25m
	step 'race tests' race_tests
	step 'the program, other systems' other_systems
	step 'kernels for arm64' arm64_kernels
	step 'Python package' python_package
	step 'R package' r_package
	step 'Apache Beam' beam_module
	step 'bank of laws' bank_of_laws
	;;
long)
	export MOIETY_LONG=1
	step 'programs for tests' install_programs
	step 'tests (long)' all_tests -timeout 2h
	step 'other systems, vetted' vet_other_systems
	step 'wheels' all_wheels
	;;
short)
	step 'lint' lint
	step 'tests (short)' all_tests -short
	;;
lint)
	step 'lint' lint
	;;
*)
	echo "usage: scripts/test.sh [long|short|lint]" >&2
	exit 2
	;;
esac

printf '\ntime of each step\n'
cat "$times"
awk -f tools/ledger/closing.awk "$ledger"

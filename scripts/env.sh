# Sourced by the other scripts: makes them work with nothing but PATH set.
# shellcheck shell=sh

# writable DIR: can a file be made in DIR, creating DIR if need be?
writable() {
	mkdir -p "$1" 2>/dev/null && [ -w "$1" ]
}

if [ -z "${HOME:-}" ]; then
	HOME=$(getent passwd "$(id -u)" 2>/dev/null | cut -d: -f6 || true)
fi
if [ -z "$HOME" ] || ! writable "$HOME"; then
	HOME=${TMPDIR:-/tmp}/moiety-home-$(id -u)
	mkdir -p "$HOME"
fi
export HOME
if ! writable "$(go env GOCACHE)"; then
	export GOCACHE="${TMPDIR:-/tmp}/moiety-gocache-$(id -u)"
fi
if ! writable "$(go env GOPATH)"; then
	export GOPATH="${TMPDIR:-/tmp}/moiety-gopath-$(id -u)"
fi

# Never fetch another toolchain; never ask git about a clone of another owner.
export GOTOOLCHAIN="${GOTOOLCHAIN:-local}"
export GOFLAGS="${GOFLAGS:-} -buildvcs=false"

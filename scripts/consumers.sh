#!/bin/sh
# Opens what moiety writes with the programs it is written for, installed where
# they can be: scripts/consumers.sh DATA [FOLDER]. FOLDER keeps the environment of
# Python from one time to the next. OCTIS is taken without what its own models
# need; PostgreSQL is tried where PGHOST names a server.
set -eu
cd "$(dirname "$0")/.."
data=${1:?the folder of the data}
venv=${2:-$(mktemp -d)/venv}
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
for p in numpy pandas scipy scikit-learn pyarrow duckdb jsonschema gensim pyLDAvis; do
	"$venv/bin/pip" install -q "$p" || echo "$p cannot be installed here"
done
"$venv/bin/pip" install -q --no-deps octis || echo "octis cannot be installed here"
CGO_ENABLED=0 go build -trimpath -o "$venv/moiety" ./cmd/moiety
exec "$venv/bin/python" scripts/consumers.py "$venv/moiety" "$data"

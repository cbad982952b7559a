#!/bin/sh
# Sets up every engine of the comparison: the Python ones in .venv, DuckDB's Go
# binding (cgo, needs a C++ runtime and linker) in data/bin. Run again at will.
set -eu
cd "$(dirname "$0")"

python=${PYTHON:-python3}
if ! [ -x .venv/bin/python ]; then
	"$python" -m venv .venv
fi
.venv/bin/python -m pip install --quiet --only-binary :all: --requirement requirements.txt

mkdir -p data/bin
go build -trimpath -o data/bin/ ./check ./gen ./peers/touch ./peers/gomap
go build -trimpath -tags duckdb_arrow -o data/bin/ ./peers/duckdbgo ||
	echo 'setup.sh: the Go binding of DuckDB did not build; the comparison goes without it' >&2

for engine in duckdb clickhouse polars datafusion acero; do
	.venv/bin/python "peers/python/run_$engine.py" --version
done
for engine in touch duckdbgo gomap; do
	if [ -x "data/bin/$engine" ]; then "data/bin/$engine" --version; fi
done

#!/bin/sh
# nightly.sh DIR COUNT: merges the COUNT files of a night into DIR/merged.arrows,
# or says what is wrong and leaves the merged file as it was.
set -eu
cd "$1"
count=$2

# Every byte of every file is read first, columns that the merge does not use too.
arrowagg --check --strict -f csv w*.arrows > check.csv || {
	grep -v ',ok,$' check.csv >&2
	exit 1
}
rows=$(awk -F , 'NR > 1 { n += $5 } END { print n }' check.csv)

# The figures of the run itself say what went into it.
arrowagg --strict --stats-json -o merged.new.arrows w*.arrows 2> stats.json || {
	cat stats.json >&2
	exit 1
}
grep -q "\"inputs\": $count, .*\"rows\": $rows, " stats.json || {
	echo "these are not $count inputs with $rows rows:" >&2
	cat stats.json >&2
	exit 1
}
mv merged.new.arrows merged.arrows

#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other, for the given time
# or count ("20m", "2000x"). Targets are found, not listed: a new one is fuzzed
# from the day it is written.
set -euo pipefail
limit=$1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
grep -rlE '^func Fuzz[A-Z]' --include='*_test.go' cmd internal | xargs -n1 dirname | sort -u |
while read -r dir; do
	grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go | cut -d' ' -f2 | sort |
	while read -r target; do
		echo "fuzz $dir $target $limit"
		${GO:-go} test -run '^$' -fuzz "^$target\$" -fuzztime "$limit" -fuzzminimizetime 1x "./$dir" </dev/null > "$log" 2>&1 ||
			{ cat "$log"; exit 1; }
		tail -n 1 "$log"
	done
done

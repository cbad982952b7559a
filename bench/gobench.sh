#!/usr/bin/env bash
# Runs the Go benchmarks of the parts on a commit and on the work tree, in turn
# so that both see the same machine, and compares them with benchstat.
#
#   bench/gobench.sh REF [PACKAGES [PATTERN [ROUNDS]]]
set -euo pipefail
ref=$1 packages=${2:-./internal/...} pattern=${3:-.} rounds=${4:-6}
root=$(git rev-parse --show-toplevel)
scratch=$(mktemp -d)
trap 'git -C "$root" worktree remove --force "$scratch/tree"; rm -rf "$scratch"' EXIT
git -C "$root" worktree add --quiet --detach "$scratch/tree" "$ref"
round() { (cd "$1" && ${GO:-go} test -run '^$' -bench "$pattern" -benchtime 0.3s $packages) >>"$scratch/$2.txt"; }
for ((i = 0; i < rounds; i++)); do
	round "$scratch/tree" before
	round "$root" after
done
cd "$root"
${GO:-go} tool -modfile=internal/lint/go.mod benchstat "$scratch/before.txt" "$scratch/after.txt"

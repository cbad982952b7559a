#!/usr/bin/env bash
# Builds the release of the last commit twice, in two directories and with two
# empty build caches, and compares the bytes of all binaries.
set -euo pipefail
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
for place in one/a another/much/longer/b; do
	mkdir -p "$scratch/$place"
	git archive HEAD | tar -x -C "$scratch/$place"
	GOCACHE=$scratch/cache-${place##*/} ${MAKE:-make} --no-print-directory -C "$scratch/$place" dist
done
cmp "$scratch/one/a/dist/SHA256SUMS" "$scratch/another/much/longer/b/dist/SHA256SUMS"
(cd "$scratch/one/a/dist" && sha256sum --check --quiet SHA256SUMS && cat SHA256SUMS)
(cd "$scratch/another/much/longer/b/dist" && sha256sum --check --quiet SHA256SUMS)
echo 'two builds, the same bytes'

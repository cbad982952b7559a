#!/bin/sh
# parallel.sh: four shards of data/*.arrows over the hosts that share this
# directory, by GNU parallel and ssh; then the merge.
# parallel.sh 3: runs shard 3 again, and merges.
set -eu
n=4
mkdir -p parts
parallel --jobs 1 --sshlogin node1,node2,node3 --workdir "$PWD" --retries 3 --halt soon,fail=1 \
	"arrowagg --partial --shard {}/$n -o parts/{}.arrows data/*.arrows" ::: ${*:-$(seq $n)}
arrowagg --expect $n -o merged.csv parts/*.arrows

#!/bin/sh
# slurm.sh: an array of four shards of data/*.arrows, and a merge that starts
# when all of them succeeded. Run it in a directory that all nodes share.
# slurm.sh 3: runs shard 3 again, and merges.
set -eu
n=4
mkdir -p parts
array=$(sbatch --parsable --job-name=arrowagg --array="${1:-1-$n}" <<END
#!/bin/sh
exec arrowagg --partial --shard \$SLURM_ARRAY_TASK_ID/$n -o parts/\$SLURM_ARRAY_TASK_ID.arrows data/*.arrows
END
)
sbatch --parsable --job-name=arrowagg-merge --dependency="afterok:$array" --kill-on-invalid-dep=yes <<END
#!/bin/sh
exec arrowagg --expect $n -o merged.csv parts/*.arrows
END

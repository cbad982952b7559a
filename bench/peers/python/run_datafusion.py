"""DataFusion over the record batches of a memory-mapped Arrow stream."""

import job


def version():
    import datafusion

    return f"DataFusion {datafusion.__version__}"


j = job.read(version)

import os  # noqa: E402

import datafusion  # noqa: E402
import pyarrow as pa  # noqa: E402

stream = pa.ipc.open_stream(pa.memory_map(j.input))
batches = stream.read_all().select(j.columns).to_batches()
threads = len(os.sched_getaffinity(0))
context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(threads))
# One partition a thread: a single one would leave the others idle.
parts = [batches[i::threads] for i in range(threads)]
empty = [pa.RecordBatch.from_pylist([], schema=pa.schema([stream.schema.field(c) for c in j.columns]))]
context.register_record_batches("input", [p or empty for p in parts])
result = context.sql(j.sql("input"))
schema = result.schema()
job.write_stream(j.output, schema, (b.to_pyarrow() for b in result.execute_stream()))

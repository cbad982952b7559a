"""Acero, pyarrow's own engine, over a memory-mapped table."""

import job


def version():
    import pyarrow

    return f"Acero (pyarrow {pyarrow.__version__})"


j = job.read(version)

import pyarrow as pa  # noqa: E402

table = pa.ipc.open_stream(pa.memory_map(j.input)).read_all().select(j.columns)
functions = {"sum": "sum", "mean": "mean", "min": "min", "max": "max"}
calls = [
    ([], "count_all") if a.function == "count" else (a.column, functions[a.function]) for a in j.aggregates
]
result = table.group_by(j.keys).aggregate(calls)
result = result.select([*j.keys, *(f"{c[0]}_{c[1]}" if c[0] else c[1] for c in calls)])
result = result.rename_columns([*j.keys, *(a.name for a in j.aggregates)])
job.write_stream(j.output, result.schema, result.to_batches(max_chunksize=65536))

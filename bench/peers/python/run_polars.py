"""Polars: the stream is read with its own reader, the query runs in its lazy engine."""

import job


def version():
    import polars

    return f"Polars {polars.__version__}"


j = job.read(version)

import polars as pl  # noqa: E402

expressions = {
    "sum": lambda a: pl.col(a.column).sum(),
    "mean": lambda a: pl.col(a.column).mean(),
    "min": lambda a: pl.col(a.column).min(),
    "max": lambda a: pl.col(a.column).max(),
    "count": lambda a: pl.len(),
}
frame = pl.read_ipc_stream(j.input, columns=j.columns).lazy()
result = frame.group_by(j.keys).agg([expressions[a.function](a).alias(a.name) for a in j.aggregates])
result.collect(engine="streaming").write_ipc_stream(j.output)

"""DuckDB over a memory-mapped Arrow stream, zero-copy where the types allow it."""

import job


def version():
    import duckdb

    return f"DuckDB {duckdb.__version__} (Python)"


j = job.read(version)

import duckdb  # noqa: E402
import pyarrow as pa  # noqa: E402

table = pa.ipc.open_stream(pa.memory_map(j.input)).read_all()
connection = duckdb.connect()
connection.execute("SET preserve_insertion_order = false")
if limit := job.memory_limit():
    connection.execute(f"SET memory_limit = '{limit[0]}B'")
    connection.execute(f"SET temp_directory = '{limit[1]}'")
connection.register("input", table)
reader = connection.sql(j.sql("input")).to_arrow_reader(1_000_000)
job.write_stream(j.output, reader.schema, reader)

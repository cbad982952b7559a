"""Answers questions about Arrow files with real engines, one JSON line each, for the tests in this directory.

    {"op": "sql", "engine": E, "inputs": [PATH…], "sql": TEXT, "output": PATH}   runs the query over table input
    {"op": "read", "engine": E, "inputs": [PATH], "output": PATH}                reads, validates, writes it again

The answer is {"rows": N} or {"error": TEXT}. Outputs are Arrow IPC streams. A file named *.arrow is of the file
format, every other a stream.
"""

import json
import os
import sys

import chdb
import datafusion
import duckdb
import polars as pl
import pyarrow as pa


def open_arrow(path):
    """A file in either format, as a pyarrow table."""
    with pa.memory_map(path) as source:
        magic = source.read(6)
        source.seek(0)
        reader = pa.ipc.open_file(source) if magic == b"ARROW1" else pa.ipc.open_stream(source)
        return reader.read_all()


def write(table, path):
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return table.num_rows


def union(names):
    """Inputs one after the other, columns by name."""
    return " UNION ALL BY NAME ".join(f"SELECT * FROM {n}" for n in names)


def sql_duckdb(tables, text):
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        names = [f"input_{i}" for i in range(len(tables))]
        for name, table in zip(names, tables):
            connection.register(name, table)
        connection.execute(f"CREATE TEMP VIEW input AS {union(names)}")
        return connection.sql(text).to_arrow_table()


def sql_datafusion(tables, text):
    context = datafusion.SessionContext()
    names = [f"input_{i}" for i in range(len(tables))]
    for name, table in zip(names, tables):
        batches = table.to_batches() or [pa.RecordBatch.from_pylist([], schema=table.schema)]
        context.register_record_batches(name, [batches])
    if len(names) == 1:
        names[0] = "input"
        context.register_record_batches("input", [batches])
    else:
        context.register_view("input", context.sql(union(names)))
    result = context.sql(text)
    return pa.Table.from_batches([b.to_pyarrow() for b in result.execute_stream()], schema=result.schema())


def read_pyarrow(path, output):
    table = open_arrow(path)
    table.validate(full=True)
    return write(table, output)


def read_polars(path, output):
    # rechunk walks every value; the round trip through Polars' own types shows what it understood.
    frame = pl.read_ipc(path) if path.endswith(".arrow") else pl.read_ipc_stream(path)
    frame.rechunk().write_ipc_stream(output, compat_level=pl.CompatLevel.oldest())
    return frame.height


def read_datafusion(path, output):
    context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(1))
    context.register_arrow("input", path, file_extension=os.path.splitext(path)[1])
    result = context.table("input")
    batches = [b.to_pyarrow() for b in result.execute_stream()]
    return write(pa.Table.from_batches(batches, schema=result.schema()), output)


def read_clickhouse(path, output):
    if os.path.exists(output):
        os.remove(output)
    kind = "Arrow" if path.endswith(".arrow") else "ArrowStream"
    chdb.query(
        f"SELECT * FROM file('{path}', '{kind}') INTO OUTFILE '{output}' FORMAT ArrowStream"
        " SETTINGS output_format_arrow_compression_method = 'none', max_threads = 1"
    )
    return open_arrow(output).num_rows


def answer(question):
    engine, output = question["engine"], question["output"]
    if question["op"] == "sql":
        tables = [open_arrow(path) for path in question["inputs"]]
        return write(globals()["sql_" + engine](tables, question["sql"]), output)
    return globals()["read_" + engine](question["inputs"][0], output)


def main():
    print(json.dumps({"rows": 0}), flush=True)  # the imports went well
    for line in sys.stdin:
        try:
            reply = {"rows": answer(json.loads(line))}
        except BaseException as e:  # an engine's panic is an answer too
            reply = {"error": f"{type(e).__name__}: {e}"}
        print(json.dumps(reply), flush=True)


main()

"""What the Python peers have in common: the job on the command line, as data and as SQL.

    run_ENGINE.py INPUT OUTPUT KEYS AGGREGATES     one query, as a whole process
    run_ENGINE.py --version                        the engine's name and version

INPUT is an Arrow IPC stream, OUTPUT is where the result goes as one. KEYS is id1,id2; AGGREGATES is
sum:v1:v1_sum,count::count (function, column, name of the result). Each engine says the query in its own way.
"""

import os
import sys
from typing import NamedTuple


class Aggregate(NamedTuple):
    function: str  # sum, mean, min, max, count
    column: str  # empty for count(*)
    name: str


class Job(NamedTuple):
    input: str
    output: str
    keys: list[str]
    aggregates: list[Aggregate]

    @property
    def columns(self):
        """The input columns in use, each once."""
        return list(dict.fromkeys(self.keys + [a.column for a in self.aggregates if a.column]))

    def sql(self, table):
        """The query in the SQL that DuckDB, DataFusion and ClickHouse share."""
        names = {"mean": "avg"}
        shown = list(self.keys)
        for a in self.aggregates:
            shown.append(f"{names.get(a.function, a.function)}({a.column or '*'}) AS {a.name}")
        return f"SELECT {', '.join(shown)} FROM {table} GROUP BY {', '.join(self.keys)}"


def read(version):
    """The job on the command line; asked for the version, prints what version() returns and exits."""
    if sys.argv[1:] == ["--version"]:
        print(version())
        sys.exit(0)
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    _, source, output, keys, aggregates = sys.argv
    return Job(
        source,
        output,
        [k for k in keys.split(",") if k],
        [Aggregate(*a.split(":")) for a in aggregates.split(",") if a],
    )


def memory_limit():
    """What the engine may hold and where the rest goes: bytes and a directory, or None for its defaults."""
    limit = os.environ.get("BENCH_MEMORY")
    return (int(limit), os.environ["BENCH_TEMP"]) if limit else None


def write_stream(path, schema, batches):
    """Writes pyarrow record batches as an IPC stream."""
    import pyarrow as pa

    with pa.OSFile(path, "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
        for batch in batches:
            writer.write(batch)

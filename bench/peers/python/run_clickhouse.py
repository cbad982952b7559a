"""ClickHouse as chdb, with its own Arrow stream reader and writer."""

import job


def version():
    import chdb

    return f"ClickHouse {chdb.engine_version} (chdb {chdb.__version__})"


j = job.read(version)

import os  # noqa: E402

import chdb  # noqa: E402

if os.path.exists(j.output):
    os.remove(j.output)
chdb.query(
    f"{j.sql(f'''file('{j.input}', 'ArrowStream')''')}"
    f" INTO OUTFILE '{j.output}' FORMAT ArrowStream"
    " SETTINGS output_format_arrow_compression_method = 'none'"
)

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
settings = "output_format_arrow_compression_method = 'none'"
if limit := job.memory_limit():
    settings += f", max_memory_usage = {limit[0]}, max_bytes_before_external_group_by = {limit[0] // 2}"
chdb.query(
    f"{j.sql(f'''file('{j.input}', 'ArrowStream')''')}"
    f" INTO OUTFILE '{j.output}' FORMAT ArrowStream"
    f" SETTINGS {settings}"
)

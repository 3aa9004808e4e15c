"""Ranks by Spark expressions."""

from __future__ import annotations

import uuid
import warnings
from typing import Optional, Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import IntegerType

from ._command import failure, start

# The start of a line of a statement that names a column which it cannot read.
NOTE = "-- Note: "


def statement(
    df: DataFrame,
    profile: str,
    partition_by: Optional[str],
    order_by: str,
    context_file: str,
    limits: Sequence[str],
    mode: str,
    command: Sequence[str],
) -> tuple[Optional[tuple[str, str]], str]:
    """The statement over a view of the rows, with the view's name; or why there is none."""
    view = f"assize_{uuid.uuid4().hex}"
    columns = ", ".join(f"`{name.replace('`', '``')}` {kind}" for name, kind in df.dtypes)
    options = ["--table", view, "--order-by", order_by, "--columns", columns, "--context", context_file]
    if partition_by is not None:
        options += ["--partition-by", partition_by]
    if mode == "auto":
        options.append("--exact")
    found = start([*command, "sql", profile, "--dialect", "spark", "--plain", *options, *limits])
    if found.returncode == 0:
        for line in found.stdout.splitlines():
            if line.startswith(NOTE):
                warnings.warn(f"{profile}: {line[len(NOTE):]}", stacklevel=3)
        return (view, found.stdout.strip().rstrip(";")), ""
    if "ASZ571" in found.stderr:
        return None, found.stderr.strip()
    raise failure(command[0], found.returncode, found.stderr)


def shaped(df: DataFrame, found: tuple[str, str], partition_by: Optional[str]) -> DataFrame:
    """Runs a statement, with the columns of the result."""
    view, sql = found
    sql = sql[: sql.rindex("\nORDER BY ")]  # a table has no order
    df.createOrReplaceTempView(view)
    try:
        rows = df.sparkSession.sql(sql)  # analysed now, so that the view is not needed later
    finally:
        df.sparkSession.catalog.dropTempView(view)
    # By position: columns of the rows may have the same names.
    names = rows.columns
    first = 0 if partition_by is None else 1
    columns = rows.toDF(*(f"c{k}" for k in range(len(names))))
    scores = [part for k in range(first + 3, len(names)) for part in (F.lit(names[k]), F.col(f"c{k}"))]
    return columns.select(
        *([] if partition_by is None else [F.col("c0").alias(partition_by)]),
        F.col(f"c{first}").cast(IntegerType()).alias("rank"),
        F.col(f"c{first + 1}").alias("id"),
        F.col(f"c{first + 2}").alias("score"),
        F.create_map(*scores).alias("scores"),
    )

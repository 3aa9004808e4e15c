"""Rank the rows of a Spark DataFrame by an Assize profile.

>>> from assize_spark import rank
>>> best = rank(candidates, "search.yaml", partition_by="user_id", top=10)

The result is a lazy DataFrame. Nothing is collected.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import uuid
import warnings
from datetime import datetime, timezone
from typing import Any, Iterable, Iterator, Mapping, Optional, Sequence

from pyspark import cloudpickle
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DoubleType, IntegerType, MapType, StringType, StructField, StructType

__all__ = ["AssizeError", "rank"]

MODES = ("auto", "plain", "engine")

# The start of a line of a statement that names a column which it cannot read.
NOTE = "-- Note: "


class AssizeError(Exception):
    """A mistake in the profile, the data or the call, with the message of the command line."""


def rank(
    df: DataFrame,
    profile: str,
    *,
    partition_by: Optional[str] = None,
    top: Optional[int] = None,
    min_score: Optional[float] = None,
    order_by: str = "id",
    context: Optional[Mapping[str, Any]] = None,
    mode: str = "auto",
    command: Sequence[str] = ("npx", "assize"),
) -> DataFrame:
    """Ranks rows by a profile, and returns the selected ones, lazily.

    The result has the columns `partition_by`, `rank` (int, from 1), `id`, `score` (double) and `scores`
    (a map of each scorer's score).

    df            the candidates, one per row
    profile       a preset, or the path of a profile on the driver
    partition_by  the column of the group; each group is a ranking of its own
    top           the most rows of a group, in place of the profile's
    min_score     the least score, in place of the profile's
    order_by      the column that orders rows of equal score; its values must be unique in a group
    context       the context of the request; `now` is the time of the call if it is missing
    mode          `auto`: Spark expressions if they give the engine's scores to the bit, otherwise the
                  engine. `plain`: Spark expressions, whose scores may differ in the last digits.
                  `engine`: the engine, in a process next to each task
    command       starts the command line, on the driver and with mode `engine` on the workers

    Raises AssizeError if the profile, a column or an option is invalid, or if the command line does not
    start.
    """
    if mode not in MODES:
        raise AssizeError(f"mode is {mode!r}; expected one of {', '.join(MODES)}")
    if partition_by in ("rank", "id", "score", "scores"):
        raise AssizeError(f"the group column {partition_by!r} has the name of a column of the result; rename it")
    for name in (order_by, *([partition_by] if partition_by is not None else [])):
        if name not in df.columns:
            raise AssizeError(f"the DataFrame has no column {name!r}; it has {', '.join(df.columns)}")
    request = {"now": datetime.now(timezone.utc).isoformat(), **(context or {})}
    with tempfile.TemporaryDirectory() as folder:
        context_file = os.path.join(folder, "context.json")
        with open(context_file, "w", encoding="utf-8") as file:
            json.dump(request, file, default=str)
        limits = _limits(top, min_score)
        if mode != "engine":
            statement, why = _statement(df, profile, partition_by, order_by, context_file, limits, mode, command)
            if statement is not None:
                return _shaped(df, statement, partition_by)
            if mode == "plain":
                raise AssizeError(why)
        source = _run([*command, "show", profile])
    return _by_engine(df, source, partition_by, order_by, request, limits, command)


def _limits(top: Optional[int], min_score: Optional[float]) -> list[str]:
    return [
        *(["--top", str(top)] if top is not None else []),
        *(["--min-score", repr(float(min_score))] if min_score is not None else []),
    ]


# Spark expressions


def _statement(
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
    found = _start([*command, "sql", profile, "--dialect", "spark", "--plain", *options, *limits])
    if found.returncode == 0:
        for line in found.stdout.splitlines():
            if line.startswith(NOTE):
                warnings.warn(f"{profile}: {line[len(NOTE):]}", stacklevel=3)
        return (view, found.stdout.strip().rstrip(";")), ""
    if "ASZ571" in found.stderr:
        return None, found.stderr.strip()
    raise AssizeError(found.stderr.strip() or f"{command[0]} ended with {found.returncode}")


def _shaped(df: DataFrame, statement: tuple[str, str], partition_by: Optional[str]) -> DataFrame:
    view, sql = statement
    sql = sql[: sql.rindex("\nORDER BY ")]  # a table has no order
    df.createOrReplaceTempView(view)
    try:
        found = df.sparkSession.sql(sql)  # analysed now, so that the view is not needed later
    finally:
        df.sparkSession.catalog.dropTempView(view)
    # By position: columns of the rows may have the same names.
    names = found.columns
    first = 0 if partition_by is None else 1
    columns = found.toDF(*(f"c{k}" for k in range(len(names))))
    scores = [part for k in range(first + 3, len(names)) for part in (F.lit(names[k]), F.col(f"c{k}"))]
    return columns.select(
        *([] if partition_by is None else [F.col("c0").alias(partition_by)]),
        F.col(f"c{first}").cast(IntegerType()).alias("rank"),
        F.col(f"c{first + 1}").alias("id"),
        F.col(f"c{first + 2}").alias("score"),
        F.create_map(*scores).alias("scores"),
    )


def _column(name: str) -> Column:
    return F.col(f"`{name.replace('`', '``')}`")


# The engine


def _by_engine(
    df: DataFrame,
    source: str,
    partition_by: Optional[str],
    order_by: str,
    request: Mapping[str, Any],
    limits: Sequence[str],
    command: Sequence[str],
) -> DataFrame:
    types = {field.name: field.dataType for field in df.schema.fields}
    group = [] if partition_by is None else [StructField(partition_by, types[partition_by])]
    schema = StructType(
        [
            *group,
            StructField("rank", IntegerType()),
            StructField("id", StringType()),
            StructField("score", DoubleType()),
            StructField("scores", MapType(StringType(), DoubleType())),
        ]
    )
    if partition_by is None:
        rows = df.coalesce(1).sortWithinPartitions(order_by)  # one ranking needs one process
        options = []
    else:
        rows = df.repartition(_column(partition_by)).sortWithinPartitions(partition_by, order_by)
        options = ["--partition-by", partition_by]
    worker = _Worker([*command, "rank"], ["--input", "jsonl", "--format", "jsonl", *options, *limits], source, request)
    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers need not have this package
    lines = rows.toJSON().mapPartitions(worker)
    found = df.sparkSession.read.json(lines, schema=schema)
    key = types.get("id")
    return found if key is None else found.withColumn("id", F.col("id").cast(key))


class _Worker:
    """Ranks the rows of a partition in a process of its own."""

    def __init__(self, command: Sequence[str], options: Sequence[str], source: str, request: Mapping[str, Any]):
        self.command = list(command)
        self.options = list(options)
        self.source = source
        self.request = json.dumps(request, default=str)

    def __call__(self, rows: Iterable[str]) -> Iterator[str]:
        with tempfile.TemporaryDirectory() as folder:
            profile, context = os.path.join(folder, "profile.yaml"), os.path.join(folder, "context.json")
            for path, text in ((profile, self.source), (context, self.request)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            with open(os.path.join(folder, "errors"), "w+", encoding="utf-8") as errors:
                process = _open([*self.command, "--profile", profile, "--context", context, *self.options], errors)
                feeder = threading.Thread(target=_feed, args=(rows, process.stdin), daemon=True)
                feeder.start()
                for line in process.stdout:
                    yield line.rstrip("\n")
                feeder.join()
                if process.wait() != 0:
                    errors.seek(0)
                    raise AssizeError(errors.read().strip() or f"{self.command[0]} ended with {process.returncode}")


def _open(arguments: Sequence[str], errors: Any) -> "subprocess.Popen[str]":
    try:
        return subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, encoding="utf-8"
        )
    except OSError as error:
        raise AssizeError(_missing(arguments[0], error)) from error


def _feed(rows: Iterable[str], stdin: Any) -> None:
    try:
        for row in rows:
            stdin.write(row)
            stdin.write("\n")
        stdin.close()
    except BrokenPipeError:
        pass  # the process ended early; its message is reported


# The command line


def _run(arguments: Sequence[str]) -> str:
    found = _start(arguments)
    if found.returncode != 0:
        raise AssizeError(found.stderr.strip() or f"{arguments[0]} ended with {found.returncode}")
    return found.stdout


def _start(arguments: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(arguments, capture_output=True, encoding="utf-8", check=False)
    except OSError as error:
        raise AssizeError(_missing(arguments[0], error)) from error


def _missing(name: str, error: OSError) -> str:
    host = os.uname().nodename
    return f"{name} does not start on {host}: {error.strerror}. Install Node.js 20 and assize there, or pass command=[…]"

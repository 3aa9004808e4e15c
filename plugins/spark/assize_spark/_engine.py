"""Ranks by the engine, in a process of the command line next to each task."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Optional, Sequence

from pyspark import cloudpickle
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from ._command import AssizeError, failure, missing, run, start

if TYPE_CHECKING:
    import pyarrow as pa

# The columns of the command line's table after the group, then score_ID for each scorer.
FIXED = ["id", "index", "rank", "score", "status", "refused_by", "reason"]
SCORE = "score_"

# A group column with another name is copied: its name would be a path, or that of another column of the table.
PLAIN_NAME = re.compile(r"(?!(?:score|contribution)_)[a-z_][a-z0-9_]*", re.IGNORECASE | re.ASCII)
COPY = "group_of_row"


def by_engine(
    df: DataFrame,
    profile: str,
    partition_by: Optional[str],
    order_by: str,
    request: Mapping[str, Any],
    limits: Sequence[str],
    command: Sequence[str],
) -> DataFrame:
    """Ranks lazily: Spark sorts the rows, and passes them to the processes as Arrow streams."""
    try:
        import pandas  # noqa: F401 – Spark needs it
        import pyarrow  # noqa: F401
        from pyspark.sql.pandas.types import to_arrow_schema
    except ImportError as error:
        raise AssizeError(f"the engine needs pandas and pyarrow, here and on the workers: {error}") from error
    with ThreadPoolExecutor() as pool:
        shown = pool.submit(run, [*command, "show", profile])
        read = _fields_read(profile, command)
        source = shown.result()
    for name in sorted(set(read or ()) - set(df.columns)):
        warnings.warn(f"{profile}: the DataFrame has no column {name!r}: it has no value", stacklevel=3)
    types = {field.name: field.dataType for field in df.schema.fields}
    sent = [name for name in df.columns if read is None or name in read] or [order_by]
    options: list[str] = []
    if partition_by is None:
        rows = df.coalesce(1).sortWithinPartitions(_column(order_by))  # one ranking needs one process
    else:
        rows = df.repartition(_column(partition_by)).sortWithinPartitions(_column(partition_by), _column(order_by))
        group = partition_by
        if not PLAIN_NAME.fullmatch(group) or group.lower() in FIXED:
            group = COPY
            rows = rows.withColumn(group, _column(partition_by))
        if group not in sent:
            sent.append(group)
        types[group] = types[partition_by]
        options = ["--partition-by", group]
    for name in sent:
        _check_type(name, types[name])
    result = T.StructType(
        [
            *([] if partition_by is None else [T.StructField(partition_by, types[partition_by])]),
            T.StructField("rank", T.IntegerType()),
            T.StructField("id", T.StringType()),
            T.StructField("score", T.DoubleType()),
            T.StructField("scores", T.MapType(T.StringType(), T.DoubleType())),
        ]
    )
    worker = Worker(
        [*command, "rank"],
        ["--input", "arrow", "--format", "arrow", *options, *limits],
        source,
        request,
        to_arrow_schema(result).serialize().to_pybytes(),
    )
    # Workers need not have this package.
    cloudpickle.register_pickle_by_value(sys.modules[__package__])
    found = rows.select(*map(_column, sent)).mapInArrow(worker, result)
    key = types.get("id")
    return found if key is None else found.withColumn("id", F.col("id").cast(key))


def _fields_read(profile: str, command: Sequence[str]) -> Optional[list[str]]:
    """The columns that a profile reads; None if it may read any column. Raises AssizeError if it is invalid."""
    found = start([*command, "check", profile, "--format", "json"])
    if found.returncode != 0:
        run([*command, "check", profile])  # raises the error as text
    return json.loads(found.stdout).get("reads")


def _column(name: str) -> Column:
    return F.col(f"`{name.replace('`', '``')}`")


PASSED = (
    T.NumericType,
    T.StringType,
    T.BooleanType,
    T.DateType,
    T.TimestampType,
    T.TimestampNTZType,
    T.BinaryType,
    T.NullType,
)


def _check_type(name: str, kind: T.DataType) -> None:
    """Raises AssizeError for a column whose values cannot be passed on as Arrow."""
    if isinstance(kind, T.ArrayType):
        return _check_type(name, kind.elementType)
    if isinstance(kind, T.MapType):
        return _check_type(name, kind.valueType)
    if isinstance(kind, T.StructType):
        for field in kind.fields:
            _check_type(name, field.dataType)
        return None
    if isinstance(kind, PASSED):
        return None
    raise AssizeError(
        f"the column {name!r} has values of the type {kind.simpleString()}, which the engine does not read; "
        f"cast it, for example to a string"
    )


class Worker:
    """Ranks the rows of a partition in a process of its own."""

    def __init__(
        self,
        command: Sequence[str],
        options: Sequence[str],
        source: str,
        request: Mapping[str, Any],
        schema: bytes,
    ):
        self.command = list(command)
        self.options = list(options)
        self.source = source
        self.request = json.dumps(request, default=str)
        self.stored_schema = schema

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        try:
            import pyarrow as pa
        except ImportError as error:
            raise AssizeError(
                f"{sys.executable} on {os.uname().nodename} has no pyarrow: {error}. Install pyarrow there, "
                "or set PYSPARK_PYTHON to a Python that has it"
            ) from error
        self.schema = pa.ipc.read_schema(pa.py_buffer(self.stored_schema))

    def __call__(self, batches: Iterable["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        rows = (batch for batch in batches if batch.num_rows > 0)
        first = next(rows, None)
        if first is None:
            return
        with tempfile.TemporaryDirectory() as folder:
            profile, context = os.path.join(folder, "profile.yaml"), os.path.join(folder, "context.json")
            for path, text in ((profile, self.source), (context, self.request)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            with open(os.path.join(folder, "errors"), "w+", encoding="utf-8") as errors:
                process = _open([*self.command, "--profile", profile, "--context", context, *self.options], errors)
                try:
                    feeder = Feeder(first, rows, process.stdin)
                    feeder.start()
                    yield from self._results(process, errors)
                    feeder.join()
                    if feeder.error is not None:
                        raise feeder.error
                finally:
                    process.kill()  # if the task was cancelled
                    process.wait()
                    process.stdout.close()

    def _results(self, process: "subprocess.Popen[bytes]", errors: Any) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa

        try:
            with pa.ipc.open_stream(process.stdout) as results:
                for batch in results:
                    yield self._shaped(batch)
        except pa.ArrowInvalid as error:
            process.stdout.close()
            if process.wait() == 0:
                raise AssizeError(f"{self.command[0]} did not write an Arrow stream: {error}") from error
        if process.wait() != 0:
            errors.seek(0)
            raise failure(self.command[0], process.returncode, errors.read())

    def _shaped(self, batch: "pa.RecordBatch") -> "pa.RecordBatch":
        """The rows of a table of the command line, with the columns of the result."""
        import numpy as np
        import pyarrow as pa

        groups = len(self.schema) - 4
        place = {name: groups + k for k, name in enumerate(FIXED)}
        scorers = [k for k in range(groups + len(FIXED), batch.num_columns) if batch.schema.names[k].startswith(SCORE)]
        names = [batch.schema.names[k][len(SCORE) :] for k in scorers]
        count, each = batch.num_rows, len(names)
        # The scores of a row are adjacent in a map.
        numbers = pa.concat_arrays([pa.array([], pa.float64()), *(batch.column(k) for k in scorers)])
        order = np.arange(count * each).reshape(each, count).T.ravel()
        keys = pa.array(names, pa.string()).take(pa.array(np.tile(np.arange(each), count)))
        scores = pa.MapArray.from_arrays(np.arange(count + 1, dtype="int32") * each, keys, numbers.take(order))
        columns = [*batch.columns[:groups], *(batch.column(place[name]) for name in ("rank", "id", "score")), scores]
        types = self.schema.types
        return pa.RecordBatch.from_arrays([one.cast(types[k]) for k, one in enumerate(columns)], schema=self.schema)


class Feeder(threading.Thread):
    """Writes the rows to a process, while another thread reads its results."""

    def __init__(self, first: "pa.RecordBatch", rest: Iterator["pa.RecordBatch"], stdin: Any):
        super().__init__(daemon=True)
        self.first = first
        self.rest = rest
        self.stdin = stdin
        self.error: Optional[Exception] = None

    def run(self) -> None:
        import pyarrow as pa

        try:
            with self.stdin, pa.ipc.new_stream(self.stdin, self.first.schema) as stream:
                stream.write_batch(self.first)
                for batch in self.rest:
                    stream.write_batch(batch)
        except BrokenPipeError:
            pass  # the process ended early; its message is reported
        except Exception as error:
            self.error = error


def _open(arguments: Sequence[str], errors: Any) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
    except OSError as error:
        raise missing(arguments[0], error) from error

"""Ranks rows by the Python module in every mode, and provokes mistakes; answers as JSON."""

import json
import os
import sys
import warnings

os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession

from assize_spark import AssizeError, rank
from assize_spark._engine import Worker

job = json.load(sys.stdin)
spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "3")
    .config("spark.sql.execution.arrow.maxRecordsPerBatch", "7")  # groups span batches
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")
schema = "id bigint, shop string, rating double, votes bigint, kind string, added string, sold boolean, tags array<string>"
df = spark.read.schema(schema).json(job["data"])
common = {"partition_by": "shop", "context": {"now": job["now"]}, "command": job["command"]}


def found(profile, mode):
    try:
        ranked = rank(df, profile, mode=mode, **common)
        rows = ranked.selectExpr("shop", "cast(id as string) as id", "rank", "score").collect()
        return [row.asDict() for row in rows]
    except AssizeError as error:
        return str(error)


def message(work):
    try:
        work()
    except Exception as error:
        return str(error)
    return "no error"


first = job["profiles"][0]


def unstarted(batches):
    worker = Worker(["no-such-node"], [], "", {}, b"")
    worker.schema = None
    return worker(batches)


errors = {
    "profile": message(lambda: rank(df, "./missing.yaml", **common)),
    "column": message(lambda: rank(df, first, **{**common, "partition_by": "city"})),
    "order": message(lambda: rank(df, first, **{**common, "order_by": "city"})),
    "mode": message(lambda: rank(df, first, mode="fast", **common)),
    "command": message(lambda: rank(df, first, **{**common, "command": ["no-such-node"]})),
    "worker": message(lambda: df.mapInArrow(unstarted, df.schema).collect()),
    # The context lacks a field that an expression requires a number of.
    "data": message(lambda: rank(df, first, **{**common, "context": {"now": "yesterday"}}).collect()),
}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    rank(df, job["unread"], **common)
    rank(df, job["unread"], mode="engine", **common)
errors["note"] = "\n".join(str(one.message) for one in caught if "no column" in str(one.message))
rankings = [{mode: found(profile, mode) for mode in job["modes"]} for profile in job["profiles"]]
print("\nANSWER" + json.dumps({"rankings": rankings, "errors": errors}))
spark.stop()

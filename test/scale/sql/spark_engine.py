"""Passes every type of Spark to the engine, and interrupts it; answers as JSON."""

import json
import os
import sys
import time
from datetime import date, datetime, timezone
from decimal import Decimal

os.environ["PYSPARK_PYTHON"] = sys.executable

import pyarrow as pa
from pyspark import cloudpickle
from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F

from assize_spark import rank
from assize_spark._engine import Worker

job = json.load(sys.stdin)
spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "3")
    .config("spark.sql.execution.arrow.maxRecordsPerBatch", "7")  # groups span batches
    .config("spark.sql.session.timeZone", "America/New_York")
    .config("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")

SCHEMA = """id bigint, shop string, large bigint, small smallint, single float, number double, price decimal(20, 4),
    flag boolean, day date, at timestamp, local timestamp_ntz, text string, bytes binary, list array<bigint>,
    inner struct<a: decimal(5, 2), at: timestamp>, counts map<string, int>, nothing void, span interval day to second"""


def value(k):
    if k % 11 == 10:
        return Row(k, f"s{k % 4}", *[None] * 16)
    moment = datetime(1969 + k % 3, 12, 31, 23, 59, 59, 1000 * k, timezone.utc)
    numbers = [float("nan"), float("inf"), -0.0, 1e300, 0.1]
    return Row(
        id=k, shop=f"s{k % 4}", large=2**53 + k, small=-k, single=0.1 * k, number=numbers[k % 5],
        price=Decimal(k) / 7 * 10**12, flag=k % 2 == 0, day=date(1960 + k, 2, 28), at=moment,
        local=moment.replace(tzinfo=None), text="ä 🦊" * (k % 3) + "\ufeff", bytes=f"b{k}".encode(),
        list=[k, None, 2**60][: k % 4], inner=Row(a=Decimal(k) / 8, at=moment), counts={"a": k, "b": -k},
        nothing=None, span=None,
    )  # fmt: skip


df = spark.createDataFrame([value(k) for k in range(120)], SCHEMA)
common = {"partition_by": "shop", "context": {"now": "2026-01-01"}, "command": job["command"], "mode": "engine"}


def message(work):
    try:
        work()
    except Exception as error:
        return str(error)
    return "no error"


def scores(rows):
    return [
        {"shop": row["shop"], "id": str(row["id"]), "rank": row["rank"], "score": row["score"], "scores": row["scores"]}
        for row in rows.collect()
    ]


# The same rows as a Parquet file, for the command line.
df.drop("nothing", "span").coalesce(1).sortWithinPartitions("shop", "id").write.parquet(job["parquet"])
same = scores(rank(df, job["types"], **common))

keys = {
    "large": F.col("id") % 5,
    "small": (F.col("id") % 5).cast("tinyint"),
    "single": (F.col("id") % 5 / 10).cast("float"),
    "double": F.when(F.col("id") < 60, F.col("id") % 3).otherwise(F.col("id") % 5 / 10),
    "decimal": (F.col("id") % 5 / 10).cast("decimal(20, 2)"),
    "boolean": F.col("id") % 2 == 0,
    "date": F.expr("date '1950-01-31' + cast(id % 5 as int) * 9999"),
    "timestamp": F.expr("timestamp '2024-03-10 01:30:00' + make_dt_interval(0, cast(id % 5 as int))"),
    "local": F.expr("timestamp_ntz '2024-03-10 02:30:00.123' + make_dt_interval(0, cast(id % 5 as int))"),
    "null": F.lit(None).cast("int"),
    "a.b `c`": F.concat(F.lit("ä"), F.col("id") % 5),
    "Status": F.concat(F.lit("ä"), F.col("id") % 5),
    "score_text": (F.col("id") % 5).cast("string"),
}
wrong = {}
for name, key in keys.items():
    rows = df.select("id", "number", F.when(F.col("id") % 7 > 0, key).alias(name))
    quoted = f"`{name.replace('`', '``')}`"
    ranked = rank(rows, job["numbers"], **{**common, "partition_by": name}, top=3)
    found = sorted((str(row[0]), row[1]) for row in ranked.groupBy(quoted).count().collect())
    counts = [(str(row[0]), min(3, row[1])) for row in rows.groupBy(quoted).count().collect()]
    if ranked.schema[name].dataType != rows.schema[name].dataType or found != sorted(counts):
        wrong[name] = [found, sorted(counts)]

micros = df.withColumn("time", F.expr("timestamp '2024-03-10 01:30:00.000001'"))
errors = {
    "type": message(lambda: rank(df, job["spans"], **common)),
    "micros": message(lambda: rank(micros, job["numbers"], **{**common, "partition_by": "time"}).collect()),
    "row": message(lambda: rank(df, job["failing"], **common).collect()),
    "rows": message(lambda: rank(df.withColumn("x", F.raise_error(F.lit("bad row")).cast("int")), job["x"], **common).collect()),
    "old": message(lambda: rank(df, job["numbers"], **{**common, "command": ["sh", "-c", job["old"], *job["command"]]}).collect()),
}  # fmt: skip
texts = spark.range(3).selectExpr("concat('t', id) id", "0.5D number")
whole = rank(texts, job["numbers"], command=job["command"], mode="engine").collect()
empty = rank(df.where("id < 0"), job["numbers"], **common).collect()

# A task that is cancelled closes the results.
schema = pa.schema([("rank", pa.int32()), ("id", pa.string()), ("score", pa.float64()), ("scores", pa.map_(pa.string(), pa.float64()))])  # fmt: skip
batch = pa.record_batch({"id": [str(k) for k in range(40_000)], "number": [0.5] * 40_000, "shop": ["x"] * 40_000})
source = open(job["numbers"], encoding="utf-8").read()
command = ["sh", "-c", 'echo $$ > "$0"; exec "$@"', job["pid"], *job["command"], "rank"]
options = ["--input", "arrow", "--format", "arrow", "--partition-by", "shop"]
worker = Worker(command, options, source, {}, pa.schema([("shop", pa.string()), *schema]).serialize().to_pybytes())
worker = cloudpickle.loads(cloudpickle.dumps(worker))


def endless():
    for k in range(10**9):
        yield batch.set_column(2, "shop", pa.array([str(k)] * batch.num_rows))


results = worker(endless())
next(results)
results.close()
with open(job["pid"], encoding="utf-8") as file:
    process = int(file.read())
answer = {
    "same": same,
    "wrong": wrong,
    "errors": errors,
    "whole": [[row["id"], row["rank"]] for row in whole],
    "empty": len(empty),
    "runs": os.path.exists(f"/proc/{process}"),
}
print("\nANSWER" + json.dumps(answer))
spark.stop()

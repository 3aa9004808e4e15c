"""Runs statements over rows on two executors, and pipes rows through a command; answers as JSON."""

import json
import sys
import time

from pyspark.sql import SparkSession

job = json.load(sys.stdin)
spark = (
    SparkSession.builder.master("local-cluster[2,1,1024]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.sql.codegen.wholeStage", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")

names = ["id", "a", "n", "s", "t", "f"]
rows = [[None if v is None else float(v) if k == "a" else v for k, v in zip(names, row)] for row in job["rows"]]
schema = "id bigint, a double, n bigint, s string, t string, f boolean"
spark.createDataFrame(rows, schema).repartition(2).cache().createOrReplaceTempView("rows")

# Files are read as they are, in as many partitions as they have.
for name, path in job["tables"].items():
    spark.read.option("datetimeRebaseMode", "CORRECTED").parquet(path).createOrReplaceTempView(name)

answers = []
# The ANSI mode is the default of Spark 4, and stricter; the first statement is tried without it, too.
for ansi, statements in [("true", job["statements"]), ("false", job["statements"][:1])]:
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    for statement in statements:
        began = time.time()
        try:
            answers.append([json.loads(line) for line in spark.sql(statement).toJSON().collect()])
        except Exception as error:
            answers.append(str(error)[:2000])
        print(f"statement {len(answers)}: {time.time() - began:.1f} s", file=sys.stderr)

spark.conf.set("spark.sql.ansi.enabled", "true")
try:
    plain = [json.loads(line) for line in spark.sql(job["plain"]).toJSON().collect()]
except Exception as error:
    plain = str(error)[:2000]

lines = spark.sparkContext.parallelize(job["lines"], 4)
piped = lines.pipe(job["command"]).collect()
executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
print("\nANSWER" + json.dumps({"answers": answers, "plain": plain, "piped": piped, "executors": executors, "version": spark.version}))
spark.stop()

"""Runs statements over rows on two executors, and pipes rows through a command; answers as JSON."""

import json
import sys

from pyspark.sql import SparkSession

job = json.load(sys.stdin)
spark = (
    SparkSession.builder.master("local-cluster[2,1,1024]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "4")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")

names = ["id", "a", "n", "s", "t", "f"]
rows = [[None if v is None else float(v) if k == "a" else v for k, v in zip(names, row)] for row in job["rows"]]
schema = "id bigint, a double, n bigint, s string, t string, f boolean"
spark.createDataFrame(rows, schema).repartition(4).createOrReplaceTempView("rows")

answers = []
for ansi in ["false", "true"]:
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    for statement in job["statements"]:
        try:
            answers.append([json.loads(line) for line in spark.sql(statement).toJSON().collect()])
        except Exception as error:
            answers.append(str(error)[:2000])

lines = spark.sparkContext.parallelize(job["lines"], 4)
piped = lines.pipe(job["command"]).collect()
executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
print("\nANSWER" + json.dumps({"answers": answers, "piped": piped, "executors": executors, "version": spark.version}))
spark.stop()

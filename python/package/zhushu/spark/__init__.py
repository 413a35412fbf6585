"""zhushu on Apache Spark, for a corpus that one machine is too slow or too small for.

    from zhushu.spark import Flow

    flow = Flow(spark, "/shared/out")
    flow.run("/shared/texts")          # a folder of texts, or a DataFrame with id and content
    flow.table("links").show()         # the tables of `zhushu export --to parquet`

The flow has five jobs. Each does its work in buckets and leaves a file for each bucket, so a job
that failed repeats only the buckets that are missing:

``read``        reads the texts; what cannot be read is a row of ``errors``
``split``       cuts and splits all texts of a work together: one chapter a row
``references``  resolves citations, beside the chapters with the cited work and chapter, and beside
                those that share rare runs of characters
``parallels``   compares the chapters that share rare runs, each pair once
``tables``      gives the chapters their parallels, aligns translations, and writes the tables

It needs ``pip install zhushu[spark]`` and Java 17. See docs/scale.md for what it costs.
"""

from .flow import Flow, Plan, Result

__all__ = ["Flow", "Plan", "Result"]

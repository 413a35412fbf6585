"""Runs the flow: ``spark-submit -m zhushu.spark TEXTS OUT``, or ``python -m zhushu.spark``."""

from __future__ import annotations

import argparse
import dataclasses
import sys

from pyspark.sql import SparkSession

import zhushu

from . import Flow, Plan


def main() -> int:
    """Runs all jobs and prints what they did."""
    parser = argparse.ArgumentParser(prog="zhushu.spark", description=__doc__)
    parser.add_argument("texts", help="a folder of texts or a manifest, which all workers see")
    parser.add_argument("out", help="a folder for the results, which all workers see")
    for field in dataclasses.fields(Plan):
        option = "--" + field.name.replace("_", "-")
        parser.add_argument(option, type=int, default=field.default)
    args = parser.parse_args()
    plan = Plan(**{f.name: getattr(args, f.name) for f in dataclasses.fields(Plan)})
    spark = SparkSession.builder.appName("zhushu").getOrCreate()
    try:
        for done in Flow(spark, args.out, plan).run(args.texts):
            kept = f", {len(done.kept)} kept" if done.kept else ""
            errors = f", {done.errors} errors" if done.errors else ""
            print(f"{done.job}: {len(done.computed)} buckets{kept}{errors}, {done.seconds:.1f} s")
    except zhushu.Error as e:
        print(e, file=sys.stderr)
        return 1
    finally:
        spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())

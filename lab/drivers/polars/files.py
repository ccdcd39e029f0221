# SPDX-License-Identifier: Apache-2.0
"""The lab's jobs over files in Polars: files.py JOB INPUT OUTPUT THREADS TIMES."""
import json
import os
import sys
import time

os.environ["POLARS_MAX_THREADS"] = sys.argv[4]

import polars as pl  # noqa: E402, reads the number of threads once

ORDERS = {
    "id": pl.Int64, "time": pl.String, "shop": pl.String, "product": pl.String,
    "quantity": pl.Int64, "price": pl.Float64, "note": pl.String,
}
TYPES = {
    "long": pl.Int64, "Long": pl.Int64, "int": pl.Int64, "Integer": pl.Int64, "boolean": pl.Boolean,
    "double": pl.Float64, "Double": pl.Float64, "BigDecimal": pl.Float64, "String": pl.String,
}


def totals(schema):
    """All fields, added up by what they are; a null counts as nothing."""
    sums = {"chars": [], "wholes": [], "reals": [], "truths": []}
    for name, inner in schema.items():
        fields = (
            [(pl.col(name).struct.field(field), type) for field, type in inner.items()]
            if isinstance(inner, dict) else [(pl.col(name), inner)]
        )
        for field, type in fields:
            if type == "String":
                sums["chars"].append(field.str.len_chars().cast(pl.Int64).sum())
            elif type in ("double", "Double", "BigDecimal"):
                sums["reals"].append(field.sum())
            elif type == "boolean":
                sums["truths"].append(field.cast(pl.Int64).sum())
            else:
                sums["wholes"].append(field.sum())
    return [pl.len().alias("n")] + [pl.sum_horizontal(terms).alias(name) for name, terms in sums.items()]


def query(job, file):
    if job.startswith("csv-"):
        orders = pl.scan_csv(file, schema=ORDERS)
        if job == "csv-read":
            return orders.select(
                pl.len().alias("n"),
                (pl.col("shop").str.len_chars().cast(pl.Int64) + pl.col("product").str.len_chars().cast(pl.Int64)).sum().alias("chars"),
                pl.col("quantity").sum(),
                pl.col("price").max(),
            )
        if job == "csv-group":
            return orders.group_by("shop", "product").agg(
                pl.len().alias("n"), pl.col("price").max(), pl.col("quantity").sum())
        if job == "csv-filter":
            return orders.with_columns(
                pl.col("time").str.to_datetime("%Y-%m-%dT%H:%M:%SZ", time_unit="us")
            ).filter(pl.col("quantity") > 500)
    if job == "json-read":
        with open(file + ".schema.json", encoding="utf-8") as schema_file:
            schema = json.load(schema_file)
        struct = {
            name: pl.Struct({field: TYPES[type] for field, type in inner.items()}) if isinstance(inner, dict) else TYPES[inner]
            for name, inner in schema.items()
        }
        return pl.scan_ndjson(file, schema=struct).select(totals(schema))
    if job == "json-group":
        struct = {
            "cell": pl.Struct({"city": pl.String}),
            "service": pl.Struct({"app": pl.String}),
            "measures": pl.Struct({"bytesDown": pl.Int64}),
        }
        return pl.scan_ndjson(file, schema=struct).group_by(
            pl.col("cell").struct.field("city"), pl.col("service").struct.field("app")
        ).agg(pl.len().alias("n"), pl.col("measures").struct.field("bytesDown").sum())
    if job == "quakes":
        struct = {"properties": pl.Struct({"net": pl.String, "magType": pl.String, "mag": pl.Float64, "sig": pl.Int64})}
        return pl.scan_ndjson(file, schema=struct).unnest("properties").group_by("net", "magType").agg(
            pl.len().alias("n"), pl.col("mag").max(), pl.col("sig").sum())
    sys.exit(f"no job {job}")


def main(job, file, output, threads, times):
    began = time.monotonic_ns()
    query(job, file).sink_csv(output, maintain_order=False, engine="streaming")
    with open(times, "w", encoding="utf-8") as out:
        json.dump({"elapsedNs": time.monotonic_ns() - began, "version": pl.__version__}, out)


main(*sys.argv[1:])

# SPDX-License-Identifier: Apache-2.0
"""The lab's jobs over files in DuckDB: files.py JOB INPUT OUTPUT THREADS TIMES."""
import json
import sys
import time

import duckdb

ORDERS = {
    "id": "BIGINT", "time": "TIMESTAMP", "shop": "VARCHAR", "product": "VARCHAR",
    "quantity": "BIGINT", "price": "DOUBLE", "note": "VARCHAR",
}
TYPES = {
    "long": "BIGINT", "Long": "BIGINT", "int": "INTEGER", "Integer": "INTEGER", "boolean": "BOOLEAN",
    "double": "DOUBLE", "Double": "DOUBLE", "BigDecimal": "DECIMAL(18, 4)", "String": "VARCHAR",
}


def text(value):
    return "'" + str(value).replace("'", "''") + "'"


def columns(types):
    return "{" + ", ".join(f"{text(name)}: {text(type)}" for name, type in types.items()) + "}"


def orders(file):
    return f"read_csv({text(file)}, header = true, columns = {columns(ORDERS)})"


def lines(file, types):
    return f"read_json({text(file)}, format = 'newline_delimited', columns = {columns(types)})"


def totals(schema):
    """All fields, added up by what they are; a null counts as nothing."""
    sums = {"chars": [], "wholes": [], "reals": [], "truths": []}
    for name, inner in schema.items():
        for path, type in [(f"{name}.{field}", t) for field, t in inner.items()] if isinstance(inner, dict) else [(name, inner)]:
            quoted = ".".join(f'"{part}"' for part in path.split("."))
            if type == "String":
                sums["chars"].append(f"coalesce(length({quoted}), 0)")
            elif type in ("double", "Double", "BigDecimal"):
                sums["reals"].append(f"coalesce({quoted}::DOUBLE, 0)")
            elif type == "boolean":
                sums["truths"].append(f"coalesce({quoted}::BIGINT, 0)")
            else:
                sums["wholes"].append(f"coalesce({quoted}::BIGINT, 0)")
    return ", ".join(["count(*) AS n"] + [f"sum({' + '.join(terms)}) AS {name}" for name, terms in sums.items()])


def query(job, file):
    if job == "csv-read":
        return f"""SELECT count(*) AS n, sum(length(shop) + length(product)) AS chars, sum(quantity) AS quantity, max(price) AS price
            FROM {orders(file)}"""
    if job == "csv-group":
        return f"""SELECT shop, product, count(*) AS n, max(price) AS price, sum(quantity) AS quantity
            FROM {orders(file)} GROUP BY shop, product"""
    if job == "csv-filter":
        return f"SELECT * FROM {orders(file)} WHERE quantity > 500"
    if job == "json-read":
        with open(file + ".schema.json", encoding="utf-8") as schema_file:
            schema = json.load(schema_file)
        struct = {
            name: "STRUCT(" + ", ".join(f'"{field}" {TYPES[type]}' for field, type in inner.items()) + ")"
            if isinstance(inner, dict) else TYPES[inner]
            for name, inner in schema.items()
        }
        return f"SELECT {totals(schema)} FROM {lines(file, struct)}"
    if job == "json-group":
        struct = {"cell": "STRUCT(city VARCHAR)", "service": "STRUCT(app VARCHAR)", "measures": "STRUCT(bytesDown BIGINT)"}
        return f"""SELECT cell.city AS city, service.app AS app, count(*) AS n, sum(measures.bytesDown) AS bytesDown
            FROM {lines(file, struct)} GROUP BY ALL"""
    if job == "quakes":
        struct = {"properties": "STRUCT(net VARCHAR, magType VARCHAR, mag DOUBLE, sig BIGINT)"}
        return f"""SELECT properties.net AS net, properties.magType AS magType, count(*) AS n, max(properties.mag) AS mag,
            sum(properties.sig) AS sig FROM {lines(file, struct)} GROUP BY ALL"""
    sys.exit(f"no job {job}")


def main(job, file, output, threads, times):
    began = time.monotonic_ns()
    connection = duckdb.connect(config={"threads": int(threads), "preserve_insertion_order": False})
    connection.execute(f"COPY ({query(job, file)}) TO {text(output)} (FORMAT csv, HEADER)")
    connection.close()
    with open(times, "w", encoding="utf-8") as out:
        json.dump({"elapsedNs": time.monotonic_ns() - began, "version": duckdb.__version__}, out)


main(*sys.argv[1:])

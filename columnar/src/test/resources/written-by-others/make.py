# SPDX-License-Identifier: Apache-2.0
"""Makes the files beside it: pip install pyarrow==26.0.1 fastavro==1.13.1 cramjam==2.14.0 backports.zstd; python make.py

They are what other programs write, and are kept so that the tests need no Python. The tests compute what the files hold by
the same rules as the functions here.
"""
import datetime as dt
import decimal
import itertools
import fastavro
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 100
UTC = dt.timezone.utc
BEGIN = dt.datetime(2024, 2, 29, 12, 0, tzinfo=UTC)


def flat():
    return pa.table({
        "id": pa.array(range(ROWS), pa.int64()),
        "name": pa.array([f"näme {i % 7}" for i in range(ROWS)], pa.string()),
        "value": pa.array([None if i % 3 == 0 else i * 0.5 for i in range(ROWS)], pa.float64()),
        "small": pa.array([i - 50 for i in range(ROWS)], pa.int32()),
        "flag": pa.array([i % 2 == 0 for i in range(ROWS)], pa.bool_()),
    })


def write(name, table, **options):
    pq.write_table(table, name + ".parquet", **options)


for codec, version in itertools.product(["none", "snappy", "gzip", "zstd"], ["1.0", "2.0"]):
    write(f"flat-{codec}-v{version[0]}", flat(), compression=codec, data_page_version=version, data_page_size=512)
write("flat-lz4", flat(), compression="lz4")
write("flat-brotli", flat(), compression="brotli")
for version in ["1.0", "2.0"]:
    write(f"flat-delta-v{version[0]}", flat(), use_dictionary=False, data_page_version=version, column_encoding={
        "id": "DELTA_BINARY_PACKED", "small": "DELTA_BINARY_PACKED", "name": "DELTA_BYTE_ARRAY",
        "value": "BYTE_STREAM_SPLIT"})
write("flat-delta-length", flat(), use_dictionary=False, column_encoding={"name": "DELTA_LENGTH_BYTE_ARRAY"})
write("flat-plain", flat(), use_dictionary=False)
write("flat-groups", flat(), row_group_size=9, write_page_checksum=True, data_page_size=64)
write("flat-checksum", flat(), write_page_checksum=True, compression="none", use_dictionary=False)
write("flat-empty", flat().slice(0, 0))

times = [BEGIN + dt.timedelta(days=i, microseconds=i * 1001) for i in range(ROWS)]
naive = [t.replace(tzinfo=None) for t in times]
write("types", pa.table({
    "i8": pa.array([i - 50 for i in range(ROWS)], pa.int8()),
    "i16": pa.array([i * 300 - 15000 for i in range(ROWS)], pa.int16()),
    "u8": pa.array([i + 150 for i in range(ROWS)], pa.uint8()),
    "u32": pa.array([2**32 - 1 - i for i in range(ROWS)], pa.uint32()),
    "u64": pa.array([2**64 - 1 - i for i in range(ROWS)], pa.uint64()),
    "f32": pa.array([i * 0.25 for i in range(ROWS)], pa.float32()),
    "money": pa.array([decimal.Decimal(i * 101 - 5000).scaleb(-2) for i in range(ROWS)], pa.decimal128(9, 2)),
    "wide": pa.array([decimal.Decimal(i - 50) * 10**20 for i in range(ROWS)], pa.decimal128(38, 0)),
    "raw": pa.array([bytes([i, 255 - i]) for i in range(ROWS)], pa.binary()),
    "fixed": pa.array([bytes([i, i, i]) for i in range(ROWS)], pa.binary(3)),
    "day": pa.array([t.date() for t in times], pa.date32()),
    "clockMs": pa.array([dt.time(i % 24, 1, 2, 3000) for i in range(ROWS)], pa.time32("ms")),
    "clockUs": pa.array([dt.time(i % 24, 1, 2, 3) for i in range(ROWS)], pa.time64("us")),
    "atMs": pa.array([int(t.timestamp() * 1000) for t in times], pa.timestamp("ms", "UTC")),
    "atUs": pa.array(times, pa.timestamp("us", "UTC")),
    "atNs": pa.array([i * 1_000_000_007 for i in range(ROWS)], pa.timestamp("ns", "UTC")),
    "local": pa.array(naive, pa.timestamp("us")),
    "color": pa.array([["RED", "GREEN"][i % 2] for i in range(ROWS)]).dictionary_encode(),
    "iso": pa.array([t.date().isoformat() for t in times]),
}), version="2.6", compression="snappy")
write("int96", pa.table({"at": pa.array(naive, pa.timestamp("ns"))}), use_deprecated_int96_timestamps=True)


def nested(i):
    return {
        "id": i,
        "tags": None if i % 5 == 4 else [f"t{j}" for j in range(i % 4)],
        "holes": [None if j % 2 else j for j in range(i % 3)],
        "grid": [list(range(k)) for k in range(i % 4)],
        "price": None if i % 7 == 6 else {"amount": i * 1.5, "currency": "EUR", "note": "not asked for"},
        "lines": [{"article": f"a{j}", "count": j} for j in range(i % 3)],
        "scores": {f"k{j}": None if j == 1 else j * 10 for j in range(i % 3)},
    }


write("nested", pa.Table.from_pylist([nested(i) for i in range(ROWS)], pa.schema([
    ("id", pa.int64()),
    ("tags", pa.list_(pa.string())),
    ("holes", pa.list_(pa.int32())),
    ("grid", pa.list_(pa.list_(pa.int32()))),
    ("price", pa.struct([("amount", pa.float64()), ("currency", pa.string()), ("note", pa.string())])),
    ("lines", pa.list_(pa.struct([("article", pa.string()), ("count", pa.int32())]))),
    ("scores", pa.map_(pa.string(), pa.int64())),
])), compression="zstd", row_group_size=40)

AVRO_FLAT = {"type": "record", "name": "Flat", "namespace": "org.example", "fields": [
    {"name": "id", "type": "long"},
    {"name": "name", "type": "string"},
    {"name": "value", "type": ["null", "double"]},
    {"name": "small", "type": "int"},
    {"name": "flag", "type": "boolean"},
]}
for codec in ["null", "deflate", "snappy", "zstandard", "bzip2"]:
    with open(f"flat-{codec}.avro", "wb") as out:
        fastavro.writer(out, AVRO_FLAT, flat().to_pylist(), codec=codec, sync_interval=300, sync_marker=b"0123456789abcdef")

AVRO_NESTED = {"type": "record", "name": "Nested", "fields": [
    {"name": "id", "type": "long"},
    {"name": "tags", "type": ["null", {"type": "array", "items": "string"}]},
    {"name": "holes", "type": {"type": "array", "items": ["null", "int"]}},
    {"name": "grid", "type": {"type": "array", "items": {"type": "array", "items": "int"}}},
    {"name": "price", "type": ["null", {"type": "record", "name": "Price", "fields": [
        {"name": "amount", "type": "double"}, {"name": "currency", "type": "string"},
        {"name": "note", "type": "string"}]}]},
    {"name": "lines", "type": {"type": "array", "items": {"type": "record", "name": "Line", "fields": [
        {"name": "article", "type": "string"}, {"name": "count", "type": "int"}]}}},
    {"name": "scores", "type": {"type": "map", "values": ["null", "long"]}},
]}
with open("nested.avro", "wb") as out:
    fastavro.writer(out, AVRO_NESTED, [nested(i) for i in range(ROWS)], codec="deflate", sync_marker=b"0123456789abcdef")

AVRO_TYPES = {"type": "record", "name": "Types", "fields": [
    {"name": "f32", "type": "float"},
    {"name": "money", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
    {"name": "raw", "type": "bytes"},
    {"name": "fixed", "type": {"type": "fixed", "name": "Three", "size": 3}},
    {"name": "day", "type": {"type": "int", "logicalType": "date"}},
    {"name": "clockMs", "type": {"type": "int", "logicalType": "time-millis"}},
    {"name": "clockUs", "type": {"type": "long", "logicalType": "time-micros"}},
    {"name": "atMs", "type": {"type": "long", "logicalType": "timestamp-millis"}},
    {"name": "atUs", "type": {"type": "long", "logicalType": "timestamp-micros"}},
    {"name": "local", "type": {"type": "long", "logicalType": "local-timestamp-micros"}},
    {"name": "color", "type": {"type": "enum", "name": "Color", "symbols": ["GREEN", "RED"]}},
    {"name": "iso", "type": "string"},
]}
with open("types.avro", "wb") as out:
    fastavro.writer(out, AVRO_TYPES, [{
        "f32": i * 0.25, "money": decimal.Decimal(i * 101 - 5000).scaleb(-2), "raw": bytes([i, 255 - i]),
        "fixed": bytes([i, i, i]), "day": times[i].date(), "clockMs": dt.time(i % 24, 1, 2, 3000),
        "clockUs": dt.time(i % 24, 1, 2, 3), "atMs": times[i], "atUs": times[i], "local": naive[i],
        "color": ["RED", "GREEN"][i % 2], "iso": times[i].date().isoformat()} for i in range(ROWS)],
        codec="null", sync_marker=b"0123456789abcdef")

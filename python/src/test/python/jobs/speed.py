# SPDX-License-Identifier: Apache-2.0
"""What PythonSpeed measures. Run alone, it says how fast an interpreter unpacks rows, calls the function and packs the results."""

import sys
import time

from thalweg import operator


def score(quake):
    return {"id": quake["id"], "score": quake["mag"] - quake["depth"] / 100}


@operator(batch=True)
def score_all(quakes):
    return [{"id": quake["id"], "score": quake["mag"] - quake["depth"] / 100} for quake in quakes]


@operator(batch="arrow")
def length(batch):
    import pyarrow.compute as pc

    return pc.binary_length(batch["text"])


@operator(batch="arrow")
def same(batch):
    return batch


@operator(state=True)
def scored_by_key(key, state, row):
    count, total = state or (0, 0.0)
    return (count + 1, total + row["mag"]), {"id": row["id"], "score": total / (count + 1)}


@operator(state=True, batch=True)
def scored_by_key_all(key, state, rows):
    count, total = state or (0, 0.0)
    results = []
    for row in rows:
        count, total = count + 1, total + row["mag"]
        results.append({"id": row["id"], "score": total / count})
    return (count, total), results


@operator(batch=True)
def length_all(rows):
    return [len(row["text"]) for row in rows]


def limit(pack, unpack):
    rows = [{"id": i, "place": "81km WNW of Skagway, Alaska", "mag": 4.5, "depth": 10.0} for i in range(512)]
    batch = pack(rows)
    rates = []
    for _ in range(7):
        begin = time.perf_counter()
        for _ in range(100):
            pack([score(row) for row in unpack(batch)])
        rates.append(51_200 / (time.perf_counter() - begin))
    return sorted(rates)[3]


if __name__ == "__main__":
    from thalweg import _msgpack

    print("built in: %.0f rows/s" % limit(_msgpack.packb, _msgpack.unpackb))
    try:
        import msgpack

        print("msgpack: %.0f rows/s" % limit(msgpack.packb, msgpack.unpackb))
    except ImportError:
        sys.exit("msgpack is not installed")

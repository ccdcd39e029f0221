# SPDX-License-Identifier: Apache-2.0
"""Functions of record batches."""

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from thalweg import BadRecord, operator


@operator(batch="arrow")
def same(batch):
    return batch


@operator(batch="arrow")
def by_pandas(batch):
    frame = batch.to_pandas()
    frame["doubled"] = frame["number"] * 2
    return frame


@operator(batch="arrow")
def by_numpy(batch):
    return {"id": batch["id"].to_numpy(), "doubled": 2 * batch["number"].to_numpy(), "other": numpy.zeros(len(batch))}


@operator(batch="arrow")
def by_compute(batch):
    return pa.table({"doubled": pc.multiply(batch["number"], 2.0), "id": batch["id"]})


@operator(batch="arrow")
def doubled(batch):
    return pc.multiply(batch["number"], 2)


@operator(batch="arrow")
def as_lists(batch):
    return [BadRecord("seven") if row["id"] == 7 else row["id"] for row in batch.to_pylist()]


@operator(batch="arrow")
def even(batch):
    return pc.equal(pc.bit_wise_and(batch["id"], 1), 0)


@operator(batch="arrow")
def even_by_pandas(batch):
    return batch.to_pandas()["id"] % 2 == 0


@operator(batch="arrow")
def repeated(batch):
    return pa.array([[id] * (id % 4) for id in batch["id"].to_pylist()])


@operator(batch="arrow")
def tagged(batch):
    return {"id": batch["id"], "tags": pa.array([["a", str(id)] for id in batch["id"].to_pylist()])}


@operator(batch="arrow")
def dictionary(batch):
    return pa.array([str(id % 3) for id in batch["id"].to_pylist()]).dictionary_encode()


@operator(batch="arrow")
def length(batch):
    return pc.binary_length(batch["value"])


@operator(batch="arrow")
def nothing(batch):
    return None


@operator(batch="arrow")
def fewer(batch):
    return batch.slice(1)


@operator(batch="arrow")
def without(batch):
    return batch.select(["number"])


@operator(batch="arrow")
def text(batch):
    return {"id": pc.cast(batch["id"], pa.string()), "doubled": batch["number"]}


@operator(batch="arrow")
def counted(batch):
    return {"id": batch["id"], "count": pa.nulls(len(batch), pa.int32())}


@operator(batch="arrow")
def too_large(batch):
    return pc.multiply(batch["id"], 1 << 40)


@operator(batch="arrow")
def raises(batch):
    raise ValueError("no luck")


@operator(batch="arrow")
def naive(batch):
    return pa.array([0] * len(batch), pa.timestamp("us"))


@operator(batch="arrow")
def halves(batch):
    return {"id": batch["id"], "text": ["a\ud800" if id % 3 == 1 else "a" for id in batch["id"].to_pylist()]}


@operator(batch="arrow")
def latin(batch):
    texts = pa.array([b"h\xe9" if id % 3 == 1 else b"\xef\xbf\xbd" for id in batch["id"].to_pylist()])
    return {"id": batch["id"], "text": texts.view(pa.string())}

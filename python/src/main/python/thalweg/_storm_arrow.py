# SPDX-License-Identifier: Apache-2.0
"""Record batches of Apache Arrow for spouts and bolts of Storm. Imported only for an ``ArrowSpout`` or ``ArrowBolt``, since it needs
the package pyarrow."""

from __future__ import annotations

import functools
from typing import Any, Callable, Iterator, Optional, Sequence, Union

import pyarrow as pa
import pyarrow.ipc

from thalweg import _arrow, _rows

#: What a batch is sent in several parts above, in bytes.
_LARGE = 64 << 20


class Misfit(Exception):
    """A tuple that cannot be in columns. Its text says all."""


@functools.lru_cache(maxsize=64)
def schema(data: bytes) -> pa.Schema:
    return pa.ipc.read_schema(pa.py_buffer(data))


def received(data: memoryview, its: pa.Schema) -> tuple[pa.RecordBatch, pa.Array]:
    """A batch of Java's, in the memory of its message, and the ids of its rows, which are its last column."""
    whole = pa.ipc.read_record_batch(pa.py_buffer(data), its)
    fields = whole.num_columns - 1
    return whole.select(range(fields)), whole.column(fields)


def of_tuples(
    component: str, names: Sequence[str], tuples: Sequence[Any], refuse: Callable[[Any, str], None]
) -> Iterator[tuple[pa.RecordBatch, pa.Array]]:
    """The same of tuples that came one by one: one batch, or one for each tuple if the types of their values differ. One with a text
    that cannot be in a column is left out, and refused with a line that says why."""
    for each in tuples:
        if len(each.values) != len(names):
            raise Misfit(
                "a tuple of '%s' has %d values, and its stream has %d fields, which are columns: %r"
                % (component, len(each.values), len(names), each.values)
            )
    try:
        yield _columns(component, names, tuples), _ids(tuples)
    except _MIXED:
        for each in tuples:
            try:
                yield _columns(component, names, [each]), _ids([each])
            except UnicodeError:
                field = next(name for name, value in zip(names, each.values) if _arrow.has_half(value))
                refuse(
                    each,
                    "a tuple of '%s', stream '%s', cannot be in columns of Arrow, and fails: field '%s': %s: %r"
                    % (component, each.stream, field, _rows.HALF, each.values),
                )
            except _MIXED as e:
                raise Misfit("a tuple of '%s' cannot be in columns of Arrow: %s: %r" % (component, e, each.values)) from None


_MIXED = (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeError)


def _ids(tuples: Sequence[Any]) -> pa.Array:
    return pa.array([each.id for each in tuples])


def _columns(component: str, names: Sequence[str], tuples: Sequence[Any]) -> pa.RecordBatch:
    arrays = [_column([each.values[at] for each in tuples]) for at in range(len(names))]
    if not arrays:  # the rows of a stream without fields
        return pa.RecordBatch.from_arrays([pa.nulls(len(tuples))], names=[""]).select([])
    for name, array in zip(names, arrays):
        if pa.types.is_nested(array.type):
            raise Misfit(
                "field '%s' of '%s': a list or a map cannot be in a column of Arrow, as an ArrowBolt gets it; take tuples,"
                " with a Bolt, or emit booleans, whole numbers, doubles, text or bytes" % (name, component)
            )
    return pa.RecordBatch.from_arrays(arrays, names=list(names))


def _column(values: list[Any]) -> pa.Array:
    array = pa.array(values)
    if pa.types.is_binary(array.type) and any(isinstance(each, str) for each in values):
        raise pa.ArrowTypeError("text and bytes in one field")  # Arrow would make bytes of both
    return array


def emitted(columns: Any, names: Optional[Sequence[str]]) -> pa.RecordBatch:
    """What a component emits, with the fields of its stream as columns, in their order; all columns if these are not known."""
    try:
        batch = _arrow._batch(columns, None)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError) as e:
        raise ValueError(
            "this %s cannot be columns: %s; emit a record batch, a table, a DataFrame or a dict of arrays of one length"
            % (type(columns).__name__, e)
        ) from None
    if names is None:
        return batch
    if len(names) == 1 and batch.schema.names == [_arrow.SINGLE]:
        return pa.RecordBatch.from_arrays(batch.columns, names=list(names))
    for name in names:
        found = batch.schema.names.count(name)
        if found != 1:
            raise ValueError(
                "%s column '%s', which is a field of the stream; there are %s"
                % ("no" if found == 0 else "more than one", name, ", ".join(batch.schema.names) or "none")
            )
    return batch.select(list(names))


def sent(batch: pa.RecordBatch) -> Optional[pa.RecordBatch]:
    """The same in the types that Java reads; None if one of its columns has none of these."""
    arrays = [_cast(column) for column in batch.columns]
    if any(each is None for each in arrays):
        return None
    return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)


def _cast(column: pa.Array) -> Optional[pa.Array]:
    types = pa.types
    try:
        if types.is_dictionary(column.type):
            column = column.dictionary_decode()
        its = column.type
        if types.is_null(its) or types.is_boolean(its):
            return column
        for known, wanted in (
            (types.is_integer(its), pa.int64()),
            (types.is_floating(its), pa.float64()),
            (types.is_string(its) or types.is_large_string(its) or types.is_string_view(its), pa.string()),
            (
                types.is_binary(its)
                or types.is_large_binary(its)
                or types.is_fixed_size_binary(its)
                or types.is_binary_view(its),
                pa.binary(),
            ),
        ):
            if known:
                return column if its.equals(wanted) else column.cast(wanted)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        pass  # whole numbers above 63 bits, for instance
    return None


def anchors(ids: Optional[pa.Array], at: Any, rows: int) -> Union[pa.Array, list[list[Any]]]:
    """The id of the row that each emitted one is anchored to, null for none; or lists, if ``at`` has lists."""
    if ids is None:
        if at is not None and len(at) > 0:
            raise ValueError("anchors are places of rows; say of which with rows=…")
        return pa.nulls(rows, pa.int64())
    if at is None:
        if len(ids) != rows:
            raise ValueError(
                "%d rows are emitted of %d; say with anchors=… which row each comes from" % (rows, len(ids))
            )
        return ids
    places = _places(at, "anchors are places of rows, which are")
    if len(places) == 0:
        return pa.nulls(rows, ids.type)
    if len(places) != rows:
        raise ValueError("anchors has %d elements for %d rows" % (len(places), rows))
    if pa.types.is_list(places.type):
        known = dict(enumerate(ids.to_pylist()))  # no place counts from the end
        try:
            return [[known[place] for place in row or ()] for row in places.to_pylist()]
        except KeyError as e:
            raise IndexError("anchors has the place %s, and there are %d rows" % (e, len(ids))) from None
    return ids.take(places.cast(pa.int64()))


def _places(given: Any, what: str) -> pa.Array:
    """Places of rows, or lists of them."""
    places = _arrow._array(given, None, "")
    its = places.type.value_type if pa.types.is_list(places.type) else places.type
    if not (pa.types.is_integer(its) or pa.types.is_null(its)):
        raise ValueError("%s whole numbers, and not %s" % (what, its))  # a mask would be the places 0 and 1
    return places


def places(given: Any) -> list[int]:
    """Those of rows that are anchored to, or answered for, together."""
    its = _places(given, "places of rows are")
    if its.null_count > 0 or pa.types.is_list(its.type):
        raise ValueError("places of rows are whole numbers, and one is not")
    return its.to_pylist()


def chosen(ids: pa.Array, places: Sequence[int]) -> pa.Array:
    return ids.take(pa.array(places, pa.int64()))


def parts(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """It, or parts of it that are not too large for a message."""
    if batch.nbytes <= _LARGE or batch.num_rows < 2:
        yield batch
    else:
        half = batch.num_rows // 2
        yield from parts(batch.slice(0, half))
        yield from parts(batch.slice(half))


def with_last(batch: pa.RecordBatch, its: pa.Array) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([*batch.columns, its], names=[*batch.schema.names, ""])


def ids(given: Any, rows: int) -> pa.Array:
    """Those of a spout's rows: int64, text, or null if there are none."""
    if given is None:
        return pa.nulls(rows)
    try:
        its = _cast(_arrow._array(given, None, "ids"))
    except (ValueError, OverflowError, TypeError) as e:
        raise ValueError("ids are whole numbers of 64 bits, or text: %s" % e) from None
    if its is None or not (pa.types.is_null(its.type) or pa.types.is_int64(its.type) or pa.types.is_string(its.type)):
        raise ValueError("ids are whole numbers of 64 bits, or text, and not %s" % _arrow._array(given, None, "").type)
    if len(its) != rows:
        raise ValueError("ids has %d elements for %d rows" % (len(its), rows))
    return its


def settled(told: Union[bytes, list[Any]]) -> list[pa.Array]:
    """Ids that have come back: the bytes of whole numbers, or a list, of which all that have one type are an array."""
    if isinstance(told, bytes):
        return [pa.Array.from_buffers(pa.int64(), len(told) // 8, [None, pa.py_buffer(told)])]
    numbers = [each for each in told if not isinstance(each, str)]
    texts = [each for each in told if isinstance(each, str)]
    return [pa.array(each) for each in (numbers, texts) if each]


def kept(batch: pa.RecordBatch) -> pa.RecordBatch:
    """It, or a copy if its memory can be changed: an array of Arrow may have that of an array of numpy."""
    if not any(each is not None and each.is_mutable for column in batch.columns for each in column.buffers()):
        return batch
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as out:
        out.write_batch(batch)
    return pa.ipc.open_stream(sink.getvalue()).read_next_batch()


def kept_array(array: pa.Array) -> pa.Array:
    return kept(pa.RecordBatch.from_arrays([array], names=[""])).column(0)


def as_bytes(ids: pa.Array) -> bytes:
    """Whole numbers of eight bytes, the lowest first."""
    return memoryview(ids.buffers()[1])[ids.offset * 8 : (ids.offset + len(ids)) * 8].tobytes()

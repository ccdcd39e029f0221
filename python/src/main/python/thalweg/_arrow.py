# SPDX-License-Identifier: Apache-2.0
"""Record batches of Apache Arrow: what a function that is marked with ``batch="arrow"`` gets and returns. Imported only for such
functions, since it needs the package pyarrow."""

from __future__ import annotations

from typing import Any, Optional

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc

from thalweg import BadRecord, _rows

#: The column of rows and results that are no records.
SINGLE = "value"


class Misfit(Exception):
    """A result that is not what Java asks for. Its text goes on from the name of the function."""


class Schemas:
    """What rows look like, and what results are to look like."""

    def __init__(self, rows: bytes, results: Optional[bytes]) -> None:
        self._rows = pa.ipc.read_schema(pa.py_buffer(rows))
        self._results = None if results is None else pa.ipc.read_schema(pa.py_buffer(results))

    def read(self, data: memoryview) -> pa.RecordBatch:
        """The batch of a message, in the memory of the message."""
        return pa.ipc.read_record_batch(pa.py_buffer(data), self._rows)

    def results(self, returned: Any, rows: int) -> Any:
        """A record batch as Java asks for it, or a list with a result for each row where Java asks for something else, or where a
        text cannot be in a column: that row is bad."""
        halves: dict[int, str] = {}
        batch = _batch(returned, self._results, halves)
        if batch.num_rows != rows:
            raise Misfit("%d results for %d rows" % (batch.num_rows, rows))
        if self._results is not None and not batch.schema.equals(self._results):
            batch = pa.RecordBatch.from_arrays([_column(batch, field) for field in self._results], schema=self._results)
        if self._results is not None and not halves:
            return batch
        made = batch.column(0).to_pylist() if batch.schema.names == [SINGLE] else batch.to_pylist()
        for at, name in halves.items():
            made[at] = BadRecord("the result cannot be sent to Java: column '%s': %s" % (name, _rows.HALF))
        return made


def known(returned: Any) -> bool:
    """Whether something that a function returned is in columns, and not a list of results."""
    return isinstance(
        returned, (pa.RecordBatch, pa.Table, pa.Array, pa.ChunkedArray, dict)
    ) or type(returned).__module__.partition(".")[0] in ("pandas", "numpy")


def _batch(returned: Any, wanted: Optional[pa.Schema], halves: Optional[dict[int, str]] = None) -> pa.RecordBatch:
    """Whatever is in columns as a record batch, with the types that it has. See ``_array`` for ``halves``."""
    if isinstance(returned, pa.RecordBatch):
        return returned
    if isinstance(returned, pa.Table):
        return _of_table(returned)
    if isinstance(returned, dict):
        return _of_table(pa.table({str(name): _array(each, wanted, str(name), halves) for name, each in returned.items()}))
    if hasattr(returned, "columns") and hasattr(returned, "iloc"):  # a DataFrame
        names = [str(name) for name in returned.columns]
        arrays = [_array(returned.iloc[:, at], wanted, name, halves) for at, name in enumerate(names)]
        return pa.RecordBatch.from_arrays(arrays, names=names)
    array = _array(returned, wanted, SINGLE, halves)
    if pa.types.is_struct(array.type):
        return pa.RecordBatch.from_struct_array(array)
    return pa.RecordBatch.from_arrays([array], names=[SINGLE])


def _of_table(table: pa.Table) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([_whole(column) for column in table.columns], names=table.schema.names)


def _whole(column: pa.ChunkedArray) -> pa.Array:
    if column.num_chunks == 1:
        return column.chunk(0)
    joined = column.combine_chunks()
    if isinstance(joined, pa.ChunkedArray):
        raise Misfit("more text than one batch can hold")
    return joined


def _array(values: Any, wanted: Optional[pa.Schema], name: str, halves: Optional[dict[int, str]] = None) -> pa.Array:
    """One column. NaN of pandas stands for nothing, unless the column must have a value. Where a text has half a surrogate pair,
    there is nothing either, and ``halves`` gets the place and the name of the column; without it, that is a ``ValueError``."""
    if isinstance(values, pa.ChunkedArray):
        return _whole(values)
    if isinstance(values, pa.Array):
        return values
    of_pandas = type(values).__module__.partition(".")[0] == "pandas"
    at = -1 if wanted is None else wanted.get_field_index(name)
    from_pandas = of_pandas and not (at >= 0 and not wanted.field(at).nullable)
    try:
        array = pa.array(values, from_pandas=from_pandas)
    except UnicodeError:
        if halves is None:
            raise ValueError("column '%s': %s" % (name, _rows.HALF)) from None
        values = list(values)
        for place in [place for place, each in enumerate(values) if has_half(each)]:
            halves.setdefault(place, name)
            values[place] = None
        array = pa.array(values, from_pandas=from_pandas)
    return _whole(array) if isinstance(array, pa.ChunkedArray) else array


def has_half(value: Any) -> bool:
    """Whether a text in it has half a surrogate pair."""
    try:
        pa.array([value])
    except UnicodeError:
        return True
    except (pa.ArrowException, ValueError, TypeError, OverflowError):
        pass  # told by who makes an array of all
    return False


def _column(batch: pa.RecordBatch, field: pa.Field) -> pa.Array:
    at = batch.schema.get_all_field_indices(field.name)
    if len(at) != 1:
        if not at and field.nullable and len(batch.schema.names) > 0:
            return pa.nulls(batch.num_rows, field.type)
        raise Misfit(
            "%s column '%s'; it has %s" % ("no" if not at else "more than one", field.name, ", ".join(batch.schema.names))
        )
    column = batch.column(at[0])
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.type.equals(field.type):
        return column
    if not _fits(column.type, field.type):
        raise Misfit("column '%s' of type %s, where %s is expected" % (field.name, column.type, field.type))
    try:
        cast = column.cast(field.type)
    except pa.ArrowInvalid as e:
        raise Misfit("column '%s' of type %s, where %s is expected: %s" % (field.name, column.type, field.type, e)) from None
    narrower = pa.types.is_float64(column.type) and pa.types.is_float32(field.type)
    if narrower and pc.any(pc.not_equal(pc.is_inf(cast), pc.is_inf(column))).as_py():
        raise Misfit("column '%s' of type %s with values out of the range of %s" % (field.name, column.type, field.type))
    return cast


def _fits(has: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether values may be cast: never from and to text, and never to what they do not mean."""
    types = pa.types
    if types.is_null(has):
        return True
    if types.is_integer(wanted):
        return types.is_integer(has)
    if types.is_floating(wanted):
        return types.is_integer(has) or types.is_floating(has)
    if types.is_string(wanted):
        return types.is_large_string(has) or types.is_string_view(has)
    if types.is_binary(wanted):
        return types.is_large_binary(has) or types.is_fixed_size_binary(has) or types.is_binary_view(has)
    if types.is_timestamp(wanted):
        return types.is_timestamp(has) and has.tz is not None
    return types.is_date(wanted) and types.is_date(has)

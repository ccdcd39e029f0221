# SPDX-License-Identifier: Apache-2.0
"""Operators in Python for Thalweg, a stream processor.

A plain function is an operator already: it is called with a row and returns what becomes of it. ``@operator(batch=True)``
makes it one that is called with a list of rows, and ``@operator(batch="arrow")`` with a ``pyarrow.RecordBatch``. What a row looks like follows from the annotation of the parameter: a
dataclass if that is what it names, and otherwise a dict for a Java record.
"""

from __future__ import annotations

from typing import Any, Callable, Literal, TypeVar, Union, overload

__all__ = ["BadRecord", "operator"]

_F = TypeVar("_F", bound=Callable[..., Any])


class BadRecord(Exception):
    """Says that a row is bad: it is counted and kept, and the job continues.

    A function of rows raises it. A function of batches puts one into its results, in the place of the row.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = str(reason)


@overload
def operator(function: _F) -> _F: ...


@overload
def operator(*, batch: Union[bool, Literal["arrow"]] = ...) -> Callable[[_F], _F]: ...


def operator(function: Any = None, *, batch: Union[bool, Literal["arrow"]] = False) -> Any:
    """Marks a function, or a class whose objects can be called, as an operator.

    Without ``batch`` it is called with one row. With it, it is called with a list of rows, never an empty one, and returns
    as many results, in their order. With ``batch="arrow"`` it is called with a ``pyarrow.RecordBatch``, with a column for each
    component of the record, or one named ``value``; it returns a record batch, a table, an array, what pandas and numpy have
    for these, a dict of arrays, or a list. Of a class, each process makes one object, without arguments, before the first row;
    its method ``close``, if it has one, is called at the end.
    """

    if batch not in (False, True, "arrow"):
        raise ValueError("batch must be True, False or 'arrow', not %r" % (batch,))

    def mark(marked: Any) -> Any:
        marked.__thalweg_batch__ = batch
        return marked

    return mark if function is None else mark(function)

# SPDX-License-Identifier: Apache-2.0
"""Operators in Python for Thalweg, a stream processor.

A plain function is an operator already: it is called with a row and returns what becomes of it. ``@operator(batch=True)``
makes it one that is called with a list of rows, and ``@operator(batch="arrow")`` with a ``pyarrow.RecordBatch``. With
``@operator(state=True)`` it keeps a state for each key. What a row looks like follows from the annotation of the parameter: a
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


@overload
def operator(*, state: bool, batch: bool = ...) -> Callable[[_F], _F]: ...


def operator(function: Any = None, *, batch: Union[bool, Literal["arrow"]] = False, state: bool = False) -> Any:
    """Marks a function, or a class whose objects can be called, as an operator.

    Without ``batch`` it is called with one row. With it, it is called with a list of rows, never an empty one, and returns
    as many results, in their order. With ``batch="arrow"`` it is called with a ``pyarrow.RecordBatch``, with a column for each
    component of the record, or one named ``value``; it returns a record batch, a table, an array, what pandas and numpy have
    for these, a dict of arrays, or a list. Of a class, each process makes one object, without arguments, before the first row;
    its method ``close``, if it has one, is called at the end.

    With ``state`` it is for a stream with keys, and is called with a key, the state of that key, and a row, or with ``batch`` a
    list of rows of that key. It returns the new state and what it would return without, as a tuple. The first state of a key is
    None; to return None forgets the key. A state is None, a bool, number, text, bytes, or lists, dicts and dataclasses of these,
    and each call gets it as it comes back from being saved: a tuple as a list, a dataclass as a dict unless the parameter is
    annotated with it.

        @operator(state=True)
        def numbered(key: str, state: Optional[int], row: Reading) -> tuple[int, dict]:
            number = (state or 0) + 1
            return number, {"sensor": key, "number": number}

    """

    if batch not in (False, True, "arrow"):
        raise ValueError("batch must be True, False or 'arrow', not %r" % (batch,))
    if state and batch == "arrow":
        raise ValueError("a function with state takes rows or, with batch=True, lists of them, and no record batches")

    def mark(marked: Any) -> Any:
        marked.__thalweg_batch__ = batch
        marked.__thalweg_state__ = bool(state)
        return marked

    return mark if function is None else mark(function)

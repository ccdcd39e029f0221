# SPDX-License-Identifier: Apache-2.0
"""Operators in Python for Thalweg, a stream processor.

A plain function is an operator already: it is called with a row and returns what becomes of it. ``@operator(batch=True)``
makes it one that is called with a list of rows, and ``@operator(batch="arrow")`` with a ``pyarrow.RecordBatch``. With
``@operator(state=True)`` it keeps a state for each key. What a row looks like follows from the annotation of the parameter: a
dataclass if that is what it names, and otherwise a dict for a Java record.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Callable, Literal, Optional, TypeVar, Union, overload

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
def operator(
    *,
    state: bool,
    batch: bool = ...,
    ttl: Optional[timedelta] = ...,
    ttl_time: Literal["event", "processing"] = ...,
) -> Callable[[_F], _F]: ...


def operator(
    function: Any = None,
    *,
    batch: Union[bool, Literal["arrow"]] = False,
    state: bool = False,
    ttl: Optional[timedelta] = None,
    ttl_time: Literal["event", "processing"] = "event",
) -> Any:
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

    With ``ttl`` a state expires this long after the row that it was returned for, by event time, or with
    ``ttl_time="processing"`` by the clock of the machine. A row that comes later finds None. With ``batch`` a state lives from the
    last row of its list, and no list has rows on both sides of its end.

    """

    if batch not in (False, True, "arrow"):
        raise ValueError("batch must be True, False or 'arrow', not %r" % (batch,))
    if state and batch == "arrow":
        raise ValueError("a function with state takes rows or, with batch=True, lists of them, and no record batches")
    lives = None if ttl is None else _lives(ttl, ttl_time, state)

    def mark(marked: Any) -> Any:
        marked.__thalweg_batch__ = batch
        marked.__thalweg_state__ = bool(state)
        marked.__thalweg_ttl__ = lives
        return marked

    return mark if function is None else mark(function)


def _lives(ttl: Any, ttl_time: str, state: bool) -> tuple[int, bool]:
    """In milliseconds, and whether by event time."""
    if not state:
        raise ValueError("ttl is how long a state lives; mark the function with state=True too")
    if not isinstance(ttl, timedelta):
        raise TypeError("ttl must be a datetime.timedelta, such as timedelta(hours=1), not %r" % (ttl,))
    ms, rest = divmod(ttl, timedelta(milliseconds=1))
    if ms < 1 or rest:
        raise ValueError("ttl must be at least a millisecond, in whole milliseconds, not %s s" % ttl.total_seconds())
    if ttl_time not in ("event", "processing"):
        raise ValueError("ttl_time must be 'event' or 'processing', not %r" % (ttl_time,))
    return ms, ttl_time == "event"

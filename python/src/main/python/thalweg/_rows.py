# SPDX-License-Identifier: Apache-2.0
"""What a row looks like to a function: dicts, or the dataclass that its parameter is annotated with; and back."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import inspect
import typing
import uuid
from typing import Any, Callable, Optional, Sequence

Convert = Callable[[Any], Any]

#: What is wrong with a text that UTF-8 has no bytes for.
HALF = "the text contains half a surrogate pair, which UTF-8 cannot encode"

_AS_TEXT = (datetime.date, datetime.datetime, datetime.time, decimal.Decimal, uuid.UUID)


def of_parameters(function: Any, batch: bool, names: Sequence[str]) -> list[Optional[Convert]]:
    """What makes an argument of each value that it is called with, the last of which is a row; None if a value is passed as it is."""
    called = function if inspect.isroutine(function) else type(function).__call__
    found = list(inspect.signature(function).parameters)
    if len(found) < len(names):
        raise TypeError(
            "it takes %s; it must take %s"
            % (("no argument", "1 argument", "2 arguments")[len(found)], ", ".join("a " + name for name in names))
        )
    hints = typing.get_type_hints(called)
    wanted = [hints.get(name) for name in found[: len(names)]]
    if batch and wanted[-1] is not None:
        inner = typing.get_args(wanted[-1])
        wanted[-1] = inner[0] if inner else None
    return [_converter(hint) for hint in wanted]


def _converter(hint: Any) -> Optional[Convert]:
    """None if values of this type need no conversion."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _dataclass(hint)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint.__getitem__
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (list, typing.get_origin(typing.Sequence[int])) and inner:
        each = _converter(inner[0])
        return None if each is None else lambda values: [each(value) for value in values]
    if origin in (dict, typing.get_origin(typing.Mapping[int, int])) and len(inner) == 2:
        each = _converter(inner[1])
        return None if each is None else lambda values: {key: each(value) for key, value in values.items()}
    present = [arm for arm in inner if arm is not type(None)]
    if len(present) == 1 and len(inner) == 2:  # Optional
        each = _converter(present[0])
        return None if each is None else lambda value: None if value is None else each(value)
    return None


def _dataclass(cls: type) -> Convert:
    hints = typing.get_type_hints(cls)
    fields = [field for field in dataclasses.fields(cls) if field.init]
    known = {field.name for field in fields}
    nested = [(name, convert) for name in known for convert in [_converter(hints.get(name))] if convert]

    def make(row: Any) -> Any:
        if type(row) is not dict:
            raise TypeError("%s cannot be made of %s" % (cls.__name__, type(row).__name__))
        if len(row) != len(known) or not known.issuperset(row):
            row = {name: value for name, value in row.items() if name in known}
        for name, convert in nested:
            value = row.get(name)
            if value is not None:
                row[name] = convert(value)
        return cls(**row)

    return make


def default(value: Any) -> Any:
    """Something that MessagePack knows, of an object that it does not."""
    names = _FIELDS.get(type(value))
    if names is None and dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = _FIELDS[type(value)] = [field.name for field in dataclasses.fields(value)]
    if names is not None:
        return {name: getattr(value, name) for name in names}
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, datetime.datetime):
        return None if value != value else value.isoformat().replace("+00:00", "Z")  # NaT of pandas is one
    if isinstance(value, _AS_TEXT):
        return str(value)
    if isinstance(value, (set, frozenset)):
        return list(value)
    if are_times(value):
        if getattr(value, "ndim", 0) > 0:
            return list(value)
        if value != value:  # NaT
            return None
        if value.dtype.kind == "M":
            return str(value)
        raise TypeError("%s cannot be sent to Java" % a(value))
    for plain in ("tolist", "item"):  # arrays and single values of numpy
        made = getattr(value, plain, None)
        if callable(made):
            return made()
    raise TypeError("%s cannot be sent to Java" % a(value))


def are_times(value: Any) -> bool:
    """Whether it is a time or a duration of numpy, or an array of these, which become whole numbers of nobody knows what."""
    return getattr(getattr(value, "dtype", None), "kind", None) in ("M", "m")


_FIELDS: dict[type, list[str]] = {}


def a(value: Any) -> str:
    """What a value is, with its article."""
    name = type(value).__name__
    return "None" if value is None else "%s %s" % ("an" if name[:1].lower() in tuple("aeiou") else "a", name)


def problem(value: Any, pack: Callable[[Any], Any], why: Exception, depth: int = 3) -> str:
    """Why a value cannot be packed, with the field or the element that is to blame."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = default(value)
    parts: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        for name, each in value.items():
            parts += [("a name: ", name), ("field %r: " % name, each)]
    elif isinstance(value, (list, tuple)):
        parts = [("element %d: " % at, each) for at, each in enumerate(value)]
    for name, each in parts:
        try:
            pack(each)
        except Exception as e:
            return name + (problem(each, pack, e, depth - 1) if depth > 0 else _why(e))
    return _why(why)


def _why(problem: Exception) -> str:
    return HALF if isinstance(problem, UnicodeEncodeError) else str(problem)

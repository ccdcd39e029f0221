# SPDX-License-Identifier: Apache-2.0
"""MessagePack in Python alone, for interpreters without the package msgpack. Knows what rows need: no extension types."""

from __future__ import annotations

import struct
from typing import Any, Callable, Optional

_DOUBLE = struct.Struct(">d")
_FLOAT = struct.Struct(">f")
_U16 = struct.Struct(">H")
_U32 = struct.Struct(">I")
_U64 = struct.Struct(">Q")
_I8 = struct.Struct(">b")
_I16 = struct.Struct(">h")
_I32 = struct.Struct(">i")
_I64 = struct.Struct(">q")

_PACK_DOUBLE = struct.Struct(">Bd").pack
_PACK_U8 = struct.Struct(">BB").pack
_PACK_U16 = struct.Struct(">BH").pack
_PACK_U32 = struct.Struct(">BI").pack
_PACK_U64 = struct.Struct(">BQ").pack
_PACK_I8 = struct.Struct(">Bb").pack
_PACK_I16 = struct.Struct(">Bh").pack
_PACK_I32 = struct.Struct(">Bi").pack
_PACK_I64 = struct.Struct(">Bq").pack

_SMALL = [bytes([n]) for n in range(256)]
_DEEPEST = 500


def packb(value: Any, default: Optional[Callable[[Any], Any]] = None) -> bytes:
    """The bytes of a value. ``default`` makes something known of an object that is not."""
    return packer(default)(value)


def packer(default: Optional[Callable[[Any], Any]]) -> Callable[[Any], bytes]:
    """The same for many values."""

    def pack(value: Any) -> bytes:
        out: list[bytes] = []
        _pack(value, out.append, default, 0)
        return b"".join(out)

    return pack


def _pack(value: Any, add: Callable[[bytes], None], default: Optional[Callable[[Any], Any]], depth: int) -> None:
    kind = type(value)
    if kind is str:
        data = value.encode("utf-8")
        if len(data) < 32:
            add(_SMALL[0xA0 | len(data)])
            add(data)
        else:
            _pack_text(data, add)
    elif kind is int:
        _pack_int(value, add)
    elif kind is float:
        add(_PACK_DOUBLE(0xCB, value))
    elif value is None:
        add(b"\xc0")
    elif kind is bool:
        add(b"\xc3" if value else b"\xc2")
    elif kind is dict:
        if len(value) < 16 and depth <= _DEEPEST:
            add(_SMALL[0x80 | len(value)])
        else:
            _pack_length(len(value), depth, add, 0xDE)
        for key, each in value.items():
            _pack(key, add, default, depth + 1)
            _pack(each, add, default, depth + 1)
    elif kind is list or kind is tuple:
        if len(value) < 16 and depth <= _DEEPEST:
            add(_SMALL[0x90 | len(value)])
        else:
            _pack_length(len(value), depth, add, 0xDC)
        for each in value:
            _pack(each, add, default, depth + 1)
    elif kind is bytes or kind is bytearray or kind is memoryview:
        data = bytes(value)
        size = len(data)
        if size < 0x100:
            add(_PACK_U8(0xC4, size))
        elif size < 0x10000:
            add(_PACK_U16(0xC5, size))
        else:
            add(_PACK_U32(0xC6, size))
        add(data)
    else:
        _pack_other(value, add, default, depth)


def _pack_other(value: Any, add: Callable[[bytes], None], default: Optional[Callable[[Any], Any]], depth: int) -> None:
    """Subclasses of what is known are packed as that, as msgpack does."""
    _check(depth)
    for known in (bool, int, float, str, dict, list, tuple, bytes):
        if isinstance(value, known):
            _pack(known(value), add, default, depth + 1)
            return
    if default is None:
        raise TypeError("cannot serialize %r object" % (type(value).__name__,))
    _pack(default(value), add, default, depth + 1)


def _check(depth: int) -> None:
    if depth > _DEEPEST:
        raise ValueError("recursion limit exceeded")


def _pack_text(data: bytes, add: Callable[[bytes], None]) -> None:
    """One of 32 bytes or more."""
    size = len(data)
    if size < 0x100:
        add(_PACK_U8(0xD9, size))
    elif size < 0x10000:
        add(_PACK_U16(0xDA, size))
    else:
        add(_PACK_U32(0xDB, size))
    add(data)


def _pack_length(size: int, depth: int, add: Callable[[bytes], None], code: int) -> None:
    """One of 16 or more."""
    _check(depth)
    if size < 0x10000:
        add(_PACK_U16(code, size))
    else:
        add(_PACK_U32(code + 1, size))


def _pack_int(value: int, add: Callable[[bytes], None]) -> None:
    if value >= 0:
        if value < 0x80:
            add(_SMALL[value])
        elif value < 0x100:
            add(_PACK_U8(0xCC, value))
        elif value < 0x10000:
            add(_PACK_U16(0xCD, value))
        elif value < 0x100000000:
            add(_PACK_U32(0xCE, value))
        elif value < 0x10000000000000000:
            add(_PACK_U64(0xCF, value))
        else:
            raise OverflowError("Integer value out of range")
    elif value >= -0x20:
        add(_SMALL[value & 0xFF])
    elif value >= -0x80:
        add(_PACK_I8(0xD0, value))
    elif value >= -0x8000:
        add(_PACK_I16(0xD1, value))
    elif value >= -0x80000000:
        add(_PACK_I32(0xD2, value))
    elif value >= -0x8000000000000000:
        add(_PACK_I64(0xD3, value))
    else:
        raise OverflowError("Integer value out of range")


def unpackb(data: bytes) -> Any:
    """The value of these bytes."""
    value, end = _unpack(data, 0, {})
    if end != len(data):
        raise ValueError("%d bytes behind the value" % (len(data) - end))
    return value


# The sizes of fixed numbers, by code.
_NUMBERS = {
    0xCA: (_FLOAT, 4),
    0xCB: (_DOUBLE, 8),
    0xCC: (struct.Struct(">B"), 1),
    0xCD: (_U16, 2),
    0xCE: (_U32, 4),
    0xCF: (_U64, 8),
    0xD0: (_I8, 1),
    0xD1: (_I16, 2),
    0xD2: (_I32, 4),
    0xD3: (_I64, 8),
}

# Text, bytes, arrays and maps with a length in front: how to read the length.
_LENGTHS = {
    0xC4: (None, 1),
    0xC5: (_U16, 2),
    0xC6: (_U32, 4),
    0xD9: (None, 1),
    0xDA: (_U16, 2),
    0xDB: (_U32, 4),
    0xDC: (_U16, 2),
    0xDD: (_U32, 4),
    0xDE: (_U16, 2),
    0xDF: (_U32, 4),
}


def _unpack(data: bytes, at: int, names: dict[bytes, str]) -> tuple[Any, int]:
    try:
        code = data[at]
    except IndexError:
        raise ValueError("the value is cut off") from None
    at += 1
    if code < 0x80:
        return code, at
    if code >= 0xE0:
        return code - 0x100, at
    if code >= 0xC0:
        if code <= 0xC3:
            if code == 0xC1:
                raise ValueError("unknown code 0xc1")
            return (None if code == 0xC0 else code == 0xC3), at
        number = _NUMBERS.get(code)
        if number is not None:
            return number[0].unpack_from(data, at)[0], at + number[1]
        length = _LENGTHS.get(code)
        if length is None:
            raise ValueError("extension types are not known: code 0x%x" % code)
        size = data[at] if length[0] is None else length[0].unpack_from(data, at)[0]
        at += length[1]
        if code <= 0xC6:
            return _slice(data, at, size), at + size
        if code <= 0xDB:
            return _slice(data, at, size).decode("utf-8"), at + size
        if code <= 0xDD:
            return _unpack_list(data, at, size, names)
        return _unpack_dict(data, at, size, names)
    if code >= 0xA0:
        size = code & 0x1F
        return _slice(data, at, size).decode("utf-8"), at + size
    if code >= 0x90:
        return _unpack_list(data, at, code & 0x0F, names)
    return _unpack_dict(data, at, code & 0x0F, names)


def _slice(data: bytes, at: int, size: int) -> bytes:
    found = data[at : at + size]
    if len(found) != size:
        raise ValueError("the value is cut off")
    return found


def _unpack_list(data: bytes, at: int, size: int, names: dict[bytes, str]) -> tuple[Any, int]:
    values = []
    for _ in range(size):
        value, at = _unpack(data, at, names)
        values.append(value)
    return values, at


def _unpack_dict(data: bytes, at: int, size: int, names: dict[bytes, str]) -> tuple[Any, int]:
    values = {}
    for _ in range(size):
        code = data[at]
        if 0xA0 <= code < 0xC0:  # a short text, mostly one of few: the name of a field
            end = at + 1 + (code & 0x1F)
            raw = data[at + 1 : end]
            key = names.get(raw)
            if key is None:
                key = names[raw] = _slice(data, at + 1, code & 0x1F).decode("utf-8")
            at = end
        else:
            key, at = _unpack(data, at, names)
        values[key], at = _unpack(data, at, names)
    return values, at

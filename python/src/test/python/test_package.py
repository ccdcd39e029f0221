# SPDX-License-Identifier: Apache-2.0
"""Tests of the package, with the standard library alone: python3 -m unittest discover -s python/src/test/python"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import math
import os
import random
import struct
import sys
import unittest
import unittest.mock
from typing import Any, Optional, Sequence

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "main", "python"))

from thalweg import BadRecord, _msgpack, _rows, _worker, operator  # noqa: E402

try:
    import msgpack
except ImportError:
    msgpack = None

try:
    import numpy
    import pandas
except ImportError:
    numpy = None


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


@dataclasses.dataclass
class Inner:
    name: str
    colour: Colour = Colour.RED


@dataclasses.dataclass
class Outer:
    inner: Inner
    maybe: Optional[Inner]
    several: list[Inner]
    named: dict[str, Inner]


def value(source: random.Random, deep: int = 0) -> Any:
    kind = source.randrange(9 if deep < 4 else 6)
    if kind == 0:
        return None
    if kind == 1:
        return source.random() < 0.5
    if kind == 2:
        return source.choice((1, -1)) * source.getrandbits(source.randrange(64))
    if kind == 3:
        return struct.unpack(">d", source.randbytes(8))[0]
    if kind == 4:
        return source.choice("xé€😀") * source.choice((0, 1, 7, 31, 32, 255, 256, 70_000 if deep == 0 else 3))
    if kind == 5:
        return source.randbytes(source.choice((0, 1, 255, 256, 70_000 if deep == 0 else 3)))
    size = source.choice((0, 1, 5, 15, 16, 2))
    if kind == 6:
        if deep == 0 and source.random() < 0.1:
            return list(range(source.choice((65_535, 65_536))))
        return [value(source, deep + 1) for _ in range(size)]
    return {
        source.choice(("name", "é" * 40, 3, -70, 1.5))
        if source.random() < 0.5
        else str(source.random()): value(source, deep + 1)
        for _ in range(size)
    }


def same(one: Any, other: Any) -> bool:
    """As equality, but NaN equals itself, and types count."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return one == other


class MessagePackTest(unittest.TestCase):
    def test_returns_what_it_packed(self) -> None:
        for seed in range(400):
            made = value(random.Random(seed))
            self.assertTrue(same(_msgpack.unpackb(_msgpack.packb(made)), made), "seed %d" % seed)

    @unittest.skipIf(msgpack is None, "the package msgpack is not installed")
    def test_agrees_with_the_package(self) -> None:
        for seed in range(400):
            made = value(random.Random(seed))
            packed = msgpack.packb(made, use_bin_type=True)
            self.assertEqual(_msgpack.packb(made), packed, "seed %d" % seed)
            self.assertTrue(same(_msgpack.unpackb(packed), made), "seed %d" % seed)

    def test_packs_as_the_specification_says(self) -> None:
        for made, packed in (
            (None, "c0"),
            (True, "c3"),
            (127, "7f"),
            (128, "cc80"),
            (-32, "e0"),
            (-33, "d0df"),
            (-32_769, "d2ffff7fff"),
            (1 << 63, "cf8000000000000000"),
            (1.5, "cb3ff8000000000000"),
            ("a", "a161"),
            (b"a", "c40161"),
            ([1, "a"], "9201a161"),
            ({"a": 1}, "81a16101"),
        ):
            self.assertEqual(_msgpack.packb(made).hex(), packed)
            self.assertEqual(_msgpack.unpackb(bytes.fromhex(packed)), made)

    def test_refuses_what_it_cannot_pack(self) -> None:
        circle: list[Any] = []
        circle.append(circle)
        for made, kind in (
            (1 << 64, OverflowError),
            (-1 - (1 << 63), OverflowError),
            (object(), TypeError),
            (["\ud800"], UnicodeEncodeError),
        ):
            with self.assertRaises(kind):
                _msgpack.packb(made)
        with self.assertRaises(UnicodeEncodeError):  # as does the package msgpack
            _worker._message_pack()[0](["\ud800"])
        with self.assertRaises((ValueError, RecursionError)):
            _msgpack.packb(circle)

    def test_refuses_what_is_damaged(self) -> None:
        whole = _msgpack.packb({"name": ["text" * 100, 1.5, 70_000, b"bytes"]})
        for cut in range(len(whole)):
            with self.assertRaises((ValueError, struct.error, IndexError)):
                _msgpack.unpackb(whole[:cut])
        with self.assertRaises(ValueError):
            _msgpack.unpackb(whole + b"\x00")
        with self.assertRaises(ValueError):
            _msgpack.unpackb(b"\xc1")


class RowsTest(unittest.TestCase):
    def test_makes_dataclasses_of_dicts(self) -> None:
        def function(row: Outer) -> None:
            pass

        make = _rows.of_parameters(function, False, ["row"])[0]
        assert make is not None
        inner = {"name": "a", "colour": "GREEN", "unknown": 1}
        expected = Inner("a", Colour.GREEN)
        self.assertEqual(
            make({"inner": dict(inner), "maybe": None, "several": [dict(inner)], "named": {"x": dict(inner)}}),
            Outer(expected, None, [expected], {"x": expected}),
        )

    def test_takes_the_type_of_a_batch_from_its_elements(self) -> None:
        def function(rows: Sequence[Inner]) -> None:
            pass

        make = _rows.of_parameters(function, True, ["row"])[0]
        assert make is not None
        self.assertEqual(make({"name": "a"}), Inner("a"))

    def test_leaves_other_rows_as_they_are(self) -> None:
        self.assertIsNone(_rows.of_parameters(lambda row: row, False, ["row"])[0])
        self.assertIsNone(_rows.of_parameters(len, False, ["row"])[0])

    def test_sends_objects_as_what_java_knows(self) -> None:
        class Scalar:
            def item(self) -> int:
                return 7

        for made, sent in (
            (Inner("a"), {"name": "a", "colour": Colour.RED}),
            (Colour.RED, "RED"),
            (datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc), "2026-01-02T03:04:05Z"),
            (datetime.date(2026, 1, 2), "2026-01-02"),
            (decimal.Decimal("1.50"), "1.50"),
            ({1}, [1]),
            (Scalar(), 7),
        ):
            self.assertEqual(_rows.default(made), sent)
        with self.assertRaises(TypeError):
            _rows.default(object())

    @unittest.skipIf(numpy is None, "numpy and pandas are not installed")
    def test_sends_times_of_numpy_and_pandas_as_text_whatever_their_unit(self) -> None:
        pack = _worker._message_pack()[0]
        time = "2026-01-02T03:04:05"
        for made, sent in (
            (numpy.datetime64(time, "s"), time),
            (numpy.datetime64(time, "ns"), time + ".000000000"),
            (numpy.datetime64("2026-01-02"), "2026-01-02"),
            (numpy.datetime64("NaT"), None),
            (numpy.timedelta64("NaT"), None),
            (numpy.array([time, "NaT"], "datetime64[ns]"), [time + ".000000000", None]),
            (pandas.Timestamp(time, tz="UTC"), time + "Z"),
            (pandas.NaT, None),
            (pandas.Series([pandas.Timestamp(time), pandas.NaT]), [time, None]),
            (numpy.array([1, 2]), [1, 2]),
            (numpy.float32(1.5), 1.5),
        ):
            self.assertEqual(_msgpack.unpackb(pack({"t": made})), {"t": sent})
            self.assertEqual(_msgpack.unpackb(_msgpack.packb(made, _rows.default)), sent)
        for made in (numpy.timedelta64(5, "ns"), numpy.array([5], "timedelta64[ns]")):
            with self.assertRaises(TypeError):
                pack(made)


class ProgramTest(unittest.TestCase):
    @staticmethod
    def program(function: Any, kind: str = "map", batch: bool = False, largest_state: int = 100) -> _worker._Program:
        hello = {"files": [__file__], "function": "f", "kind": kind, "file": "t.py", "module": "t"}
        hello.update(keyed=True, largest_state=largest_state)
        program = _worker._Program(hello, lambda value: _msgpack.packb(value, _rows.default), _msgpack.unpackb)
        program.function = function
        program._batch = batch
        return program

    @staticmethod
    def told(answers: _worker._Answers) -> tuple[list[Any], dict[int, str], dict[int, Any]]:
        """Results, reasons of bad rows, and failures."""
        return [_msgpack.unpackb(each) for each in answers.packed], answers.bad, answers.failed

    def results(self, program: _worker._Program, rows: list[Any]) -> tuple[list[Any], dict[int, str], dict[int, Any]]:
        answers = _worker._Answers()
        program.results(rows, answers)
        return self.told(answers)

    def test_goes_on_after_a_row_that_failed(self) -> None:
        def function(row: int) -> int:
            if row == 1:
                raise BadRecord("one")
            return 6 // row

        done, bad, failed = self.results(self.program(function), [2, 0, 1, 3])
        self.assertEqual(done, [3, None, None, 2])
        self.assertEqual(bad, {2: "one"})
        self.assertEqual(list(failed), [1])
        self.assertEqual(failed[1][0], "ZeroDivisionError")
        self.assertEqual(failed[1][2][-1][2], "function")

    def test_packs_a_result_before_the_function_changes_it(self) -> None:
        kept = {"n": 0}

        def function(row: int) -> dict[str, int]:
            kept["n"] = row
            return kept

        def function_all(rows: list[int]) -> Any:
            return [each_of(row) for row in rows]

        def each_of(row: int) -> Any:
            for n in range(row):
                kept["n"] = n
                yield kept

        rows = [1, 2, 3]
        self.assertEqual(self.results(self.program(function), rows)[0], [{"n": 1}, {"n": 2}, {"n": 3}])
        each = [[{"n": n} for n in range(row)] for row in rows]
        self.assertEqual(self.results(self.program(each_of, "flat_map"), rows)[0], each)
        self.assertEqual(self.results(self.program(function_all, "flat_map", batch=True), rows)[0], each)

    def test_packs_a_result_with_a_state_before_the_function_changes_it(self) -> None:
        kept: list[int] = []

        def function(key: str, state: Any, row: int) -> Any:
            kept.append(row)
            return kept, kept

        def function_all(key: str, state: Any, rows: list[int]) -> Any:
            kept.append(rows[0])
            return kept, [kept] * len(rows)

        self.assertEqual(
            self.by_key(self.program(function), [["a", None, 2], ["b", None, 1]], [1, 2, 3]),
            ([[1, 2], [1, 2, 3]], [[1], [1, 2], [1, 2, 3]], {}),
        )
        kept.clear()
        self.assertEqual(
            self.by_key(self.program(function_all, batch=True), [["a", None, 2], ["b", None, 1]], [1, 2, 3]),
            ([[1], [1, 3]], [[1], [1], [1, 3]], {}),
        )

    def test_takes_a_result_with_half_a_surrogate_pair_for_a_bad_row(self) -> None:
        half = "the result of f cannot be sent to Java: %sthe text contains half a surrogate pair, which UTF-8 cannot encode"
        for result, place in (
            ("a\ud800", ""),
            ({"n": 1, "t": "\udc00"}, "field 't': "),
            ({"n": [1, {"t": "\udc00"}]}, "field 'n': element 1: field 't': "),
            ({"\ud800": 1}, "a name: "),
            (Inner("\ud800"), "field 'name': "),
        ):
            done, bad, failed = self.results(self.program(lambda row, result=result: result if row else row), [0, 1])
            self.assertEqual((done, bad, failed), ([0, None], {1: half % place}, {}))
        for results in (["a", "\ud800"], iter(["a", "\ud800"])):
            _, bad, _ = self.results(self.program(lambda row, results=results: results, "flat_map"), [1])
            self.assertEqual(bad, {0: half % "element 1: "})
        done, bad, failed = self.results(self.program(lambda rows: ["\ud800", 2, object()], batch=True), [1, 2, 3])
        self.assertEqual((done, bad, list(failed)), ([None, 2, None], {0: half % ""}, [2]))

    def test_leaves_the_state_as_it_was_before_a_result_with_half_a_surrogate_pair(self) -> None:
        def function(key: str, state: Any, row: int) -> Any:
            return row, "\ud800" if row == 2 else row

        states, done, failed = self.by_key(self.program(function), [["a", None, 2]], [1, 2])
        self.assertEqual((states, done[0], failed), ([1], 1, {}))
        self.assertIn("half a surrogate pair", done[1])

    def test_tells_what_is_the_function_and_what_is_packing(self) -> None:
        program = self.program(lambda row: row)
        clock = iter(range(0, 10_000, 10))
        answers = _worker._Answers()
        with unittest.mock.patch.object(_worker.time, "perf_counter_ns", lambda: next(clock)):
            program._sampled(lambda rows, pack, into: [pack(row) for row in rows], [1, 2], answers)
        self.assertEqual(answers.function_ns, 30 - 2 * 10)  # of two rows, each of which takes as long as the last

    @unittest.skipIf(numpy is None, "numpy and pandas are not installed")
    def test_takes_an_array_of_times_for_what_it_is(self) -> None:
        for made, sent in (
            (lambda: numpy.array(["2026-01-02", "NaT"], "datetime64[ns]"), ["2026-01-02T00:00:00.000000000", None]),
            (lambda: pandas.Series(pandas.to_datetime(["2026-01-02", None])), ["2026-01-02T00:00:00", None]),
        ):
            program = self.program(lambda rows, made=made: made(), batch=True)
            self.assertEqual(self.results(program, [1, 2])[0], sent)

    def test_refuses_a_batch_of_another_size(self) -> None:
        done, _, failed = self.results(self.program(lambda rows: rows[1:], batch=True), [1, 2, 3])
        self.assertEqual(done, [])
        self.assertEqual(failed[-1][1], "f returned 2 results for 3 rows")

    def test_counts_the_rows_before_the_function_empties_its_list(self) -> None:
        def empties(rows: list[int]) -> list[int]:
            made = []
            while rows:
                made.append(2 * rows.pop(0))
            return made

        def leaves_out(rows: list[int]) -> list[int]:
            rows.remove(2)
            return rows

        self.assertEqual(self.results(self.program(empties, batch=True), [1, 2, 3])[0], [2, 4, 6])
        failed = self.results(self.program(leaves_out, batch=True), [1, 2, 3])[2]
        self.assertIn("returned 2 results for 3 rows", failed[-1][1])

    def test_refuses_results_of_another_kind(self) -> None:
        for kind, result, problem in (
            ("map", None, "f returned None"),
            ("filter", 1, "f must return True or False, not an int"),
            ("flat_map", "text", "f must return an iterable of rows"),
            ("flat_map", None, "f must return an iterable of rows"),
        ):
            _, _, failed = self.results(self.program(lambda row, result=result: result, kind), [1])
            self.assertIn(problem, failed[0][1])

    def by_key(
        self, program: _worker._Program, keys: list[Any], rows: list[Any]
    ) -> tuple[list[Any], list[Any], dict[int, Any]]:
        """States, unpacked, results or the reasons of bad rows, and failures."""
        answers = _worker._Answers()
        states = program.by_key(keys, rows, answers)
        done, bad, failed = self.told(answers)
        done = [bad.get(at, each) for at, each in enumerate(done)]
        return [None if state is None else _msgpack.unpackb(state) for state in states], done, failed

    def test_keeps_a_state_for_each_key(self) -> None:
        def function(key: str, state: Any, row: int) -> Any:
            state = (state or []) + [row]
            return state, "%s%d" % (key, sum(state))

        keys = [["a", None, 2], ["b", _msgpack.packb([5]), 1]]
        self.assertEqual(
            self.by_key(self.program(function), keys, [1, 2, 3]), ([[1, 2], [5, 3]], ["a1", "a3", "b8"], {})
        )

    def test_passes_a_state_as_it_comes_back_also_within_a_batch(self) -> None:
        seen = []

        def function(key: str, state: Any, row: int) -> Any:
            seen.append(state)
            return (row, {1}), row

        self.by_key(self.program(function), [["a", None, 2]], [7, 8])
        self.assertEqual(seen, [None, [7, [1]]])

    def test_leaves_the_state_as_it_was_before_a_row_that_is_bad_or_fails(self) -> None:
        def function(key: str, state: Any, row: int) -> Any:
            state = state or []
            state.append(row)
            if row < 0:
                raise BadRecord("negative")
            return state, 6 // row

        states, done, failed = self.by_key(self.program(function), [["a", None, 4]], [1, -1, 0, 2])
        self.assertEqual(states, [[1, 2]])
        self.assertEqual([done[0], done[1], done[3]], [6, "negative", 3])
        self.assertEqual([failed[2][0], list(failed)], ["ZeroDivisionError", [2]])

    def test_fails_all_rows_of_a_key_in_a_batch_and_no_others(self) -> None:
        def function(key: str, state: Any, rows: list[int]) -> Any:
            return len(rows), [6 // row for row in rows]

        keys = [["a", _msgpack.packb(9), 2], ["b", None, 1]]
        states, done, failed = self.by_key(self.program(function, batch=True), keys, [1, 0, 2])
        self.assertEqual([states, done, list(failed)], [[9, 1], [None, None, 3], [0, 1]])

    def test_lets_a_state_expire_also_within_a_batch(self) -> None:
        seen = []

        def function(key: str, state: Any, row: int) -> Any:
            seen.append((row, state))
            if row == 3:
                raise BadRecord("three")
            return None if row == 5 else row, row

        def function_all(key: str, state: Any, rows: list[int]) -> Any:
            seen.append((rows, state))
            return rows[-1], rows

        def by_key(program: _worker._Program, kept: Any, times: list[int]) -> Any:
            program.lives = (10, True)
            rows = list(range(1, 1 + len(times)))
            return program.by_key([["a", kept, len(rows), times]], rows, _worker._Answers())[0]

        program = self.program(function)
        kept = by_key(program, None, [100, 109, 119, 118])
        self.assertEqual(seen, [(1, None), (2, 1), (3, None), (4, None)])
        self.assertEqual(kept, struct.pack(">q", 128) + _msgpack.packb(4))
        seen.clear()
        self.assertEqual(by_key(program, kept, [127, 130, 136]), struct.pack(">q", 140) + _msgpack.packb(2))
        self.assertEqual(seen, [(1, 4), (2, 1), (3, 2)])
        seen.clear()
        self.assertIsNone(by_key(program, kept, [128, 128, 128, 128, 128]))
        self.assertEqual(seen, [(1, None), (2, 1), (3, 2), (4, 2), (5, 4)])
        seen.clear()
        last = struct.pack(">q", (1 << 63) - 1) + _msgpack.packb(3)
        self.assertEqual(by_key(self.program(function_all, batch=True), kept, [127, 136, 146, (1 << 63) - 2]), last[:8] + b"\x04")
        self.assertEqual(seen, [([1, 2], 4), ([3], None), ([4], None)])

    def test_refuses_states_that_cannot_be_saved(self) -> None:
        for state, problem in (
            (object(), "f returned a state for key 'a' that cannot be saved: an object cannot be sent to Java"),
            (1 << 70, "f returned a state for key 'a' that cannot be saved: Integer value out of range"),
            (
                ["\ud800"],
                "f returned a state for key 'a' that cannot be saved: element 0: the text contains half a surrogate pair,"
                " which UTF-8 cannot encode",
            ),
            ("x" * 200, "f returned a state of 202 bytes for key 'a', and at most 100 are kept; allow more with largestState(…)"),
        ):
            states, _, failed = self.by_key(
                self.program(lambda key, before, row, state=state: (state, row)), [["a", _msgpack.packb(1), 1]], [1]
            )
            self.assertEqual([states, failed[0][1]], [[1], problem])

    def test_says_what_a_function_with_state_must_return(self) -> None:
        for returned in (None, [1, 2], (1, 2, 3)):
            _, _, failed = self.by_key(
                self.program(lambda key, state, row, returned=returned: returned), [["a", None, 1]], [1]
            )
            self.assertIn("f must return the new state and a result as a tuple of two, not ", failed[0][1])

    def test_makes_a_dataclass_of_a_state(self) -> None:
        def function(key: str, state: Optional[Inner], row: int) -> Any:
            return Inner("b"), None if state is None else state.name

        program = self.program(function)
        program._convert_state = _rows.of_parameters(function, False, ["key", "state", "row"])[1]
        _, _, failed = self.by_key(program, [["a", _msgpack.packb({"nam": "x"}), 1]], [1])
        self.assertIn("the state of key 'a' cannot be passed to f: ", failed[0][1])
        _, done, _ = self.by_key(program, [["a", _msgpack.packb({"name": "x", "colour": "RED"}), 2]], [1, 2])
        self.assertEqual(done, ["x", "b"])

    def test_marks_operators(self) -> None:
        self.assertTrue(operator(state=True)(lambda key, state, row: row).__thalweg_state__)
        with self.assertRaises(ValueError):
            operator(batch="arrow", state=True)  # type: ignore[call-overload]
        self.assertFalse(operator(lambda row: row).__thalweg_batch__)
        self.assertTrue(operator(batch=True)(lambda rows: rows).__thalweg_batch__)


if __name__ == "__main__":
    unittest.main()

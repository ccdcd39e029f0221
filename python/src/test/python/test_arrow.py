# SPDX-License-Identifier: Apache-2.0
"""Tests of record batches; left out without pyarrow."""

from __future__ import annotations

import os
import sys
import unittest
from typing import Any

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "main", "python"))

try:
    import numpy
    import pandas
    import pyarrow as pa

    from thalweg import _arrow
except ImportError:
    pa = None


@unittest.skipIf(pa is None, "pyarrow, pandas and numpy are not installed")
class SchemasTest(unittest.TestCase):
    def schemas(self, *fields: Any) -> Any:
        rows = pa.schema([pa.field("id", pa.int64(), False)]).serialize().to_pybytes()
        return _arrow.Schemas(rows, pa.schema(fields).serialize().to_pybytes() if fields else None)

    def result(self, returned: Any, *fields: Any, rows: int = 2) -> Any:
        return self.schemas(*fields).results(returned, rows)

    def test_keeps_what_has_the_right_schema(self) -> None:
        field = pa.field("id", pa.int64(), False)
        batch = pa.record_batch([pa.array([1, 2])], schema=pa.schema([field]))
        self.assertIs(self.result(batch, field), batch)

    def test_puts_columns_into_order_and_leaves_others_out(self) -> None:
        made = self.result(
            {"b": numpy.array([1, 2], numpy.int16), "c": ["x", "y"], "a": [0.5, 1]},
            pa.field("a", pa.float64(), False),
            pa.field("b", pa.int64()),
            pa.field("gone", pa.string()),
        )
        self.assertEqual(made.to_pydict(), {"a": [0.5, 1.0], "b": [1, 2], "gone": [None, None]})

    def test_joins_the_chunks_of_a_table(self) -> None:
        table = pa.table({"a": pa.chunked_array([[1], [2]])})
        self.assertEqual(self.result(table, pa.field("a", pa.int32())).to_pydict(), {"a": [1, 2]})
        self.assertEqual(self.result(table.slice(0, 0), pa.field("a", pa.int32()), rows=0).num_rows, 0)

    def test_takes_nan_of_pandas_for_nothing_where_there_may_be_nothing(self) -> None:
        frame = pandas.DataFrame({"a": [1.0, float("nan")], "b": [1.0, float("nan")]})
        made = self.result(frame, pa.field("a", pa.float64()), pa.field("b", pa.float64(), False))
        self.assertEqual(made.column(0).null_count, 1)
        self.assertEqual(made.column(1).null_count, 0)

    def test_refuses_numbers_that_would_become_others(self) -> None:
        small = pa.field("a", pa.float32())
        with self.assertRaisesRegex(_arrow.Misfit, "column 'a' of type double with values out of the range of float"):
            self.result({"a": [0.1, 1e300]}, small)
        with self.assertRaisesRegex(_arrow.Misfit, "column 'a' of type int64, where float is expected"):
            self.result({"a": [0, (1 << 24) + 1]}, small)
        with self.assertRaisesRegex(_arrow.Misfit, "column 'a' of type int64, where double is expected"):
            self.result({"a": [0, (1 << 53) + 1]}, pa.field("a", pa.float64()))
        made = self.result({"a": [0.1, float("inf"), None]}, small, rows=3)
        self.assertEqual(made.column(0).to_pylist()[1:], [float("inf"), None])

    def test_takes_text_of_any_kind(self) -> None:
        wanted = pa.field("value", pa.string())
        for kind in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())):
            made = self.result(pa.array(["a", None]).cast(kind), wanted)
            self.assertEqual(made.column(0), pa.array(["a", None]))

    def test_takes_times_of_any_unit_and_zone(self) -> None:
        wanted = pa.field("value", pa.timestamp("ns", "UTC"))
        made = self.result(pa.array([1, None], pa.timestamp("s", "Europe/Zurich")), wanted)
        self.assertEqual(made.column(0).cast(pa.int64()).to_pylist(), [1_000_000_000, None])

    def test_refuses_what_values_do_not_mean(self) -> None:
        for values, wanted in (
            (pa.array(["1", "2"]), pa.int64()),
            (pa.array([1, 2]), pa.string()),
            (pa.array([True, False]), pa.int64()),
            (pa.array([1, 2]), pa.bool_()),
            (pa.array([1.0, 2.0]), pa.int64()),
            (pa.array(["a", "b"]), pa.binary()),
            (pa.array([1, 2], pa.timestamp("us")), pa.timestamp("ns", "UTC")),
            (pa.array([1, 2], pa.timestamp("us", "UTC")), pa.date32()),
            (pa.array([1, 1 << 40]), pa.int32()),
            (pa.array([1, 1 << 60], pa.timestamp("s", "UTC")), pa.timestamp("ns", "UTC")),
        ):
            with self.assertRaisesRegex(_arrow.Misfit, "column 'value' of type .* is expected"):
                self.result(values, pa.field("value", wanted))

    def test_refuses_other_columns_and_lengths(self) -> None:
        batch = pa.record_batch({"a": [1, 2]})
        for returned, problem in (
            (batch.slice(1), "1 results for 2 rows"),
            (batch, "no column 'b'; it has a"),
            (pa.RecordBatch.from_arrays([pa.array([1, 2])] * 2, names=["b", "b"]), "more than one column 'b'"),
        ):
            with self.assertRaisesRegex(_arrow.Misfit, problem):
                self.result(returned, pa.field("b", pa.int64(), False))

    def test_makes_lists_of_what_java_does_not_take_as_columns(self) -> None:
        self.assertEqual(self.result(pa.array([[1], []])), [[1], []])
        self.assertEqual(self.result({"a": [1, 2]}), [{"a": 1}, {"a": 2}])

    def test_takes_a_row_with_half_a_surrogate_pair_for_a_bad_one(self) -> None:
        texts = ["a", "\ud800", "\udc00b"]
        half = "the result cannot be sent to Java: column '%s': the text contains half a surrogate pair, which UTF-8 cannot encode"
        fields = (pa.field("n", pa.int64()), pa.field("t", pa.string()))
        for returned in (
            {"n": pa.array([1, 2, 3]), "t": texts},
            pandas.DataFrame({"n": [1, 2, 3], "t": pandas.Series(texts, dtype=object)}),
            {"n": [1, 2, 3], "t": numpy.array(texts)},
        ):
            made = self.result(returned, *fields, rows=3)
            self.assertEqual(made[0], {"n": 1, "t": "a"})
            self.assertEqual([each.reason for each in made[1:]], [half % "t"] * 2)
        for returned in (pandas.Series(texts, dtype=object), numpy.array(texts)):
            made = self.result(returned, pa.field("value", pa.string()), rows=3)
            self.assertEqual(made[0], "a")
            self.assertEqual([each.reason for each in made[1:]], [half % "value"] * 2)
        made = self.result({"t": [["a"], ["b", "\ud800"], []]}, rows=3)
        self.assertEqual([made[0], made[1].reason, made[2]], [{"t": ["a"]}, half % "t", {"t": []}])

    def test_tells_columns_from_lists(self) -> None:
        for columns in (pa.array([1]), pa.table({"a": [1]}), {"a": [1]}, numpy.zeros(1), pandas.Series([1])):
            self.assertTrue(_arrow.known(columns))
        for other in ([1], (1,), None, "text"):
            self.assertFalse(_arrow.known(other))


if __name__ == "__main__":
    unittest.main()

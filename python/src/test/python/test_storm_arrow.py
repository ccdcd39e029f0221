# SPDX-License-Identifier: Apache-2.0
"""Tests of spouts and bolts with record batches, as Thalweg speaks to them; left out without pyarrow."""

from __future__ import annotations

import os
import struct
import sys
import unittest
from typing import Any

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "main", "python"))
sys.path.insert(0, os.path.dirname(__file__))

from test_storm import MAGIC, Parent  # noqa: E402

try:
    import numpy
    import pyarrow as pa

    from thalweg import _msgpack, _storm_arrow
except ImportError:
    pa = None

BATCH_MAGIC = 0x54484641

#: pyarrow would import pandas in each child, which takes longer than the rest of it.
WITHOUT_PANDAS = """
import sys

class Finder:
    def find_spec(self, name, path, target=None):
        if name == "pandas":
            raise ImportError(name)

sys.meta_path.insert(0, Finder())
"""

BOLT = """
import pyarrow as pa
import pyarrow.compute as pc
from thalweg.storm import ArrowBolt

class Bolt(ArrowBolt):
    def process_tick(self, tup):
        self.emit([-1])

    def process_batch(self, batch):
%s

Bolt().run()
"""

CONTEXT = {"stream->outputfields": {"default": ["n"]}, "source->stream->fields": {"s": {"default": ["n", "t"]}}}

NO_FIELDS = {"stream->outputfields": {"default": []}, "source->stream->fields": {"s": {"default": []}}}


class ArrowParent(Parent):
    """One that sends record batches of numbers and texts, and reads all that comes."""

    def __init__(
        self, body: str, framings: list[str], context: dict[str, Any] = CONTEXT, script: str = BOLT
    ) -> None:
        self.context = context
        script = script % "\n".join("        " + line for line in body.splitlines())
        super().__init__(script if "pandas" in script else WITHOUT_PANDAS + script, framings)
        self.types: dict[int, Any] = {}

    def send_rows(self, ids: list[int], numbers: list[Any], texts: list[Any]) -> None:
        batch = pa.record_batch({"n": pa.array(numbers, pa.int64()), "t": pa.array(texts, pa.string()), "": ids})
        self.send_frame([5, 0, "s", "default", batch.schema.serialize().to_pybytes()])
        data = batch.serialize().to_pybytes()
        self.write(struct.pack(">IIq", BATCH_MAGIC, len(data) + 8, 0) + data)

    def read_all(self, many: int) -> list[Any]:
        """So many messages; a batch is one, as the columns that it has."""
        messages: list[Any] = []
        while len(messages) < many:
            magic, size = struct.unpack(">II", self.child.stdout.read(8))
            data = self.child.stdout.read(size)
            if magic == MAGIC:
                for message in _msgpack.unpackb(data):
                    if message[0] == 8:
                        self.types[message[1]] = (message[2], message[3], *(message[4:] or ["int64"]))
                    elif message[0] == 7:
                        messages.append([7, *struct.unpack("<%dq" % (len(message[1]) // 8), message[1])])
                    else:
                        messages.append(message)
                continue
            assert magic == BATCH_MAGIC
            stream, types, last = self.types[struct.unpack_from(">q", data)[0]]
            known = {"null": pa.null(), "bool": pa.bool_(), "int64": pa.int64(), "double": pa.float64()}
            known.update({"string": pa.string(), "binary": pa.binary()})
            schema = pa.schema([(str(at), known[each]) for at, each in enumerate([*types, last])])
            batch = pa.ipc.read_record_batch(pa.py_buffer(data[8:]), schema)
            batch.validate(full=True)
            messages.append([stream, types, *batch.to_pydict().values()])
        return messages

    def read_rest(self) -> list[Any]:
        """All messages before the answer to a heartbeat, so that one that is missing fails a test and does not hang it."""
        self.send_frame([2])
        messages: list[Any] = []
        while messages[-1:] != [[3]]:
            messages += self.read_all(1)
        return messages[:-1]


@unittest.skipIf(pa is None, "pyarrow, pandas and numpy are not installed")
class ArrowBoltTest(unittest.TestCase):
    def answers(self, body: str, many: int, framing: str = "arrow-1") -> list[Any]:
        """To three rows with the ids 5, 6 and 7."""
        parent = ArrowParent(body, ["msgpack-1", framing])
        self.assertEqual(parent.greeting["framing"], framing)
        if framing == "arrow-1":
            parent.send_rows([5, 6, 7], [1, None, 3], ["a", "b", None])
        else:
            rows = [[0, 5, 0, [1, "a"]], [0, 6, 0, [None, "b"]], [0, 7, 0, [3, None]]]
            parent.send_frame([4, 0, "s", "default", 2], *rows)
        answers = parent.read_all(many)
        self.assertEqual(parent.close(), 0)
        return answers

    def test_anchors_each_row_to_its_own_and_acks_all(self) -> None:
        body = "self.emit_batch({'n': pc.multiply(batch['n'], 2)})"
        self.assertEqual(self.answers(body, 2), [[None, ["int64"], [2, None, 6], [5, 6, 7]], [7, 5, 6, 7]])

    def test_gives_the_same_batch_by_other_framings(self) -> None:
        body = "assert self.rows.component == 's' and self.rows.stream == 'default'\n"
        body += "self.emit_batch({'n': [str(batch.schema), str(batch.to_pydict()), '']})"
        by_arrow, by_tuples = self.answers(body, 2), self.answers(body, 6, "msgpack-1")
        self.assertEqual(by_arrow[0][2][:1], ["n: int64\nt: string"])
        self.assertEqual(by_arrow[0][2], [each[6][0] for each in by_tuples[:3]])
        self.assertEqual([each[3] for each in by_tuples[:3]], [[5], [6], [7]])
        self.assertEqual(by_tuples[3:], [[1, 5], [1, 6], [1, 7]])

    def test_anchors_to_given_rows(self) -> None:
        body = "self.emit_batch({'n': [8.5, 9]}, anchors=[2, None])\n"
        body += "self.emit_batch(pa.array([True, None]), anchors=[])\n"
        body += "self.emit_batch(pa.array([4, 5]), anchors=[[0, 2], []])"
        self.assertEqual(
            self.answers(body, 5),
            [
                [None, ["double"], [8.5, 9.0], [7, None]],
                [None, ["bool"], [True, None], [None, None]],
                [0, None, None, [5, 7], 0, False, [4]],
                [0, None, None, [], 0, False, [5]],
                [7, 5, 6, 7],
            ],
        )

    def test_emits_single_tuples_beside_batches(self) -> None:
        body = "self.emit([1])\nself.emit_batch({'n': batch['t']})\nself.emit([2], anchors=[1])"
        self.assertEqual(
            self.answers(body, 4),
            [
                [0, None, None, [5, 6, 7], 0, False, [1]],
                [None, ["string"], ["a", "b", None], [5, 6, 7]],
                [0, None, None, [6], 0, False, [2]],
                [7, 5, 6, 7],
            ],
        )

    def test_sends_in_the_types_that_java_reads(self) -> None:
        values = {
            "pa.array([1, None, 3], pa.uint8())": ["int64", [1, None, 3]],
            "pa.array([0.5, None, 1], pa.float32())": ["double", [0.5, None, 1]],
            "pa.array(['x', None, 'x']).dictionary_encode()": ["string", ["x", None, "x"]],
            "pa.array(['x', None, ''], pa.large_string())": ["string", ["x", None, ""]],
            "pa.array([b'xy', None, b'zz'], pa.binary(2))": ["binary", [b"xy", None, b"zz"]],
            "pa.nulls(3)": ["null", [None] * 3],
            "batch.to_pandas()['n']": ["double", [1, None, 3]],
            "pa.chunked_array([[1], [2, 3]])": ["int64", [1, 2, 3]],
        }
        answers = self.answers("\n".join("self.emit_batch({'n': %s})" % each for each in values), len(values))
        self.assertEqual([[each[1][0], each[2]] for each in answers], list(values.values()))

    def test_sends_other_types_as_tuples(self) -> None:
        values = {
            "pa.array([[1, 2], None, []])": [[1, 2], None, []],
            "pa.array([1 << 63, 0, 1], pa.uint64())": [1 << 63, 0, 1],
            "pa.array([0, None, 1], pa.date32())": ["1970-01-01", None, "1970-01-02"],
        }
        answers = self.answers("\n".join("self.emit_batch({'n': %s})" % each for each in values), 3 * len(values) + 1)[:-1]
        self.assertEqual([each[6][0] for each in answers], [each for its in values.values() for each in its])
        self.assertEqual([each[3] for each in answers], [[5], [6], [7]] * len(values))

    def test_fails_all_rows_if_the_call_raises(self) -> None:
        bodies = {
            "raise ValueError('no luck')": "ValueError: no luck",
            "self.emit_batch({'m': batch['n']})": "no column 'n', which is a field of the stream; there are m",
            "self.emit_batch({'n': ['\\ud800', '', '']})": "column 'n': the text contains half a surrogate pair, which UTF-8",
            "self.emit_batch({'n': [1]})": "1 rows are emitted of 3; say with anchors=… which row each comes from",
            "self.emit_batch({'n': [1]}, anchors=[1, 2])": "anchors has 2 elements for 1 rows",
            "self.emit_batch(batch, anchors=pc.is_valid(batch['n']))": "which are whole numbers, and not bool",
            "self.emit_batch({'n': [1]}, anchors=[[True]])": "which are whole numbers, and not bool",
            "self.emit_batch({'n': [1]}, anchors=[[0, -1]])": "anchors has the place -1, and there are 3 rows",
            "self.emit([1], anchors=pc.is_valid(batch['n']))": "places of rows are whole numbers, and not bool",
            "self.ack(self.rows, pc.is_valid(batch['n']))": "places of rows are whole numbers, and not bool",
            "self.ack(self.rows, [None])": "places of rows are whole numbers, and one is not",
            "self.ack(self.rows, [0, 3])": "IndexError",
            "self.fail(self.rows, [1, -1])": "IndexError",
        }
        parent = ArrowParent("exec(%r[batch['n'][0].as_py()])" % list(bodies), ["arrow-1"])
        for at, problem in enumerate(bodies.values()):
            parent.send_rows([5, 6, 7], [at, 0, 0], ["", "", ""])
            answers = parent.read_rest()
            self.assertRegex(answers[0][1], problem)
            self.assertEqual(answers[1:], [[2, 5], [2, 6], [2, 7]])
        self.assertEqual(parent.close(), 0)

    def test_answers_once_for_rows_that_the_bolt_answers_for(self) -> None:
        self.assertEqual(self.answers("self.fail(self.rows, [1])\nself.ack(self.rows, [0])", 3), [[2, 6], [7, 5], [7, 7]])
        self.assertEqual(self.answers("self.ack(self.rows)\nself.emit([1], anchors=[])", 2)[0], [7, 5, 6, 7])

    def test_keeps_rows_for_later(self) -> None:
        body = (
            "self.auto_ack = False\nself.kept = getattr(self, 'kept', None) or self.rows\n"
            "if self.rows is not self.kept:\n"
            "    self.emit_batch({'n': [9]}, rows=self.kept, anchors=[2])\n    self.ack(self.kept)"
        )
        parent = ArrowParent(body, ["arrow-1"])
        parent.send_rows([5, 6, 7], [1, 2, 3], ["", "", ""])
        parent.send_rows([8], [4], [""])
        self.assertEqual(parent.read_all(2), [[None, ["int64"], [9], [7]], [7, 5, 6, 7]])
        self.assertEqual(parent.close(), 0)

    def test_anchors_to_kept_rows_without_auto_anchor(self) -> None:
        body = (
            "self.auto_anchor = self.auto_ack = False\nself.emit_batch({'n': [1, 2, 3]})\n"
            "self.emit_batch({'n': [4, 5, 6]}, rows=self.rows)"
        )
        self.assertEqual(
            self.answers(body, 2),
            [[None, ["int64"], [1, 2, 3], [None] * 3], [None, ["int64"], [4, 5, 6], [5, 6, 7]]],
        )

    def test_sends_a_batch_and_not_what_became_of_it(self) -> None:
        body = "import numpy as np\nvalues = np.arange(3)\nself.emit_batch({'n': values})\nvalues[:] = 9"
        self.assertEqual(self.answers(body, 1), [[None, ["int64"], [0, 1, 2], [5, 6, 7]]])

    def test_carries_rows_of_streams_without_fields(self) -> None:
        body = "assert batch.num_rows == len(self.rows), batch\nself.emit_batch(batch)"
        parent = ArrowParent(body, ["arrow-1"], NO_FIELDS)
        batch = pa.record_batch({"": [5, 6]})
        parent.send_frame([5, 0, "s", "default", batch.schema.serialize().to_pybytes()])
        data = batch.serialize().to_pybytes()
        parent.write(struct.pack(">IIq", BATCH_MAGIC, len(data) + 8, 0) + data)
        self.assertEqual(parent.read_rest(), [[None, [], [5, 6]], [7, 5, 6]])
        self.assertEqual(parent.close(), 0)
        parent = ArrowParent(body, ["msgpack-1"], NO_FIELDS)
        parent.send_frame([4, 0, "s", "default", 2], [0, 5, 0, []], [0, 6, 0, []])
        emitted = [[0, None, None, [each], 0, False, []] for each in (5, 6)]
        self.assertEqual(parent.read_rest(), [*emitted, [1, 5], [1, 6]])
        self.assertEqual(parent.close(), 0)
        parent = ArrowParent(body, [], NO_FIELDS)
        parent.send({"id": "a1", "comp": "s", "stream": "default", "task": 2, "tuple": []})
        self.assertEqual(parent.read(), {"command": "emit", "tuple": [], "need_task_ids": False, "anchors": ["a1"]})
        self.assertEqual(parent.read(), {"command": "ack", "id": "a1"})
        self.assertEqual(parent.close(), 0)

    def test_takes_ticks_and_heartbeats_between_batches(self) -> None:
        parent = ArrowParent("pass", ["arrow-1"])
        parent.send_frame([4, 0, "__system", "__tick", -1], [0, 9, 0, [1]], [2])
        parent.send_rows([5], [1], ["a"])
        self.assertEqual(parent.read_all(4), [[0, None, None, [9], 0, False, [-1]], [1, 9], [3], [7, 5]])
        self.assertEqual(parent.close(), 0)

    def test_speaks_json_to_storm(self) -> None:
        parent = ArrowParent("self.emit_batch({'n': batch['t']})", [])
        parent.send({"id": "a1", "comp": "s", "stream": "default", "task": 2, "tuple": [4, "x"]})
        emitted = {"command": "emit", "tuple": ["x"], "need_task_ids": False, "anchors": ["a1"]}
        self.assertEqual(parent.read(), emitted)
        self.assertEqual(parent.read(), {"command": "ack", "id": "a1"})
        self.assertEqual(parent.close(), 0)

    def test_makes_a_batch_for_each_tuple_of_mixed_types(self) -> None:
        parent = ArrowParent("self.emit_batch({'n': [str(batch['n'].type)]})", ["msgpack-1"])
        parent.send_frame([4, 0, "s", "default", 2], [0, 5, 0, [1, "a"]], [0, 6, 0, ["b", "b"]])
        answers = parent.read_all(4)
        self.assertEqual([answers[0][6], answers[2][6]], [["int64"], ["string"]])
        parent.send_frame([0, 7, 0, ["a", "a"]], [0, 8, 0, [b"b", "b"]])
        emitted = [[0, None, None, [7], 0, False, ["string"]], [0, None, None, [8], 0, False, ["binary"]]]
        self.assertEqual(parent.read_rest(), [emitted[0], [1, 7], emitted[1], [1, 8]])
        self.assertEqual(parent.close(), 0)

    def test_refuses_what_is_no_column_with_one_line(self) -> None:
        parent = ArrowParent("pass", ["msgpack-1"])
        parent.send_frame([4, 0, "s", "default", 2], [0, 5, 0, [[1], "a"]])
        line = parent.read_all(1)[0]
        self.assertEqual(line[0], 5)
        self.assertRegex(line[1], "^field 'n' of 's': a list or a map cannot be in a column of Arrow, .*take tuples")
        self.assertEqual(parent.close(), 1)

    def test_refuses_tuples_with_other_values_than_fields(self) -> None:
        for values in ([1], [1, "a", 2]):
            parent = ArrowParent("pass", ["msgpack-1"])
            parent.send_frame([4, 0, "s", "default", 2], [0, 5, 0, values])
            line = "a tuple of 's' has %d values, and its stream has 2 fields, which are columns: %r" % (len(values), values)
            self.assertEqual(parent.read_all(1)[0], [5, line])
            self.assertEqual(parent.close(), 1)

    def test_fails_a_tuple_with_text_that_is_no_utf_8(self) -> None:
        problem = "a tuple of 's', stream 'default', cannot be in columns of Arrow, and fails: field 't': the text contains half a"
        problem += " surrogate pair, which UTF-8 cannot encode: [4, '\\ud800']"
        parent = ArrowParent("self.emit_batch({'n': batch['t']})", [])
        parent.send({"id": "a1", "comp": "s", "stream": "default", "task": 2, "tuple": [4, "\ud800"]})
        self.assertEqual(parent.read(), {"command": "error", "msg": problem})
        self.assertEqual(parent.read(), {"command": "fail", "id": "a1"})
        parent.send({"id": "a2", "comp": "s", "stream": "default", "task": 2, "tuple": [4, "x"]})
        self.assertEqual(parent.read()["tuple"], ["x"])
        self.assertEqual(parent.read(), {"command": "ack", "id": "a2"})
        self.assertEqual(parent.close(), 0)

    def test_sends_large_batches_in_parts(self) -> None:
        large = pa.record_batch({"n": pa.array(numpy.arange(20_000_000))})
        parts = list(_storm_arrow.parts(large))
        self.assertEqual([each.num_rows for each in parts], [5_000_000] * 4)
        self.assertEqual(pa.Table.from_batches(parts), pa.Table.from_batches([large]))


SPOUT = """
import array
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from thalweg.storm import ArrowSpout

class Spout(ArrowSpout):
    def next_batch(self, most):
%s

    def ack_batch(self, ids):
        self.log("acked %%s %%s" %% (ids.type, ids.to_pylist()))

    def fail_batch(self, ids):
        self.log("failed %%s %%s" %% (ids.type, ids.to_pylist()))

Spout().run()
"""

ROWS = "self.emit_batch({'n': [1, None, 3]}, ids=[7, 8, None])"


def numbers(*ids: int) -> bytes:
    return struct.pack("<%dq" % len(ids), *ids)


@unittest.skipIf(pa is None, "pyarrow, pandas and numpy are not installed")
class ArrowSpoutTest(unittest.TestCase):
    def asked(self, body: str, *commands: list[Any], framing: str = "arrow-1") -> list[Any]:
        """All that is sent, but for the word that a command is done."""
        parent = ArrowParent(body, ["msgpack-1", framing], script=SPOUT)
        self.assertEqual(parent.greeting["framing"], framing)
        parent.send_frame(*[[3, *each] for each in commands])
        messages: list[Any] = []
        while messages.count([3]) < len(commands):
            messages += parent.read_all(1)
        self.assertEqual(parent.close(), 0)
        return [each for each in messages if each != [3]]

    def refused(self, body: str) -> str:
        """With which error the child ends."""
        parent = ArrowParent(body, ["arrow-1"], script=SPOUT)
        parent.send_frame([3, "next", 512])
        message = parent.read_all(1)[0]
        self.assertEqual((message[0], parent.close()), (5, 1))
        return message[1]

    def test_emits_rows_with_their_ids(self) -> None:
        emitted = [None, ["int64"], [1, None, 3], [7, 8, None]]
        self.assertEqual(self.asked(ROWS, ["next", 512]), [emitted])

    def test_emits_the_same_by_other_framings(self) -> None:
        emitted = [[0, None, id, None, 0, False, [n]] for id, n in ((7, 1), (8, None), (None, 3))]
        self.assertEqual(self.asked(ROWS, ["next", 512], framing="msgpack-1"), emitted)
        parent = ArrowParent(ROWS, [], script=SPOUT)
        told = []
        for _ in range(4):
            parent.send({"command": "next", "id": ""})
            told.append(parent.read())
            self.assertEqual(parent.read(), {"command": "sync"})
        tuples = [{"command": "emit", "tuple": [n], "need_task_ids": False} for n in (1, None, 3, 1)]
        for each, id in zip(tuples, (7, 8, None, 7)):
            each.update({} if id is None else {"id": id})
        self.assertEqual(told, tuples)
        parent.send({"command": "ack", "id": 7})
        self.assertEqual(parent.read()["msg"], "acked int64 [7]")
        self.assertEqual(parent.close(), 0)

    def test_sends_no_more_rows_than_there_is_room_for(self) -> None:
        body = "self.count = getattr(self, 'count', -1) + 1\n"
        body += "self.emit_batch({'n': pa.array(range(5))}, ids=pa.array(range(5)))\n"
        body += "self.emit_batch({'n': [most]}, stream='other')\nself.emit(['last'], tup_id=self.count)"
        context = {"stream->outputfields": {"default": ["n"], "other": ["n"]}}
        parent = ArrowParent(body, ["arrow-1"], context, SPOUT)
        sent = []
        for most in (2, 1, 100):
            parent.send_frame([3, "next", most])
            sent.append([])
            while sent[-1][-1:] != [[3]]:
                sent[-1] += parent.read_all(1)
        whole = [None, ["int64"], [0, 1], [0, 1]], [None, ["int64"], [2, 3, 4], [2, 3, 4]]
        single = [["other", ["int64"], [2], [None]], [0, None, 0, None, 0, False, ["last"]], [3]]
        self.assertEqual(sent[0], [*whole, *single])  # a tuple by itself goes behind what waits, and so sends it
        self.assertEqual([each[2] for each in sent[1][:-1]], [[0], [1, 2, 3, 4], [1], 1])
        self.assertEqual([each[2] for each in sent[2][:-1]], [[0, 1, 2, 3, 4], [100], 2])
        self.assertEqual(parent.close(), 0)

    def test_calls_again_when_no_row_waits(self) -> None:
        body = "self.calls = getattr(self, 'calls', 0) + 1\nself.emit_batch({'n': [self.calls] * 3}, ids=[1, 2, 3])"
        self.assertEqual(
            [each[2:] for each in self.asked(body, *[["next", 2]] * 3)],
            [[[1, 1], [1, 2]], [[1], [3]], [[2], [1]], [[2, 2], [2, 3]]],
        )

    def test_keeps_what_waits_from_being_changed(self) -> None:
        body = "if not hasattr(self, 'n'):\n    self.n = np.arange(3)\n    self.emit_batch(%s)\n    self.n[:] = 9"
        for emitted in (
            "{'n': self.n}, ids=self.n",
            "pa.array(self.n), ids=pa.array(self.n)",
            "pa.record_batch({'n': self.n}), ids=pa.chunked_array([self.n])",
        ):
            answers = self.asked(body % emitted, ["next", 1], ["next", 5])
            self.assertEqual([each[2:] for each in answers], [[[0], [0]], [[1, 2], [1, 2]]])
        body = "if not hasattr(self, 'n'):\n    self.n = ['a', 'b']\n    self.emit_batch({'n': pa.array(self.n).dictionary_encode(), 'm': [[1], [2]]})"
        context = {"stream->outputfields": {"default": ["n", "m"]}}
        parent = ArrowParent(body, ["arrow-1"], context, SPOUT)
        parent.send_frame([3, "next", 1], [3, "next", 5])
        self.assertEqual([each[6] for each in parent.read_all(4) if each != [3]], [["a", [1]], ["b", [2]]])
        self.assertEqual(parent.close(), 0)

    def test_takes_acks_and_fails_together(self) -> None:
        commands = [["acks", numbers(3, -(1 << 63))], ["fails", ["a", "é"]], ["acks", numbers()]]
        self.assertEqual(
            [each[2] for each in self.asked("pass", *commands)],
            ["acked int64 [3, %d]" % -(1 << 63), "failed string ['a', 'é']", "acked int64 []"],
        )
        single = [["ack", 1], ["ack", 2], ["ack", "x"], ["fail", 3], ["ack", 4], ["next", 5]]
        self.assertEqual(
            [each[2] for each in self.asked("pass", *single, framing="msgpack-1")],
            ["acked int64 [1, 2]", "acked string ['x']", "failed int64 [3]", "acked int64 [4]"],
        )

    def test_sends_ids_of_each_type(self) -> None:
        ids = {
            "['a', None, 'b']": ["a", None, "b"],
            "np.array([1, 2, 3], np.uint8)": [1, 2, 3],
            "pa.array(['x', 'y', 'x']).dictionary_encode()": ["x", "y", "x"],
            "pa.chunked_array([[1], [2, 3]])": [1, 2, 3],
            "[None] * 3": [None] * 3,
        }
        body = "\n".join("self.emit_batch({'n': [1, 2, 3]}, ids=%s)" % each for each in ids)
        self.assertEqual([each[3] for each in self.asked(body, ["next", 512])], list(ids.values()))

    def test_sends_other_types_as_tuples(self) -> None:
        body = "self.emit_batch({'n': [[1], None]}, ids=[4, None])"
        emitted = [[0, None, 4, None, 0, False, [[1]]], [0, None, None, None, 0, False, [None]]]
        self.assertEqual(self.asked(body, ["next", 512]), emitted)

    def test_says_what_is_wrong(self) -> None:
        bodies = {
            "raise ValueError('no luck')": "ValueError: no luck",
            "self.emit_batch({'m': [1]})": "no column 'n', which is a field of the stream; there are m",
            "self.emit_batch({'n': [1]}, ids=[1, 2])": "ids has 2 elements for 1 rows",
            "self.emit_batch({'n': [1, 2]}, ids=[1])": "ids has 1 elements for 2 rows",
            "self.emit_batch({'n': [1]}, ids=7)": "ids are whole numbers of 64 bits, or text: ",
            "self.emit_batch({'n': [1]}, ids=[1.5])": "ids are whole numbers of 64 bits, or text, and not double",
            "self.emit_batch({'n': [1]}, ids=[True])": "ids are whole numbers of 64 bits, or text, and not bool",
            "self.emit_batch({'n': [1]}, ids=['\\ud800'])": "ids are whole numbers of 64 bits, or text: column 'ids': the text contains",
            "self.emit_batch({'n': [1]}, ids=[[1]])": "ids are whole numbers of 64 bits, or text, and not list",
            "self.emit_batch({'n': [1]}, ids=[1 << 63])": "ids are whole numbers of 64 bits, or text",
            "self.emit_batch({'n': [1]}, ids=[1 << 70])": "ids are whole numbers of 64 bits, or text: ",
            "self.emit_batch({'n': [1, 2]}, ids=[1, 'a'])": "ids are whole numbers of 64 bits, or text: ",
            "self.emit([1], tup_id=(1, 2))": "ids are whole numbers of 64 bits, or text, and not list",
            "self.emit_batch(7)": "this int cannot be columns: ",
            "self.emit_batch([object()])": "this list cannot be columns: ",
            "self.emit_batch({'n': [1], 'm': [1, 2]})": "this dict cannot be columns: ",
        }
        for body, problem in bodies.items():
            with self.subTest(body):
                self.assertIn(problem, self.refused(body))


if __name__ == "__main__":
    unittest.main()

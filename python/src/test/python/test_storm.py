# SPDX-License-Identifier: Apache-2.0
"""Tests of thalweg.storm: a parent that speaks the protocol, as Storm does, and as Thalweg does."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from typing import Any, Optional

MAIN = os.path.join(os.path.dirname(__file__), "..", "..", "main", "python")
sys.path.insert(0, MAIN)

from thalweg import _msgpack  # noqa: E402

MAGIC = 0x5448464D

BOLT = """
from thalweg.storm import Bolt

class Double(Bolt):
    def process(self, tup):
        print("to the log")
        if tup.values[0] < 0:
            raise ValueError("negative")
        tasks = self.emit([tup.values[0] * 2], need_task_ids=tup.values[0] == 7)
        if tasks:
            self.emit([tasks])

Double().run()
"""

SAME = """
from thalweg.storm import Bolt

class Same(Bolt):
    def process(self, tup):
        text = "a\\ud800" if tup.values[0] in ("half", "raise") else tup.values[0]
        self.log(text)
        if tup.values[0] == "raise":
            raise ValueError(text)
        self.emit([text])

Same().run()
"""

CHANGING = """
from thalweg.storm import Bolt

class Changing(Bolt):
    def process(self, tup):
        values = [0]
        for n in range(3):
            values[0] = n
            self.emit(values)
        values[0] = 9

Changing().run()
"""

EMPTYING = """
from thalweg.storm import Bolt

class Emptying(Bolt):
    def process_batch(self, tuples):
        while tuples:
            self.emit([tuples.pop().values[0]])

Emptying().run()
"""

TALKING = """
import threading
from thalweg.storm import Bolt

class Talking(Bolt):
    def process(self, tup):
        threads = [threading.Thread(target=self.talk, args=(letter,)) for letter in "ab"]
        for each in threads:
            each.start()
        for each in threads:
            each.join()

    def talk(self, letter):
        for _ in range(20):
            self.log(letter * 300_000)

Talking().run()
"""


class Parent:
    """Starts a child and greets it."""

    #: What the child is told of the topology.
    context: dict[str, Any] = {}

    def __init__(self, script: str, framings: list[str], context: Optional[dict[str, Any]] = None) -> None:
        self.context = context or self.context
        self.folder = tempfile.TemporaryDirectory()
        self.child = subprocess.Popen(
            [sys.executable, "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": MAIN, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        conf = {"topology.multilang.framings": framings} if framings else {}
        self.send({"pidDir": self.folder.name, "conf": conf, "context": {"taskid": 3, **self.context}})
        self.greeting = self.read()

    def send(self, message: Any) -> None:
        self.write(json.dumps(message).encode() + b"\nend\n")

    def send_frame(self, *messages: Any) -> None:
        data = _msgpack.packb(list(messages))
        self.write(struct.pack(">II", MAGIC, len(data)) + data)

    def write(self, data: bytes) -> None:
        self.child.stdin.write(data)
        self.child.stdin.flush()

    def read(self) -> Any:
        lines = []
        while True:
            line = self.child.stdout.readline()
            if not line:
                raise EOFError
            if line == b"end\n":
                return json.loads(b"".join(lines))
            lines.append(line)

    def read_frames(self, many: int) -> list[Any]:
        messages: list[Any] = []
        while len(messages) < many:
            magic, size = struct.unpack(">II", self.child.stdout.read(8))
            assert magic == MAGIC
            messages += _msgpack.unpackb(self.child.stdout.read(size))
        return messages

    def close(self) -> int:
        self.child.stdin.close()
        code = self.child.wait(300)
        self.child.stdout.close()
        self.folder.cleanup()
        return code


class StormTest(unittest.TestCase):
    def test_json_where_nothing_else_is_offered(self) -> None:
        parent = Parent(BOLT, [])
        self.assertEqual(parent.greeting, {"pid": parent.child.pid})
        self.assertEqual(os.listdir(parent.folder.name), [str(parent.child.pid)])
        parent.send({"id": "a1", "comp": "n", "stream": "default", "task": 2, "tuple": [4]})
        self.assertEqual(
            parent.read(), {"command": "emit", "tuple": [8], "need_task_ids": False, "anchors": ["a1"]}
        )
        self.assertEqual(parent.read(), {"command": "ack", "id": "a1"})
        parent.send({"id": "h", "comp": None, "stream": "__heartbeat", "task": -1, "tuple": []})
        self.assertEqual(parent.read(), {"command": "sync"})
        parent.send({"id": "a2", "comp": "n", "stream": "default", "task": 2, "tuple": [7]})
        self.assertTrue(parent.read()["need_task_ids"])
        parent.send({"id": "a3", "comp": "n", "stream": "default", "task": 2, "tuple": [1]})  # before the tasks
        parent.send([5, 6])
        self.assertEqual(parent.read()["tuple"], [[5, 6]])
        self.assertEqual(parent.read(), {"command": "ack", "id": "a2"})
        self.assertEqual(parent.read()["tuple"], [2])
        self.assertEqual(parent.read(), {"command": "ack", "id": "a3"})
        parent.send({"id": "a4", "comp": "n", "stream": "default", "task": 2, "tuple": [-1]})
        self.assertIn("ValueError: negative", parent.read()["msg"])
        self.assertEqual(parent.read(), {"command": "fail", "id": "a4"})
        self.assertEqual(parent.close(), 0)

    def test_frames_where_they_are_offered(self) -> None:
        parent = Parent(BOLT, ["other", "msgpack-1"])
        self.assertEqual(parent.greeting, {"pid": parent.child.pid, "framing": "msgpack-1"})
        parent.send_frame([4, 0, "n", "default", 2], [0, 1, 0, [4]], [2], [0, 2, 0, [5]])
        self.assertEqual(
            parent.read_frames(5),
            [[0, None, None, [1], 0, False, [8]], [1, 1], [3], [0, None, None, [2], 0, False, [10]], [1, 2]],
        )
        parent.send_frame([0, 3, 0, [7]])
        self.assertEqual(parent.read_frames(1), [[0, None, None, [3], 0, True, [14]]])
        parent.send_frame([1, [5]])
        self.assertEqual(parent.read_frames(2), [[0, None, None, [3], 0, False, [[5]]], [1, 3]])
        self.assertEqual(parent.close(), 0)

    def test_sends_what_was_emitted_and_not_what_became_of_it(self) -> None:
        parent = Parent(CHANGING, [])
        self.execute(parent, "x")
        self.assertEqual([parent.read()["tuple"] for _ in range(3)], [[0], [1], [2]])
        self.assertEqual(parent.close(), 0)
        parent = Parent(CHANGING, ["msgpack-1"])
        self.execute(parent, "x")
        self.assertEqual([each[6] for each in parent.read_frames(4)[:3]], [[0], [1], [2]])
        self.assertEqual(parent.close(), 0)

    def test_acks_all_of_a_batch_whose_list_it_has_emptied(self) -> None:
        parent = Parent(EMPTYING, [])
        self.execute(parent, "x")
        self.assertEqual(parent.read()["anchors"], ["1"])
        self.assertEqual(parent.read(), {"command": "ack", "id": "1"})
        self.assertEqual(parent.close(), 0)
        parent = Parent(EMPTYING, ["msgpack-1"])
        parent.send_frame([4, 0, "s", "default", 2], [0, 1, 0, ["x"]], [0, 2, 0, ["y"]])
        self.assertEqual(
            parent.read_frames(4),
            [[0, None, None, [1, 2], 0, False, ["y"]], [0, None, None, [1, 2], 0, False, ["x"]], [1, 1], [1, 2]],
        )
        self.assertEqual(parent.close(), 0)

    def test_json_of_several_threads_is_not_mixed(self) -> None:
        parent = Parent(TALKING, [])
        self.execute(parent, "x")
        texts = [parent.read()["msg"] for _ in range(40)]
        self.assertEqual(sorted(texts), 20 * ["a" * 300_000] + 20 * ["b" * 300_000])
        self.assertEqual(parent.read(), {"command": "ack", "id": "1"})
        self.assertEqual(parent.close(), 0)

    def test_json_carries_half_a_surrogate_pair(self) -> None:
        parent = Parent(SAME, [])
        self.execute(parent, "a\ud800")
        self.assertEqual(parent.read(), {"command": "log", "level": 2, "msg": "a\ud800"})
        self.assertEqual(parent.read()["tuple"], ["a\ud800"])
        self.assertEqual(parent.close(), 0)

    def test_frames_fail_a_tuple_with_half_a_surrogate_pair(self) -> None:
        parent = Parent(SAME, ["msgpack-1"], {"componentid": "same", "stream->outputfields": {"default": ["t"]}})
        self.execute(parent, "half")
        log, error, fail = parent.read_frames(3)
        self.assertEqual(log, [4, 2, "a\\ud800"])
        self.assertTrue(
            error[1].endswith(
                "ValueError: a tuple of 'same', stream 'default', cannot be sent: field 't': the text contains half a"
                " surrogate pair, which UTF-8 cannot encode\n"
            ),
            error,
        )
        self.assertEqual(fail, [2, 1])
        self.execute(parent, "raise")
        _, error, fail = parent.read_frames(3)
        self.assertTrue(error[1].endswith("ValueError: a\\ud800\n"), error)
        self.assertEqual(fail, [2, 1])
        self.assertEqual(parent.close(), 0)

    @staticmethod
    def execute(parent: Parent, value: str) -> None:
        if "framing" in parent.greeting:
            parent.send_frame([4, 0, "s", "default", 2], [0, 1, 0, [value]])
        else:
            parent.send({"id": "1", "comp": "s", "stream": "default", "task": 2, "tuple": [value]})


if __name__ == "__main__":
    unittest.main()

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
from typing import Any

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


class Parent:
    """Starts a child and greets it."""

    #: What the child is told of the topology.
    context: dict[str, Any] = {}

    def __init__(self, script: str, framings: list[str]) -> None:
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
        code = self.child.wait(30)
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


if __name__ == "__main__":
    unittest.main()

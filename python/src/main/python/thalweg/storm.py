# SPDX-License-Identifier: Apache-2.0
"""Spouts and bolts of Apache Storm in Python.

They run in topologies of Storm, by its JSON protocol, and faster in Thalweg (``thalweg storm run``), which offers packed
frames: many tuples at once, as MessagePack. The child chooses while it greets; nothing in a component depends on it. ::

    from thalweg.storm import Bolt

    class Split(Bolt):
        def process(self, tup):
            for word in tup.values[0].split():
                self.emit([word])

    if __name__ == "__main__":
        Split().run()

What is printed goes to standard error, and so to the log.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import threading
import time
import traceback
from collections import deque
from typing import Any, BinaryIO, Optional, Sequence, Union

from thalweg import _rows, _worker

__all__ = ["Bolt", "Spout", "Tuple"]

_FRAMINGS = "topology.multilang.framings"
_PACKED = "msgpack-1"
_HEAD = struct.Struct(">II")
_ARRAY = struct.Struct(">BI")
_MAGIC = 0x5448464D
_INPUT, _TASKS, _HEARTBEAT, _COMMAND, _SOURCE = range(5)
_EMIT, _ACK, _FAIL, _SYNC, _LOG, _ERROR, _METRIC = range(7)
_NAMES = ("emit", "ack", "fail", "sync", "log", "error", "metrics")

#: A message does not wait longer than this for others, in seconds, while a component is in a call.
FLUSH_INTERVAL = 0.005
_ENOUGH = 1 << 16

Id = Union[int, str]


class Tuple:
    """A tuple that a bolt is given."""

    __slots__ = ("id", "component", "stream", "task", "values")

    def __init__(self, id: Id, component: Optional[str], stream: str, task: int, values: list[Any]) -> None:
        self.id = id
        self.component = component
        self.stream = stream
        self.task = task
        self.values = values

    def is_tick(self) -> bool:
        """Whether it is one of those that ``topology.tick.tuple.freq.secs`` asks for."""
        return self.component == "__system" and self.stream == "__tick"

    def __repr__(self) -> str:
        return "Tuple(%r, %r, %r, %r, %r)" % (self.id, self.component, self.stream, self.task, self.values)


class _Json:
    """Storm's own protocol: a text, and a line ``end``. Each message is sent at once."""

    packed = False

    def __init__(self, requests: BinaryIO, answers: int) -> None:
        self._requests = requests
        self._answers = answers

    def read(self) -> Optional[list[Any]]:
        lines = []
        while True:
            line = self._requests.readline()
            if not line:
                return None
            if line.rstrip(b"\r\n") == b"end":
                return [json.loads(b"".join(lines))]
            lines.append(line)

    def write(self, message: Any) -> None:
        _write(self._answers, json.dumps(message, default=_rows.default).encode("utf-8") + b"\nend\n")

    def send(self, message: Sequence[Any]) -> None:
        kind = message[0]
        told: dict[str, Any] = {"command": _NAMES[kind]}
        if kind == _EMIT:
            _, stream, id, anchors, task, needs_tasks, values = message
            told["tuple"] = list(values)
            told["need_task_ids"] = needs_tasks
            if stream is not None:
                told["stream"] = stream
            if id is not None:
                told["id"] = id
            if anchors is not None:
                told["anchors"] = list(anchors)
            if task:
                told["task"] = task
        elif kind in (_ACK, _FAIL):
            told["id"] = message[1]
        elif kind == _LOG:
            told["level"], told["msg"] = message[1], message[2]
        elif kind == _ERROR:
            told["msg"] = message[1]
        elif kind == _METRIC:
            told["name"], told["params"] = message[1], message[2]
        self.write(told)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass


class _Packed:
    """Frames of many messages. What is sent waits for others: until the next read, or for ``FLUSH_INTERVAL``."""

    packed = True

    def __init__(self, requests: BinaryIO, answers: int) -> None:
        self._requests = requests
        self._answers = answers
        self._pack, self._unpack, _ = _worker._message_pack()
        self._waiting: list[bytes] = []
        self._size = 0
        self._lock = threading.Lock()
        self._begun = threading.Event()
        threading.Thread(target=self._flush_late, daemon=True, name="thalweg flush").start()

    def read(self) -> Optional[list[Any]]:
        head = self._requests.read(8)
        if len(head) < 8:
            return None
        magic, size = _HEAD.unpack(head)
        if magic != _MAGIC:
            raise ValueError("what came from Java is no frame")
        data = self._requests.read(size)
        return None if len(data) < size else self._unpack(data)

    def send(self, message: Sequence[Any]) -> None:
        data = self._pack(message)
        with self._lock:
            self._waiting.append(data)
            self._size += len(data)
            if self._size >= _ENOUGH:
                self._flush()
            elif len(self._waiting) == 1:
                self._begun.set()

    def flush(self) -> None:
        with self._lock:
            self._flush()

    def _flush(self) -> None:
        waiting = self._waiting
        if waiting:
            self._waiting = []
            size, self._size = self._size, 0
            _write(
                self._answers,
                _HEAD.pack(_MAGIC, size + 5) + _ARRAY.pack(0xDD, len(waiting)) + b"".join(waiting),
            )

    def _flush_late(self) -> None:
        try:
            while True:
                self._begun.wait()
                self._begun.clear()
                time.sleep(FLUSH_INTERVAL)
                self.flush()
        except OSError:
            os._exit(1)  # Java is gone

    def close(self) -> None:
        self.flush()


def _write(to: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(to, view) :]


def _pipes() -> tuple[BinaryIO, int]:
    """Standard input and output, which are the protocol's from now on: what else writes there goes to standard error."""
    requests, answers = os.fdopen(os.dup(0), "rb", 1 << 16), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdout.flush()
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    return requests, answers


class _Component:
    """What spouts and bolts have in common."""

    _channel: Union[_Json, _Packed]

    #: The options of the topology, with those of this component over them.
    conf: dict[str, Any]

    #: What Storm tells of the task: ``componentid``, ``taskid``, ``task->component`` and others.
    context: dict[str, Any]

    def initialize(self, conf: dict[str, Any], context: dict[str, Any]) -> None:
        """Called once, before all else."""

    def log(self, text: str, level: int = 2) -> None:
        """A line for the topology's log. Levels: 0 trace, 1 debug, 2 info, 3 warning, 4 error."""
        self._channel.send((_LOG, level, text))

    def report_error(self, text: str) -> None:
        """As ``reportError`` of a collector in Java: it is counted and shown; nothing ends."""
        self._channel.send((_ERROR, text))

    def update_metric(self, name: str, params: Any) -> None:
        """Changes a metric that the component has registered in Java."""
        self._channel.send((_METRIC, name, params))

    def run(self) -> None:
        """Runs the component until the topology ends."""
        requests, answers = _pipes()
        channel = _Json(requests, answers)
        setup = channel.read()
        if setup is None:
            return
        self.conf, self.context = setup[0]["conf"], setup[0]["context"]
        pid = os.getpid()
        with open(os.path.join(setup[0]["pidDir"], str(pid)), "w"):
            pass
        if _PACKED in (self.conf.get(_FRAMINGS) or ()):
            channel.write({"pid": pid, "framing": _PACKED})
            self._channel = _Packed(requests, answers)
        else:
            channel.write({"pid": pid})
            self._channel = channel
        threading.Thread(target=_worker._watch, args=(requests,), daemon=True, name="thalweg watch").start()
        self._arrived: deque[Any] = deque()
        self._tasks: deque[list[int]] = deque()
        self._sources: dict[int, tuple[str, str, int]] = {}
        try:
            self.initialize(self.conf, self.context)
            self._serve()
            self._channel.close()
        except OSError:
            os._exit(1)  # Java is gone
        except BaseException:
            self.report_error(traceback.format_exc())
            self._channel.close()
            raise

    def _serve(self) -> None:
        raise NotImplementedError

    def _receive(self) -> bool:
        """Waits for a message at least; False at the end of input."""
        self._channel.flush()
        messages = self._channel.read()
        if messages is None:
            return False
        for message in messages:
            self._sort(message)
        return True

    def _sort(self, message: Any) -> None:
        """A task list to those who wait for it, all else to ``_arrived``."""
        if not self._channel.packed:
            if isinstance(message, list):
                self._tasks.append(message)
            elif "command" in message:
                self._arrived.append((message["command"], message.get("id")))
            elif message["task"] == -1 and message["stream"] == "__heartbeat":
                self._arrived.append(None)
            else:
                self._arrived.append(
                    Tuple(message["id"], message["comp"], message["stream"], message["task"], message["tuple"])
                )
            return
        kind = message[0]
        if kind == _INPUT:
            component, stream, task = self._sources[message[2]]
            self._arrived.append(Tuple(message[1], component, stream, task, message[3]))
        elif kind == _SOURCE:
            self._sources[message[1]] = (message[2], message[3], message[4])
        elif kind == _TASKS:
            self._tasks.append(message[1])
        elif kind == _HEARTBEAT:
            self._arrived.append(None)
        else:
            self._arrived.append((message[1], message[2]))

    def _emit(
        self,
        values: Sequence[Any],
        stream: Optional[str],
        id: Any,
        anchors: Optional[list[Id]],
        task: Optional[int],
        needs_tasks: bool,
    ) -> Optional[list[int]]:
        needs_tasks = needs_tasks and not task
        self._channel.send((_EMIT, stream, id, anchors, task or 0, needs_tasks, values))
        if not needs_tasks:
            return None
        while not self._tasks:
            if not self._receive():
                raise EOFError("the topology has ended")
        return self._tasks.popleft()


class Bolt(_Component):
    """A bolt. ``process`` is called for each tuple; ``process_batch``, if a class has it, for all that came together.

    What a call emits is anchored to what it was given, which is acked when the call returns, and fails if it raises.
    ``auto_anchor``, ``auto_ack`` and ``auto_fail`` turn these off, each for itself.
    """

    auto_anchor = True
    auto_ack = True
    auto_fail = True

    _current: list[Tuple] = []

    def process(self, tup: Tuple) -> None:
        """Called for a tuple."""
        raise NotImplementedError("a bolt needs a method process, or process_batch")

    def process_batch(self, tuples: list[Tuple]) -> None:
        """Called for all tuples that came together: one with JSON, and up to 512 with packed frames."""
        for tup in tuples:
            self._one(tup)

    def process_tick(self, tup: Tuple) -> None:
        """Called for a tick."""

    def emit(
        self,
        values: Sequence[Any],
        stream: Optional[str] = None,
        anchors: Optional[Sequence[Tuple]] = None,
        direct_task: Optional[int] = None,
        need_task_ids: bool = False,
    ) -> Optional[list[int]]:
        """Emits a tuple.

        ``anchors`` are those that the call was given, unless told. With ``need_task_ids`` it waits for the tasks that the
        tuple went to, and returns them.
        """
        if anchors is None:
            anchors = self._current if self.auto_anchor else ()
        return self._emit(values, stream, None, [each.id for each in anchors], direct_task, need_task_ids)

    def ack(self, tup: Tuple) -> None:
        """It is done."""
        self._channel.send((_ACK, tup.id))

    def fail(self, tup: Tuple) -> None:
        """It has failed, and so has the spout's tuple that it comes from."""
        self._channel.send((_FAIL, tup.id))

    def _one(self, tup: Tuple) -> None:
        self._called(self.process, tup, [tup])

    def _called(self, call: Any, argument: Any, tuples: list[Tuple]) -> None:
        self._current = tuples
        try:
            call(argument)
        except Exception:
            if not self.auto_fail:
                raise
            self.report_error(traceback.format_exc())
            for each in tuples:
                self.fail(each)
        else:
            if self.auto_ack:
                for each in tuples:
                    self.ack(each)
        finally:
            self._current = []

    def _serve(self) -> None:
        in_batches = type(self).process_batch is not Bolt.process_batch
        arrived = self._arrived
        batch: list[Tuple] = []
        while arrived or self._receive():
            while arrived:
                next = arrived.popleft()
                if next is None or next.is_tick():
                    self._batch(batch)
                    batch = []
                    if next is None:
                        self._channel.send((_SYNC,))
                    else:
                        self._called(self.process_tick, next, [next])
                elif in_batches:
                    batch.append(next)
                else:
                    self._one(next)
            self._batch(batch)
            batch = []

    def _batch(self, batch: list[Tuple]) -> None:
        if batch:
            self._called(self.process_batch, batch, batch)


class Spout(_Component):
    """A spout. ``next_tuple`` is called when there is room for a tuple, and emits one, or none."""

    def next_tuple(self) -> None:
        """Called when there is room."""
        raise NotImplementedError("a spout needs a method next_tuple")

    def ack(self, tup_id: Any) -> None:
        """The tuple with this id is done, and all that came of it."""

    def fail(self, tup_id: Any) -> None:
        """The tuple with this id has failed, or has taken too long: emit it again."""

    def activate(self) -> None:
        """Called before the first ``next_tuple``, and when the topology is activated again."""

    def deactivate(self) -> None:
        """From now on ``next_tuple`` is not called."""

    def emit(
        self,
        values: Sequence[Any],
        tup_id: Any = None,
        stream: Optional[str] = None,
        direct_task: Optional[int] = None,
        need_task_ids: bool = False,
    ) -> Optional[list[int]]:
        """Emits a tuple; with an id it will be acked or fail. ``need_task_ids`` as for a bolt."""
        self._emitted += 1
        return self._emit(values, stream, tup_id, None, direct_task, need_task_ids)

    _emitted = 0

    def _serve(self) -> None:
        arrived = self._arrived
        while arrived or self._receive():
            while arrived:
                command, argument = arrived.popleft()
                if command == "next":
                    self._next(argument if self._channel.packed else 1)
                elif command == "ack":
                    self.ack(argument)
                elif command == "fail":
                    self.fail(argument)
                elif command == "activate":
                    self.activate()
                elif command == "deactivate":
                    self.deactivate()
                self._channel.send((_SYNC,))

    def _next(self, most: int) -> None:
        """Up to so many tuples, until there is none, or until the first has waited long enough."""
        until = time.monotonic() + FLUSH_INTERVAL
        self._emitted = 0
        before = -1
        while before < self._emitted < most:
            before = self._emitted
            self.next_tuple()
            if time.monotonic() >= until:
                return

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

An ``ArrowSpout`` emits record batches of Arrow, and an ``ArrowBolt`` takes and emits them. What is printed goes to standard
error, and so to the log.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import sys
import threading
import time
import traceback
from collections import deque
from typing import Any, BinaryIO, Optional, Sequence, Union

from thalweg import _rows, _worker

__all__ = ["ArrowBolt", "ArrowSpout", "Bolt", "Rows", "Spout", "Tuple"]

_FRAMINGS = "topology.multilang.framings"
_PACKED = "msgpack-1"
_COLUMNS = "arrow-1"
_HEAD = struct.Struct(">II")
_ARRAY = struct.Struct(">BI")
_BATCH_HEAD = struct.Struct(">IIq")
_NUMBER = struct.Struct(">q")
_MAGIC = 0x5448464D
_BATCH_MAGIC = 0x54484641
_INPUT, _TASKS, _HEARTBEAT, _COMMAND, _SOURCE, _SCHEMA, _BATCH = range(7)
_EMIT, _ACK, _FAIL, _SYNC, _LOG, _ERROR, _METRIC, _ACKS, _TYPES = range(9)
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
        self._lock = threading.Lock()

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
        data = json.dumps(message, default=_rows.default).encode("utf-8") + b"\nend\n"
        with self._lock:  # a pipe takes a large message in parts, and threads of the component may write, too
            _write(self._answers, data)

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

    def __init__(self, requests: BinaryIO, answers: int, columns: bool) -> None:
        self.columns = columns
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
        if magic != _MAGIC and magic != _BATCH_MAGIC:
            raise ValueError("what came from Java is no frame")
        data = self._requests.read(size)
        if len(data) < size:
            return None
        if magic == _MAGIC:
            return self._unpack(data)
        return [(_BATCH, _NUMBER.unpack_from(data)[0], memoryview(data)[_NUMBER.size :])]

    def send(self, message: Sequence[Any]) -> None:
        try:
            data = self._pack(message)
        except UnicodeEncodeError:
            if message[0] not in (_LOG, _ERROR):
                raise
            data = self._pack((*message[:-1], _worker._plain(message[-1])))
        with self._lock:
            self._waiting.append(data)
            self._size += len(data)
            if self._size >= _ENOUGH:
                self._flush()
            elif len(self._waiting) == 1:
                self._begun.set()

    def send_batch(self, number: int, batch: Any) -> None:
        """A record batch, behind all that was sent before."""
        data = batch.serialize()
        with self._lock:
            self._flush()
            _write(self._answers, _BATCH_HEAD.pack(_BATCH_MAGIC, data.size + _NUMBER.size, number))
            _write(self._answers, data)

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


def _write(to: int, data: Any) -> None:
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
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: _worker._apart(requests, answers))
    return requests, answers


class _Refused(SystemExit):
    """Ends the child, with a line that says why."""


class _Component:
    """What spouts and bolts have in common."""

    _channel: Union[_Json, _Packed]

    #: The framings that it can speak beside JSON, the best first.
    _framings: Sequence[str] = (_PACKED,)

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
        if threading.current_thread() is threading.main_thread():
            for name in ("SIGINT", "SIGHUP"):  # of the terminal, which are Java's business: it ends the component when it may
                if hasattr(signal, name):
                    signal.signal(getattr(signal, name), signal.SIG_IGN)
        requests, answers = _pipes()
        channel = _Json(requests, answers)
        setup = channel.read()
        if setup is None:
            return
        self.conf, self.context = setup[0]["conf"], setup[0]["context"]
        pid = os.getpid()
        with open(os.path.join(setup[0]["pidDir"], str(pid)), "w"):
            pass
        offered = self.conf.get(_FRAMINGS) or ()
        framing = next((each for each in self._framings if each in offered), None)
        if framing is not None:
            channel.write({"pid": pid, "framing": framing})
            self._channel = _Packed(requests, answers, framing == _COLUMNS)
        else:
            channel.write({"pid": pid})
            self._channel = channel
        threading.Thread(target=_worker._watch, args=(requests.fileno(),), daemon=True, name="thalweg watch").start()
        self._arrived: deque[Any] = deque()
        self._tasks: deque[list[int]] = deque()
        self._sources: dict[int, tuple[str, str, int]] = {}
        self._schemas: dict[int, tuple[str, str, bytes]] = {}
        if framing == _COLUMNS:
            _worker._widen(requests, answers)
        try:
            self.initialize(self.conf, self.context)
            self._serve()
            self._channel.close()
        except OSError:
            os._exit(1)  # Java is gone
        except _Refused as e:
            self.report_error(str(e))
            self._channel.close()
            raise
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
        elif kind == _SCHEMA:
            self._schemas[message[1]] = (message[2], message[3], message[4])
        elif kind == _BATCH:
            self._arrived.append((*self._schemas[message[1]], message[2]))
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
        try:
            self._channel.send((_EMIT, stream, id, anchors, task or 0, needs_tasks, values))
        except UnicodeEncodeError:
            raise ValueError(self._half(values, stream)) from None
        if not needs_tasks:
            return None
        while not self._tasks:
            if not self._receive():
                raise EOFError("the topology has ended")
        return self._tasks.popleft()

    def _half(self, values: Sequence[Any], stream: Optional[str]) -> str:
        """Which field has a text that cannot be sent."""
        pack = self._channel._pack  # type: ignore[union-attr]
        names = (self.context.get("stream->outputfields") or {}).get(stream or "default") or ()
        problem = _rows.HALF
        for at, each in enumerate(values):
            try:
                pack(each)
            except UnicodeEncodeError as e:
                field = "field '%s'" % names[at] if at < len(names) else "value %d" % at
                problem = "%s: %s" % (field, _rows.problem(each, pack, e))
                break
        component = self.context.get("componentid")
        return "a tuple of '%s', stream '%s', cannot be sent: %s" % (component, stream or "default", problem)


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
        return self._emit(values, stream, None, self._ids(anchors), direct_task, need_task_ids)

    def _ids(self, anchors: Optional[Sequence[Any]]) -> list[Id]:
        if anchors is None:
            anchors = self._current if self.auto_anchor else ()
        return [each.id for each in anchors]

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
            self._called(self.process_batch, list(batch), batch)  # whose own list it may empty, and all are acked


class Rows:
    """The rows of a batch that an ``ArrowBolt`` was given, to anchor to, to ack and to fail: a row is named by its place."""

    __slots__ = ("component", "stream", "_ids", "_answered")

    def __init__(self, component: str, stream: str, ids: Any) -> None:
        #: Which component emitted them, and on which stream.
        self.component = component
        self.stream = stream
        self._ids = ids
        self._answered: set[int] = set()

    def __len__(self) -> int:
        return len(self._ids)

    def _open(self) -> list[int]:
        return [at for at in range(len(self)) if at not in self._answered]


class _Columnar(_Component):
    """What spouts and bolts that emit record batches have in common. Before ``Spout`` and ``Bolt`` in a list of bases."""

    _framings = (_COLUMNS, _PACKED)

    def run(self) -> None:
        try:
            from thalweg import _storm_arrow
        except ImportError as e:
            sys.exit(
                "%s uses record batches of Arrow, and pyarrow cannot be imported (%s); install it for %s: pip install pyarrow"
                % (type(self).__name__, e, sys.executable)
            )
        self._arrow = _storm_arrow
        self._numbers: dict[Optional[str], tuple[int, list[Any]]] = {}
        super().run()

    @property
    def _columnar(self) -> bool:
        return self._channel.packed and self._channel.columns

    def _batch_of(self, columns: Any, stream: Optional[str]) -> Any:
        return self._arrow.emitted(columns, (self.context.get("stream->outputfields") or {}).get(stream or "default"))

    def _send_rows(self, batch: Any, last: Any, stream: Optional[str], *of_last: str) -> None:
        """Rows in the types that Java reads, with a last column, of whose type it is told if it may be of several."""
        types: list[Any] = [[str(each) for each in batch.schema.types], *of_last]
        number, known = self._numbers.get(stream, (len(self._numbers), None))
        if known != types:
            self._numbers[stream] = (number, types)
            self._channel.send((_TYPES, number, stream, *types))
        for part in self._arrow.parts(self._arrow.with_last(batch, last)):
            self._channel.send_batch(number, part)  # type: ignore[union-attr]

    @staticmethod
    def _values(batch: Any) -> Any:
        """The values of each row."""
        columns = [column.to_pylist() for column in batch.columns]
        return zip(*columns) if columns else [()] * batch.num_rows  # a stream may have no fields


class ArrowBolt(_Columnar, Bolt):
    """A bolt whose ``process_batch`` takes a ``pyarrow.RecordBatch`` with a column for each field of its tuples. Needs pyarrow.

    All tuples of a batch come from one stream; ``rows`` says from which. ``emit_batch`` emits columns, whose rows are anchored
    one by one to those of the batch. All rows are acked when the call returns, and fail if it raises, but for those that the
    bolt has acked or failed by itself. ``auto_anchor``, ``auto_ack`` and ``auto_fail`` are as for a ``Bolt``. ::

        class Double(ArrowBolt):
            def process_batch(self, batch):
                self.emit_batch({"n": pc.multiply(batch["n"], 2)})

    A whole number is an int64 in columns, as in JSON and MessagePack; times, UUIDs and decimals of Java are text.
    """

    #: The rows of the batch in a call of ``process_batch``; None outside.
    rows: Optional[Rows] = None

    def process_batch(self, batch: Any) -> None:
        """Called for all tuples of a stream that came together."""
        raise NotImplementedError("an ArrowBolt needs a method process_batch")

    def emit_batch(
        self, columns: Any, stream: Optional[str] = None, anchors: Any = None, rows: Optional[Rows] = None
    ) -> None:
        """Emits a tuple for each row of a record batch, a table, a DataFrame or a dict of arrays.

        Columns are found by the names of the stream's fields. ``anchors`` has an element for each emitted row: the place of
        the row it is anchored to, None for none, or a list of places; without elements, no row is anchored. If it is left
        out, the first row is anchored to the first, and so on. ``rows`` are those of another call, which were not acked; they
        are anchored to without ``auto_anchor``, too.
        """
        arrow = self._arrow
        batch = self._batch_of(columns, stream)
        if batch.num_rows == 0:
            return
        given = rows
        if rows is None and (anchors is not None or self.auto_anchor):
            given = self.rows
        ids = arrow.anchors(None if given is None else given._ids, anchors, batch.num_rows)
        sent = arrow.sent(batch) if self._columnar and not isinstance(ids, list) else None
        if sent is not None:
            self._send_rows(sent, ids, stream)
            return
        of_rows = ids if isinstance(ids, list) else [[] if id is None else [id] for id in ids.to_pylist()]
        for values, its in zip(self._values(batch), of_rows):
            self._emit(values, stream, None, its, None, False)

    def emit(
        self,
        values: Sequence[Any],
        stream: Optional[str] = None,
        anchors: Optional[Sequence[int]] = None,
        direct_task: Optional[int] = None,
        need_task_ids: bool = False,
    ) -> Optional[list[int]]:
        """Emits one tuple, anchored to all rows of the batch, or to those at these places."""
        return super().emit(values, stream, anchors, direct_task, need_task_ids)  # type: ignore[arg-type]

    def ack(self, rows: Union[Rows, Tuple], at: Optional[Sequence[int]] = None) -> None:
        """All rows are done, or those at these places."""
        if isinstance(rows, Tuple):
            super().ack(rows)
            return
        ids = self._answer(rows, at)
        if len(ids) > 0 and self._columnar:
            self._channel.send((_ACKS, self._arrow.as_bytes(ids)))
            return
        for id in ids.to_pylist():
            self._channel.send((_ACK, id))

    def fail(self, rows: Union[Rows, Tuple], at: Optional[Sequence[int]] = None) -> None:
        """All rows have failed, or those at these places, and so have the spouts' tuples that they come from."""
        if isinstance(rows, Tuple):
            super().fail(rows)
            return
        for id in self._answer(rows, at).to_pylist():
            self._channel.send((_FAIL, id))

    def _answer(self, rows: Rows, at: Optional[Sequence[int]]) -> Any:
        places = rows._open() if at is None else self._arrow.places(at)
        whole = at is None and len(places) == len(rows)
        ids = rows._ids if whole else self._arrow.chosen(rows._ids, places)
        rows._answered.update(places)  # last: a place that is none answers for nothing
        return ids

    def _ids(self, anchors: Optional[Sequence[Any]]) -> list[Id]:
        rows = self.rows
        if rows is None:
            return super()._ids(anchors)
        if anchors is None:
            return rows._ids.to_pylist() if self.auto_anchor else []
        return self._arrow.chosen(rows._ids, self._arrow.places(anchors)).to_pylist()

    def _serve(self) -> None:
        arrived = self._arrived
        while arrived or self._receive():
            tuples: dict[tuple[Any, str], list[Tuple]] = {}
            while arrived:
                next = arrived.popleft()
                if isinstance(next, Tuple) and not next.is_tick():
                    tuples.setdefault((next.component, next.stream), []).append(next)
                    continue
                self._take_tuples(tuples)
                if next is None:
                    self._channel.send((_SYNC,))
                elif isinstance(next, Tuple):
                    self._called(self.process_tick, next, [next])
                else:
                    component, stream, schema, data = next
                    batch, ids = self._arrow.received(data, self._arrow.schema(schema))
                    self._take(batch, Rows(component, stream, ids))
            self._take_tuples(tuples)

    def _take_tuples(self, tuples: dict[tuple[Any, str], list[Tuple]]) -> None:
        """Those of other framings."""
        for (component, stream), its in tuples.items():
            names = self.context["source->stream->fields"][component][stream]
            try:
                for batch, ids in self._arrow.of_tuples(component, names, its, self._refuse):
                    self._take(batch, Rows(component, stream, ids))
            except self._arrow.Misfit as e:
                raise _Refused(str(e)) from None
        tuples.clear()

    def _refuse(self, tup: Tuple, problem: str) -> None:
        self.report_error(problem)
        self.fail(tup)

    def _take(self, batch: Any, rows: Rows) -> None:
        self.rows = rows
        try:
            self.process_batch(batch)
        except Exception:
            if not self.auto_fail:
                raise
            self.report_error(traceback.format_exc())
            self.fail(rows)
        else:
            if self.auto_ack:
                self.ack(rows)
        finally:
            self.rows = None


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
                self._obey(*arrived.popleft())
                self._channel.send((_SYNC,))

    def _obey(self, command: str, argument: Any) -> None:
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


class ArrowSpout(_Columnar, Spout):
    """A spout whose ``next_batch`` emits columns, a tuple for each row. Needs pyarrow.

    Rows that have ids are acked or fail, each for itself; ``ack_batch`` and ``fail_batch`` get the ids of many together. ::

        class Rows(ArrowSpout):
            def initialize(self, conf, context):
                self.todo = pa.array(range(1000))

            def next_batch(self, most):
                ids, self.todo = self.todo[:most], self.todo[most:]
                self.emit_batch({"n": ids}, ids=ids)

            def fail_batch(self, ids):
                self.todo = pa.concat_arrays([ids, self.todo])

    What a stream may have open (``topology.max.spout.pending``) is kept row by row: rows that there is no room for wait in this
    process, and ``next_batch`` is not called before they are sent.
    """

    #: What ``next_batch`` is told if Java asks for one tuple after the other.
    _AT_ONCE = 512

    def next_batch(self, most: int) -> None:
        """Called when there is room, for so many rows. Emits some, or none; more than that wait until there is room."""
        raise NotImplementedError("an ArrowSpout needs a method next_batch")

    def ack_batch(self, ids: Any) -> None:
        """The rows with these ids are done, and all that came of them. An array of Arrow, of int64 or of text."""
        for each in ids.to_pylist():
            self.ack(each)

    def fail_batch(self, ids: Any) -> None:
        """The rows with these ids have failed, or have taken too long: emit them again. An array as for ``ack_batch``."""
        for each in ids.to_pylist():
            self.fail(each)

    def emit_batch(self, columns: Any, ids: Any = None, stream: Optional[str] = None) -> None:
        """Emits a tuple for each row of a record batch, a table, a DataFrame or a dict of arrays.

        Columns are found by the names of the stream's fields. ``ids`` has an element for each row, a whole number or text, or
        None for a row that is not acked; without it, no row is.
        """
        arrow = self._arrow
        batch = self._batch_of(columns, stream)
        its = arrow.ids(ids, batch.num_rows)
        sent = arrow.sent(batch) if self._columnar else None
        self._waiting.append((batch if sent is None else sent, its, stream, sent is not None))
        self._send_waiting()
        if self._waiting:
            batch, its, stream, columnar = self._waiting.pop()  # nothing is changed that waits
            self._waiting.append((arrow.kept(batch), arrow.kept_array(its), stream, columnar))

    def emit(
        self,
        values: Sequence[Any],
        tup_id: Any = None,
        stream: Optional[str] = None,
        direct_task: Optional[int] = None,
        need_task_ids: bool = False,
    ) -> Optional[list[int]]:
        """Emits a tuple, as a ``Spout`` does, behind all rows that wait: these are sent, whether there is room or not."""
        if tup_id is not None:
            self._arrow.ids([tup_id], 1)
        self._send_waiting(everything=True)
        self._room -= 1
        return super().emit(values, tup_id, stream, direct_task, need_task_ids)

    def run(self) -> None:
        self._waiting: deque[tuple[Any, Any, Optional[str], bool]] = deque()
        self._settled: list[Id] = []
        super().run()

    #: How many rows may be sent in this call.
    _room = 0

    def _send_waiting(self, everything: bool = False) -> None:
        waiting = self._waiting
        while waiting and (everything or self._room > 0):
            batch, ids, stream, columnar = waiting.popleft()
            many = batch.num_rows if everything else self._room
            if batch.num_rows > many:
                waiting.appendleft((batch.slice(many), ids.slice(many), stream, columnar))
                batch, ids = batch.slice(0, many), ids.slice(0, many)
            self._room -= batch.num_rows
            if not columnar:
                for values, id in zip(self._values(batch), ids.to_pylist()):
                    self._emit(values, stream, id, None, None, False)
            elif batch.num_rows > 0:
                self._send_rows(batch, ids, stream, str(ids.type))

    def _next(self, most: int) -> None:
        self._room = most
        self._send_waiting()
        if not self._waiting:
            self.next_batch(self._room if self._channel.packed else self._AT_ONCE)
        self._room = 0

    def _obey(self, command: str, argument: Any) -> None:
        if command in ("acks", "fails"):
            self._settle(command[:-1], self._arrow.settled(argument))
        elif command in ("ack", "fail"):  # by other framings, one after the other
            self._settled.append(argument)
            if not self._arrived or self._arrived[0][0] != command:
                ids, self._settled = self._settled, []
                self._settle(command, self._arrow.settled(ids))
        else:
            super()._obey(command, argument)

    def _settle(self, command: str, arrays: Any) -> None:
        for ids in arrays:
            (self.ack_batch if command == "ack" else self.fail_batch)(ids)

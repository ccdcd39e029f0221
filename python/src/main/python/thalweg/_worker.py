# SPDX-License-Identifier: Apache-2.0
"""The loop of a process: reads batches of rows, calls the function, writes its results. The protocol is described in
docs/decisions/0062-python.md."""

from __future__ import annotations

import faulthandler
import importlib
import os
import platform
import select
import signal
import struct
import sys
import threading
import time
import traceback
import types
from typing import Any, BinaryIO, Callable, Iterator, Optional

from thalweg import BadRecord, _msgpack, _rows

VERSION = 4

_HEAD = struct.Struct(">II")
_NUMBER = struct.Struct(">q")
_ARROW_HEAD = struct.Struct(">IIq")
_ARRAY = struct.Struct(">BI")
_NIL = b"\xc0"
_MAGIC = 0x54484C57
_ARROW_MAGIC = 0x54484C41
_MOST = 0x7FFFFFF0
_LATEST = 0x7FFFFFFFFFFFFFFF
_HELLO, _CALL = 0, 1
_READY, _RESULTS, _FAILED, _CLOSED = 0, 1, 2, 3
_GRACE_S = 3.0
_PID = os.getpid()
_F_SETPIPE_SZ = 1031  # a name in fcntl since Python 3.10
_PIPE = 1 << 20

Pack = Callable[[Any], bytes]

#: Types of states that come back as they were.
_SAME_UNPACKED = frozenset((type(None), bool, int, float, str, bytes))

#: Types of texts and numbers, which cannot be changed.
_FIXED = frozenset((bool, int, float, str))

#: Types of results of flatMap that need no check.
_ITERABLE = frozenset((list, types.GeneratorType))


def _message_pack() -> tuple[Pack, Callable[[bytes], Any], str]:
    try:
        import msgpack

        if msgpack.version < (1, 0, 0):
            raise ImportError
    except (ImportError, AttributeError):
        return _msgpack.packer(_rows.default), _msgpack.unpackb, "built in"
    pack = msgpack.Packer(default=_rows.default, use_bin_type=True, autoreset=True).pack
    unpack = msgpack.unpackb
    return (
        pack,
        lambda data: unpack(data, raw=False, strict_map_key=False),
        "msgpack " + ".".join(map(str, msgpack.version)),
    )


class _Failure(Exception):
    """A failure that is not an exception of the user's code: its text says all."""


class _Channel:
    def __init__(self, requests: BinaryIO, answers: int) -> None:
        self._requests = requests
        self._answers = answers
        self._waited_ns = 0
        self.pack, self.unpack, self.implementation = _message_pack()

    def read(self) -> Any:
        """The next message, in which rows may be a memoryview of a record batch; None at the end of input."""
        began_ns = time.perf_counter_ns()
        head = self._requests.read(8)
        self._waited_ns += time.perf_counter_ns() - began_ns
        if len(head) < 8:
            return None
        magic, size = _HEAD.unpack(head)
        if magic != _MAGIC and magic != _ARROW_MAGIC:
            raise _Failure("what came from Java is no message")
        data = self._requests.read(size)
        if len(data) < size:
            return None
        if magic == _MAGIC:
            return self.unpack(data)
        return _CALL, _NUMBER.unpack_from(data)[0], memoryview(data)[_NUMBER.size :]

    def waited(self) -> int:
        """Nanoseconds for which it has waited for messages since the last call."""
        waited_ns, self._waited_ns = self._waited_ns, 0
        return waited_ns

    def write(self, message: bytes) -> None:
        if len(message) > _MOST:
            raise _Failure("the results of a batch have %d bytes, more than a message may have" % len(message))
        self._write(_HEAD.pack(_MAGIC, len(message)) + message)

    def write_batch(self, number: int, batch: Any) -> None:
        """A record batch as the answer to the batch of this number."""
        serialized = batch.serialize()
        if serialized.size > _MOST:
            raise _Failure("the results of a batch have %d bytes, more than a message may have" % serialized.size)
        self._write(_ARROW_HEAD.pack(_ARROW_MAGIC, serialized.size + _NUMBER.size, number))
        self._write(serialized)

    def _write(self, message: Any) -> None:
        data = memoryview(message)
        while data:
            data = data[os.write(self._answers, data) :]

    def widen(self) -> None:
        _widen(self._requests, self._answers)


def _widen(requests: BinaryIO, answers: int) -> None:
    """Larger pipes, so that a batch passes at once; if that is not possible they stay as they are."""
    try:
        import fcntl

        for each in (requests.fileno(), answers):
            fcntl.fcntl(each, _F_SETPIPE_SZ, _PIPE)
    except (ImportError, OSError):
        pass


def _apart(requests: BinaryIO, answers: int) -> None:
    """In a process that the function forks: it must not answer in the place of this one, nor keep its pipes open when this one dies."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, requests.fileno(), inheritable=False)
    os.dup2(null, answers, inheritable=False)
    os.close(null)


def _end_fork(own: int) -> None:
    """Ends a process that the function has forked, and that leaves it: the rows are not its business."""
    if os.getpid() != own:
        sys.stderr.write("thalweg: a process that was forked in the function leaves it and ends; end it with os._exit(…)\n")
        sys.stderr.flush()
        os._exit(1)


def _plain(text: str) -> str:
    """As it can be sent: a text may have halves of surrogate pairs, which UTF-8 does not."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _text(failure: BaseException) -> str:
    try:
        return _plain(str(failure))
    except Exception:  # of its own __str__
        return ""


def described(failure: BaseException, own: set[str]) -> list[Any]:
    """Type, text, and the places in the user's files, innermost last."""
    _end_fork(_PID)
    if isinstance(failure, _Failure):
        return ["", _text(failure), []]
    places = [
        [frame.filename, frame.lineno, frame.name]
        for frame in traceback.extract_tb(failure.__traceback__)
        if frame.filename in own
    ]
    text = _text(failure)
    if isinstance(failure, SyntaxError) and failure.filename in own:
        places.append([failure.filename, failure.lineno or 0, "<module>"])
        text = _plain(failure.msg)
    return [type(failure).__name__, text, places]


class _Lasting:
    """The packed state of a key, which may expire between two rows. To and from Java it has its end before it."""

    def __init__(self, packed: Any, times: list[Any], lives: Any) -> None:
        self.packed = packed
        self._times = times[0] if times else None
        self._ttl_ms = lives[0] if times else 0
        self._until = 0
        if self._times is not None and packed is not None:
            self._until = _NUMBER.unpack_from(packed)[0]
            self.packed = packed[_NUMBER.size :]

    def expire(self, at: int) -> bool:
        """Whether the row at this place comes after the end of the state, which is None then."""
        if self._times is None or self.packed is None or self._times[at] < self._until:
            return False
        self.packed = None
        return True

    def write(self, packed: Any, at: int) -> None:
        """The state that the row at this place has left."""
        self.packed = packed
        if self._times is not None:
            self._until = min(self._times[at] + self._ttl_ms, _LATEST)

    def runs(self, rows: int) -> Iterator[tuple[int, int]]:
        """Where lists of rows begin and end: what a row has left lives for the next one of its list."""
        begin = 0
        if self._times is not None:
            for at in range(1, rows):
                if self._times[at] - self._times[at - 1] >= self._ttl_ms:
                    yield begin, at
                    begin = at
        yield begin, rows

    def kept(self) -> Any:
        if self._times is None or self.packed is None:
            return self.packed
        return _NUMBER.pack(self._until) + self.packed


class _Unsent(_Failure):
    """A result that cannot be packed."""


class _Answers:
    """What becomes of the rows of a batch. Results are packed as they come, since the function may change them afterwards."""

    def __init__(self) -> None:
        self.packed: list[bytes] = []

        #: Reasons of bad rows, by place.
        self.bad: dict[int, str] = {}

        #: What failed, by place; -1 is the whole batch.
        self.failed: dict[int, Any] = {}

        self.function_ns = 0

    def add_bad(self, bad: BadRecord) -> None:
        self.bad[len(self.packed)] = _plain(bad.reason)
        self.packed.append(_NIL)

    def add_failed(self, reason: list[Any]) -> None:
        self.failed[len(self.packed)] = reason
        self.packed.append(_NIL)

    def add_all(self, others: _Answers) -> None:
        begin = len(self.packed)
        self.packed += others.packed
        self.bad.update((begin + at, reason) for at, reason in others.bad.items())
        self.failed.update((begin + at, reason) for at, reason in others.failed.items())

    def fail(self, reason: list[Any]) -> None:
        """The whole batch has failed."""
        self.packed, self.bad, self.failed = [], {}, {-1: reason}


class _Program:
    """The user's function, and how it is called."""

    def __init__(self, hello: dict[str, Any], pack: Pack, unpack: Callable[[bytes], Any]) -> None:
        self.own = set(hello["files"])
        self.name = hello["function"]
        self._kind = hello["kind"]
        self._file = hello["file"]
        self.function: Any = None
        self._convert: Any = None
        self._convert_key: Any = None
        self._convert_state: Any = None
        self._pack = pack
        self._unpack = unpack
        self.keyed: bool = hello["keyed"]
        self._largest_state: int = hello["largest_state"]
        self.lives: Any = None
        self._module = hello["module"]
        self._schemas: Any = None
        self._hello = hello
        self._packing_ns = 0

    def load(self) -> None:
        try:
            module = importlib.import_module(self._module)
        except ModuleNotFoundError as e:
            e.msg += _how_to_install(e.name)
            raise
        found: Any = module
        for part in self.name.split("."):
            found = getattr(found, part, None)
        if found is None or not callable(found):
            known = sorted(
                name
                for name, value in vars(module).items()
                if callable(value) and getattr(value, "__module__", None) == module.__name__
            )
            raise _Failure(
                "%s has no function '%s'%s" % (self._file, self.name, "; it has " + ", ".join(known) if known else "")
            )
        self._batch = getattr(found, "__thalweg_batch__", False)
        self._check_state(getattr(found, "__thalweg_state__", False))
        self.lives = getattr(found, "__thalweg_ttl__", None)
        if self._batch == "arrow":
            self._offer()
        self.function = found() if isinstance(found, type) else found
        if self.arrow:
            return
        rows = "list of rows" if self._batch else "row"
        names = ("key", "state", rows) if self.keyed else (rows,)
        converts = _rows.of_parameters(self.function, self._batch, names)
        self._convert = converts[-1]
        if self.keyed:
            self._convert_key, self._convert_state = converts[:2]

    def _check_state(self, keeps: bool) -> None:
        if keeps and not self.keyed:
            raise _Failure(
                "%s of %s keeps a state for each key, and its stream has no keys; pass stream.keyBy(…)" % (self.name, self._file)
            )
        if self.keyed and not keeps:
            raise _Failure(
                "%s of %s keeps no state, and its stream has keys; mark it with @operator(state=True), or pass"
                " stream.keyBy(…).records()" % (self.name, self._file)
            )

    @property
    def arrow(self) -> bool:
        """Whether the function takes record batches."""
        return self._schemas is not None

    @property
    def takes(self) -> str:
        """What the function is called with."""
        return "arrow" if self.arrow else "batches" if self._batch else "rows"

    def _offer(self) -> None:
        if self._hello["arrow_rows"] is None:
            raise _Failure("%s of %s takes batches of Arrow: %s" % (self.name, self._file, self._hello["arrow_problem"]))
        try:
            from thalweg import _arrow
        except ImportError as e:
            raise _Failure(
                "%s of %s takes batches of Arrow, and pyarrow cannot be imported (%s); pip install pyarrow for the"
                " interpreter, or name one that has it with virtualenv(…)" % (self.name, self._file, e)
            ) from None
        self._schemas = _arrow.Schemas(self._hello["arrow_rows"], self._hello["arrow_results"])
        self._in_columns = _arrow.known
        self._misfit = _arrow.Misfit

    def of_columns(self, rows: memoryview, answers: _Answers) -> Any:
        """A record batch with a result for each row; None if they are in the answers."""
        began_ns = time.perf_counter_ns()
        try:
            batch = self._schemas.read(rows)
            made = self.function(batch)
            if self._in_columns(made):
                try:
                    made = self._schemas.results(made, batch.num_rows)
                except self._misfit as e:
                    raise _Failure("%s returned %s" % (self.name, e)) from None
                if not isinstance(made, list):
                    return made
            made = self._listed(made, batch.num_rows)
            answers.function_ns = time.perf_counter_ns() - began_ns
            self._sampled(self._add_results, made, answers)
        except BaseException as e:
            answers.fail(described(e, self.own))
        return None

    def results(self, rows: list[Any], answers: _Answers) -> None:
        """A result for each row."""
        if not self._batch:
            self._sampled(self._call_each, rows, answers)
            return
        began_ns = time.perf_counter_ns()
        try:
            given = len(rows)  # it may empty its list
            if self._convert is not None:
                rows = [self._convert(row) for row in rows]
            results = self._listed(self.function(rows), given)
            answers.function_ns = time.perf_counter_ns() - began_ns
            self._sampled(self._add_results, results, answers)
        except BaseException as e:  # also what ends a process, such as SystemExit
            answers.fail(described(e, self.own))

    def _sampled(self, do: Callable[[list[Any], Pack, _Answers], None], rows: list[Any], answers: _Answers) -> None:
        """Does something for each row. What is not packing is the function; the last row tells how long packing takes, since to
        ask the clock for each would take longer."""
        began_ns = time.perf_counter_ns()
        do(rows[:-1], self._pack, answers)
        do(rows[-1:], self._timed_pack, answers)
        packing_ns = self._packed_ns() * len(rows)
        answers.function_ns += max(0, time.perf_counter_ns() - began_ns - packing_ns)

    def _timed_pack(self, value: Any) -> bytes:
        began_ns = time.perf_counter_ns()
        packed = self._pack(value)
        self._packing_ns += time.perf_counter_ns() - began_ns
        return packed

    def _packed_ns(self) -> int:
        packing_ns, self._packing_ns = self._packing_ns, 0
        return packing_ns

    def _call_each(self, rows: list[Any], pack: Pack, answers: _Answers) -> None:
        convert, call, sent, add = self._convert, self.function, self._sent, answers.packed.append
        for row in rows:
            try:
                if convert is not None:
                    row = convert(row)
                add(sent(call(row), pack))
            except BadRecord as bad:
                answers.add_bad(bad)
            except BaseException as e:
                answers.add_failed(described(e, self.own))

    def _add_results(self, results: list[Any], pack: Pack, answers: _Answers) -> None:
        """Those of a function of batches: one that is not what it must be fails all of them."""
        sent, add = self._sent, answers.packed.append
        for each in results:
            if isinstance(each, BadRecord):
                answers.add_bad(each)
                continue
            try:
                add(sent(each, pack))
            except BadRecord as bad:
                answers.add_bad(bad)
            except _Unsent as e:
                answers.add_failed(described(e, self.own))

    def by_key(self, keys: list[Any], rows: list[Any], answers: _Answers) -> list[Any]:
        """The new state of each key, packed; and a result for each row, of which none is the whole batch."""
        states, at, count = [], 0, 0
        began_ns = time.perf_counter_ns()
        for key, state, count, *times in keys:
            part = rows[at : at + count]
            at += count
            pack = self._pack if at < len(rows) else self._timed_pack
            try:
                if self._convert_key is not None:
                    key = self._convert_key(key)
                of_key = self._all_of_key if self._batch else self._each_of_key
                state = of_key(key, state, part, times, pack, answers)
            except BaseException as e:
                reason = described(e, self.own)
                for _ in part:
                    answers.add_failed(reason)
            states.append(state)
        packing_ns = self._packed_ns() * len(rows) // max(1, count)
        answers.function_ns = max(0, time.perf_counter_ns() - began_ns - packing_ns)
        return states

    def _all_of_key(
        self, key: Any, packed: Any, rows: list[Any], times: list[Any], pack: Pack, answers: _Answers
    ) -> Any:
        if self._convert is not None:
            rows = [self._convert(row) for row in rows]
        lasting = _Lasting(packed, times, self.lives)
        of_key = _Answers()
        for begin, end in lasting.runs(len(rows)):
            lasting.expire(begin)
            state, results = self._two(self.function(key, self._unpacked(lasting.packed, key), rows[begin:end]))
            self._add_results(self._listed(results, end - begin), pack, of_key)
            lasting.write(self._packed(state, key), end - 1)
        answers.add_all(of_key)
        return lasting.kept()

    def _each_of_key(
        self, key: Any, packed: Any, rows: list[Any], times: list[Any], pack: Pack, answers: _Answers
    ) -> Any:
        """Between two rows a state is packed and unpacked, so that it does not matter which of them came in one batch."""
        lasting = _Lasting(packed, times, self.lives)
        state, known = None, False
        for at, row in enumerate(rows):
            try:
                if lasting.expire(at) or not known:
                    state = self._unpacked(lasting.packed, key)
                known = False
                if self._convert is not None:
                    row = self._convert(row)
                state, result = self._two(self.function(key, state, row))
                sent = self._sent(result, pack)
                lasting.write(self._packed(state, key), at)
                known = self._convert_state is None and type(state) in _SAME_UNPACKED
                answers.packed.append(sent)
            except BadRecord as bad:
                answers.add_bad(bad)
            except BaseException as e:
                answers.add_failed(described(e, self.own))
        return lasting.kept()

    def _two(self, returned: Any) -> Any:
        if type(returned) is not tuple or len(returned) != 2:
            raise _Failure(
                "%s must return the new state and %s as a tuple of two, not %s"
                % (self.name, "a list of results" if self._batch else "a result", _rows.a(returned))
            )
        return returned

    def _packed(self, state: Any, key: Any) -> Any:
        if state is None:
            return None
        try:
            packed = self._pack(state)
        except Exception as e:
            why = _rows.problem(state, self._pack, e)
            raise _Failure("%s returned a state for key %r that cannot be saved: %s" % (self.name, key, why)) from None
        if len(packed) > self._largest_state:
            raise _Failure(
                "%s returned a state of %d bytes for key %r, and at most %d are kept; allow more with largestState(…)"
                % (self.name, len(packed), key, self._largest_state)
            )
        return packed

    def _unpacked(self, packed: Any, key: Any) -> Any:
        if packed is None:
            return None
        state = self._unpack(packed)
        if self._convert_state is None:
            return state
        try:
            return self._convert_state(state)
        except Exception as e:
            raise _Failure("the state of key %r cannot be passed to %s: %s" % (key, self.name, e)) from None

    def _listed(self, results: Any, rows: int) -> list[Any]:
        if hasattr(results, "tolist"):
            results = list(results) if _rows.are_times(results) else results.tolist()
        if not isinstance(results, (list, tuple)):
            raise _Failure("%s must return a list with a result for each row, not %s" % (self.name, _rows.a(results)))
        if len(results) != rows:
            raise _Failure("%s returned %d results for %d rows" % (self.name, len(results), rows))
        return list(results)

    def _sent(self, result: Any, pack: Pack) -> bytes:
        """A result, checked and packed. A text that UTF-8 cannot encode makes it a bad record."""
        if result is None or self._kind != "map":
            flat = self._kind == "flat_map"
            if not flat or type(result) not in _ITERABLE:
                result = self._check(result)
            if flat and type(result) is not list:
                # What a generator yields is packed as it comes, since it may change an object and yield it again. Texts and
                # numbers can wait: where one is, all are, since Java takes one type.
                left = iter(result)
                packed: list[bytes] = []
                for each in left:
                    if not packed and type(each) in _FIXED:
                        result = [each, *left]
                        break
                    try:
                        packed.append(pack(each))
                    except Exception as e:
                        raise self._unsent("element %d: " % len(packed), each, e) from None
                else:
                    return _array(len(packed)) + b"".join(packed)
        try:
            return pack(result)
        except Exception as e:
            raise (result if isinstance(result, BadRecord) else self._unsent("", result, e)) from None

    def _unsent(self, place: str, value: Any, why: Exception) -> Exception:
        told = "the result of %s cannot be sent to Java: %s%s" % (self.name, place, _rows.problem(value, self._pack, why))
        return BadRecord(told) if isinstance(why, UnicodeEncodeError) else _Unsent(told)

    def _check(self, result: Any) -> Any:
        if self._kind == "map":
            if result is None:
                raise _Failure(
                    "%s returned None; return a value for each row, or leave rows out with flatMap or filter" % self.name
                )
            return result
        if self._kind == "filter":
            if hasattr(result, "item"):
                result = result.item()
            if result is not True and result is not False:
                raise _Failure("%s must return True or False, not %s" % (self.name, _rows.a(result)))
            return result
        if result is None or isinstance(result, (str, bytes, dict)) or not hasattr(result, "__iter__"):
            raise _Failure(
                "%s must return an iterable of rows, empty for none, not %s" % (self.name, _rows.a(result))
            )
        return result

    @property
    def closes(self) -> bool:
        return callable(getattr(self.function, "close", None))

    def close(self) -> None:
        if self.closes:
            self.function.close()


def _how_to_install(module: Optional[str]) -> str:
    package = (module or "").partition(".")[0]
    if not package or not sys.executable:
        return ""
    return (
        "; if it is a package, install it with %s -m pip install %s, or name an interpreter that has it with interpreter(…) or"
        " virtualenv(…); if it is a file of yours, add it with with(…)" % (sys.executable, package)
    )


def _watch(pipe: int) -> None:
    """Ends this process if Java is gone, also in the middle of a long call."""
    poll = select.poll()
    poll.register(pipe, 0)  # reports only that the other end is closed
    poll.poll()
    time.sleep(_GRACE_S)
    os._exit(1)


def _array(size: int) -> bytes:
    """How an array of MessagePack begins."""
    return _ARRAY.pack(0xDD, size)


def _answer(program: _Program, channel: _Channel, number: int, *parts: Any) -> Any:
    """The message, or a record batch."""
    answers = _Answers()
    pack = channel.pack
    states = []
    if program.keyed:
        states.append(pack(program.by_key(parts[0], parts[1], answers)))
    elif program.arrow:
        batch = program.of_columns(parts[0], answers)
        if batch is not None:
            return batch
    else:
        program.results(parts[0], answers)
    head = (_RESULTS, number, [answers.function_ns, channel.waited()], answers.bad, answers.failed)
    message = [_array(len(head) + len(states) + 1), *map(pack, head), *states, _array(len(answers.packed))]
    return b"".join(message + answers.packed)


def main(requests: BinaryIO, answers: int) -> None:
    if hasattr(signal, "SIGINT"):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is Java's business
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    channel = _Channel(requests, answers)
    hello = channel.read()
    if hello is None:
        return
    kind, version, options = hello
    if kind != _HELLO or version != VERSION:
        raise _Failure("this package speaks version %d of the protocol, and Java version %s" % (VERSION, version))
    # Not requests, whose other end is also closed at the end of the job, when the function may take its time to close.
    threading.Thread(target=_watch, args=(answers,), daemon=True, name="thalweg watch").start()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: _apart(requests, answers))
    faulthandler.enable()
    program = _Program(options, channel.pack, channel.unpack)
    timeout_s = options["timeout_ms"] / 1000
    try:
        program.load()
    except BaseException as e:
        channel.write(channel.pack([_FAILED, *described(e, program.own)]))
        return
    if program.arrow:
        channel.widen()
    channel.write(channel.pack([_READY, VERSION, platform.python_version(), channel.implementation, program.takes, program.closes, *(program.lives or (None,))]))
    try:
        _serve(channel, program, timeout_s)
    except BrokenPipeError:
        os._exit(1)  # Java is gone
    sys.stdout.flush()


def _serve(channel: _Channel, program: _Program, timeout_s: float) -> None:
    while True:
        message = channel.read()
        if message is None:
            faulthandler.dump_traceback_later(timeout_s, exit=True)
            try:
                program.close()
                closed = [_CLOSED]
            except BaseException as e:
                closed = [_FAILED, *described(e, program.own)]
            faulthandler.cancel_dump_traceback_later()
            channel.write(channel.pack(closed))
            return
        # It needs no lock of the interpreter, so it also ends code that never gives it up, and says where that was.
        faulthandler.dump_traceback_later(timeout_s, exit=True)
        answer = _answer(program, channel, *message[1:])
        _end_fork(_PID)  # before it waits for a thread that a forked process does not have
        faulthandler.cancel_dump_traceback_later()
        if isinstance(answer, bytes):
            channel.write(answer)
        else:
            channel.write_batch(message[1], answer)

# SPDX-License-Identifier: Apache-2.0
"""Functions that do what they should not."""

import os
import signal
import sys
import time

from thalweg import BadRecord


def same(value):
    return value


def hangs(value):
    if value == 3:
        while True:
            pass
    return value


def sleeps(value):
    print("asleep", flush=True)
    time.sleep(600)
    return value


def floods(value):
    for _ in range(100):
        sys.stderr.write("e" * 5_000 + "\n")
    print("stray", value)
    os.write(1, b"raw\n")
    return value


def raises(value):
    return checked(value)


def checked(value):
    if value == 1_234:
        raise ValueError("bad value\n%d" % value)
    return value


def garbles(value):
    for fd in range(3, 20):
        try:
            os.write(fd, b"hello, this is no message")
        except OSError:
            pass
    return value


def dies(value):
    print("about to die", file=sys.stderr)
    os._exit(3)


def crashes(value):
    os.kill(os.getpid(), signal.SIGSEGV)


def exits(value):
    sys.exit("enough")


def forgets(value):
    pass


def text(value):
    return {"id": "seven", "name": "x"}


def nameless(value):
    return {"id": value}


def unknown(value):
    return object()


def endless(value):
    return 1 << 70


def nested(value):
    return {"id": value, "name": ["x", object()]}


def too_big(value):
    return {"id": 1 << 70, "name": "x"}


def forks(value):
    """The process that is forked goes on with the rows, as its parent does."""
    if value == 3:
        os.fork()
    return value


def exits_forked(value):
    if value == 3 and os.fork() == 0:
        sys.exit(0)
    return value


def leaves_a_child(value):
    """Dies, and leaves a process that lives as long as a file is there."""
    if os.fork() == 0:
        while os.path.exists(__file__ + ".lives"):
            time.sleep(0.02)
        os._exit(0)
    print("about to die", file=sys.stderr)
    os._exit(3)


def half(value):
    raise ValueError("half \udc80")


def half_bad(value):
    if value == 1:
        raise BadRecord("half \udc80")
    return value


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no text")


def mute(value):
    raise Mute


class Unclosed:
    def __call__(self, value):
        return value

    def close(self):
        raise OSError("not saved")


class Closing:
    def __call__(self, value):
        return value

    def close(self):
        while True:
            time.sleep(1)


class Dying:
    def __call__(self, value):
        return value

    def close(self):
        sys.stderr.write("lost in close\n")
        os._exit(3)


class Leaving:
    """Has no close, and its process dies where it would be called."""

    asked = 0

    def __call__(self, value):
        return value

    def __getattr__(self, name):
        if name == "close":
            self.asked += 1
            if self.asked > 1:
                os._exit(3)
        raise AttributeError(name)


_KEPT = {}


def kept(value):
    """One object for all rows."""
    _KEPT["id"] = value
    _KEPT["name"] = str(value)
    return _KEPT


def kept_twice(value):
    for n in range(2):
        yield kept(2 * value + n)


def halves(value):
    return {"id": value, "name": "a\ud800" if value % 3 == 1 else "a"}

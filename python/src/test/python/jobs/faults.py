# SPDX-License-Identifier: Apache-2.0
"""Functions that do what they should not."""

import os
import signal
import sys
import time


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

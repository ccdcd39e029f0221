# SPDX-License-Identifier: Apache-2.0
"""
Hands every tuple on, as relay.py does, but speaks Storm's protocol itself: it asks for no task ids, so that it never waits
for an answer, and it reads and writes as many messages at a time as there are.
"""
import json
import os
import sys
import time

STAMPS = "stamps" in sys.argv
END = b"\nend\n"
decode = json.loads
encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def answer(message):
    if message["task"] == -1 and message["stream"] == "__heartbeat":
        return '{"command":"sync"}\nend\n'
    values = message["tuple"]
    if STAMPS:
        values[2].append(time.monotonic_ns())
    number = encode(message["id"])
    return '{"command":"emit","need_task_ids":false,"anchors":[%s],"tuple":%s}\nend\n{"command":"ack","id":%s}\nend\n' % (
        number,
        encode(values),
        number,
    )


def write(data):
    left = memoryview(data)
    while left:
        left = left[os.write(1, left) :]


def messages():
    """Yields lists of whole messages: all that a read completed."""
    pending = b""
    while True:
        data = os.read(0, 1 << 16)
        if not data:
            return
        *whole, pending = (pending + data).split(END)
        if whole:
            yield whole


def main():
    begun = False
    for whole in messages():
        if not begun:
            begun = True
            pid = str(os.getpid())
            open(os.path.join(decode(whole[0])["pidDir"], pid), "w").close()
            write(('{"pid":%s}\nend\n' % pid).encode())
            whole = whole[1:]
        answers = [answer(message) for message in map(decode, whole) if isinstance(message, dict)]
        write("".join(answers).encode())


main()

# SPDX-License-Identifier: Apache-2.0
"""Functions whose state for each key expires: they tell what they see, and then leave one or none."""

from datetime import timedelta

from thalweg import BadRecord, operator

LIFE = timedelta(milliseconds=40)


def left(number):
    return None if number % 7 == 0 else number


@operator(state=True, ttl=LIFE)
def seen(key, state, reading):
    if reading["number"] % 11 == 0:
        raise BadRecord("eleven")
    return left(reading["number"]), "%d sees %s" % (reading["id"], state)


@operator(state=True, batch=True, ttl=LIFE)
def seen_all(key, state, readings):
    results = []
    for reading in readings:
        results.append("%d sees %s" % (reading["id"], state))
        state = left(reading["number"])
    return state, results


@operator(state=True, ttl=timedelta(seconds=1), ttl_time="processing")
def last(key, state, value):
    return value, -1 if state is None else state


@operator(state=True, ttl=timedelta(days=1))
def untimed(key, state, value):
    return value, value

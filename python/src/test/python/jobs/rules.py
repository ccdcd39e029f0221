# SPDX-License-Identifier: Apache-2.0
"""What the tests of the rules call."""

import os
import sys

from thalweg import BadRecord, operator


def tripled(order):
    if order["id"] % 1000 == 7:
        raise BadRecord("unlucky %d" % order["id"])
    return {"id": order["id"], "value": order["id"] * 3, "tags": order["tags"] + [str(order["id"])]}


@operator(batch=True)
def tripled_all(orders):
    return [tripled(order) if order["id"] % 1000 != 7 else BadRecord("unlucky %d" % order["id"]) for order in orders]


def repeated(order):
    return [order["id"]] * (order["id"] % 4)


def even(order):
    return order["id"] % 2 == 0


@operator(batch=True)
def even_all(orders):
    return [order["id"] % 2 == 0 for order in orders]


def same(value):
    return value


def _added(state, order):
    state = state or {"ids": 0, "tags": []}
    state["ids"] += 1
    state["tags"] = (state["tags"] + order["tags"])[-3:]
    if order["id"] % 1000 == 7:
        raise BadRecord("unlucky %d" % order["id"])
    return state


@operator(state=True)
def numbered(key, state, order):
    state = _added(state, order)
    return state, {"id": order["id"], "value": key * 1000 + state["ids"], "tags": state["tags"]}


@operator(state=True, batch=True)
def numbered_all(key, state, orders):
    results = []
    for order in orders:
        if order["id"] % 1000 == 7:
            results.append(BadRecord("unlucky %d" % order["id"]))
            continue
        state = _added(state, order)
        results.append({"id": order["id"], "value": key * 1000 + state["ids"], "tags": state["tags"]})
    return state, results


@operator(state=True)
def every_third(key, state, order):
    """Forgets the key with each third order."""
    state = (state or 0) + 1
    return (None, True) if state == 3 else (state, False)


@operator(state=True)
def repeated_by_key(key, state, order):
    state = (state or 0) + 1
    return state, [key] * (state % 3)

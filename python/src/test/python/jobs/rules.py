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

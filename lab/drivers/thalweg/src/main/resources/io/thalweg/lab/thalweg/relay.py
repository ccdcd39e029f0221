# SPDX-License-Identifier: Apache-2.0
"""Hands every record on, as a user of Thalweg writes it: per row, with the time appended, or in record batches of Arrow."""
import time

from thalweg import operator


def relay(message):
    return message


def stamp(message):
    message["times"].append(time.monotonic_ns())
    return message


@operator(batch="arrow")
def relay_columns(messages):
    return messages

# SPDX-License-Identifier: Apache-2.0
"""Functions of planted jobs."""
import math
import time


def first(reading):
    return reading["value"]


def asked(reading):
    time.sleep(0.002)
    return reading["value"]


def computed(reading):
    return sum(math.sqrt(reading["value"] + each) for each in range(2_000))

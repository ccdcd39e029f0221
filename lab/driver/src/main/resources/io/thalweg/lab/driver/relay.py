# SPDX-License-Identifier: Apache-2.0
"""Hands every tuple on, by Storm's own storm.py. With the argument "stamps" it appends the time to the last field."""
import sys
import time

import storm


class Relay(storm.BasicBolt):
    def process(self, tup):
        values = tup.values
        if STAMPS:
            values[2].append(time.monotonic_ns())
        storm.emit(values)


STAMPS = "stamps" in sys.argv
Relay().run()

# SPDX-License-Identifier: Apache-2.0
"""Hands every tuple on, as relay.py does, by Thalweg's package, which asks for frames of MessagePack."""
import sys
import time

from thalweg.storm import Bolt


class Relay(Bolt):
    def process(self, tup):
        values = tup.values
        if STAMPS:
            values[2].append(time.monotonic_ns())
        self.emit(values)


STAMPS = "stamps" in sys.argv
Relay().run()

# SPDX-License-Identifier: Apache-2.0
"""Hands every tuple on, by Thalweg's package, in record batches of Arrow. Tuples have no lists then, so no times are added."""
from thalweg.storm import ArrowBolt


class Relay(ArrowBolt):
    def process_batch(self, batch):
        self.emit_batch(batch)


Relay().run()

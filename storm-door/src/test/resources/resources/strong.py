# SPDX-License-Identifier: Apache-2.0
# region bolt
import pyarrow.compute as pc

from thalweg.storm import ArrowBolt


class Strong(ArrowBolt):
    def process_batch(self, batch):
        strong = pc.indices_nonzero(pc.greater_equal(batch["mag"], 5))
        self.emit_batch(batch.take(strong), anchors=strong)


if __name__ == "__main__":
    Strong().run()
# endregion

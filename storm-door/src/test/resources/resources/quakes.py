# SPDX-License-Identifier: Apache-2.0
# region spout
import pyarrow as pa
import pyarrow.csv

from thalweg.storm import ArrowSpout


class Quakes(ArrowSpout):
    def initialize(self, conf, context):
        self.quakes = pa.csv.read_csv("quakes.csv")
        self.todo = pa.array(range(len(self.quakes)))

    def next_batch(self, most):
        rows, self.todo = self.todo[:most], self.todo[most:]
        self.emit_batch(self.quakes.take(rows), ids=rows)

    def fail_batch(self, ids):
        self.todo = pa.concat_arrays([ids, self.todo])


if __name__ == "__main__":
    Quakes().run()
# endregion

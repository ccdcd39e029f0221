# SPDX-License-Identifier: Apache-2.0
# region bolt
from thalweg.storm import Bolt


class Split(Bolt):
    def process(self, tup):
        for word in tup.values[0].split():
            self.emit([word])


if __name__ == "__main__":
    Split().run()
# endregion

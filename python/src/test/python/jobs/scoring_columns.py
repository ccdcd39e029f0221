# SPDX-License-Identifier: Apache-2.0
# region columns
import pyarrow.compute as pc

from thalweg import operator


@operator(batch="arrow")
def score(quakes):
    mag = pc.fill_null(quakes["mag"], 0)
    return {"place": quakes["place"], "score": pc.subtract(mag, pc.divide(quakes["depth"], 100))}


@operator(batch="arrow")
def strong(quakes):
    return quakes.to_pandas()["mag"] >= 5
# endregion

# SPDX-License-Identifier: Apache-2.0
"""How much an earthquake would shake the ground above it. Not seismology: an example of a function."""

# region function
from dataclasses import dataclass
from math import exp, log10
from typing import Optional

from thalweg import BadRecord


@dataclass
class Quake:
    place: Optional[str]
    mag: Optional[float]
    depth: Optional[float]


@dataclass
class Score:
    place: Optional[str]
    mag: float
    score: float
    level: str


def score(quake: Quake) -> Score:
    if quake.mag is None or quake.depth is None:
        raise BadRecord("no magnitude or no depth")
    # shaking grows by half an order of magnitude with each degree, and fades with the distance from the source
    distance = max(quake.depth, 0.0) + 0.0056 * exp(0.9 * quake.mag)
    shaking = 10 ** (0.5 * quake.mag - log10(distance + 1.0))
    level = "weak" if shaking < 10 else "felt" if shaking < 50 else "strong"
    return Score(quake.place, quake.mag, round(shaking, 3), level)
# endregion

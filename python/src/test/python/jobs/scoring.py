# SPDX-License-Identifier: Apache-2.0
# region score
from dataclasses import dataclass
from typing import Optional

from thalweg import BadRecord, operator


@dataclass
class Quake:
    place: str
    mag: Optional[float]
    depth: float


@dataclass
class Score:
    place: str
    score: float


def score(quake: Quake) -> Score:
    if quake.mag is None:
        raise BadRecord("no magnitude")
    return Score(quake.place, quake.mag - quake.depth / 100)
# endregion


# region batch
@operator(batch=True)
def score_all(quakes: list[Quake]) -> list[Score]:
    return [score(quake) for quake in quakes]
# endregion


# region others
def strong(quake):
    return quake["mag"] is not None and quake["mag"] >= 5


def words(quake):
    for word in quake["place"].split():
        yield word.lower()
# endregion


# region model
class Ranked:
    def __init__(self):
        self.limits = [3, 5, 7]

    def __call__(self, quake: Quake) -> int:
        return sum(quake.mag >= limit for limit in self.limits)
# endregion


# region state
@dataclass
class Seen:
    count: int
    strongest: float


@operator(state=True)
def strongest(place: str, seen: Optional[Seen], quake: Quake) -> tuple[Seen, dict]:
    if seen is None:
        seen = Seen(0, 0.0)
    seen = Seen(seen.count + 1, max(seen.strongest, quake.mag or 0.0))
    return seen, {"place": place, "score": seen.strongest}
# endregion


# region ttl
from datetime import timedelta


@operator(state=True, ttl=timedelta(hours=1))
def in_swarm(place: str, before: Optional[int], quake: Quake) -> tuple[int, int]:
    number = (before or 0) + 1
    return number, number
# endregion

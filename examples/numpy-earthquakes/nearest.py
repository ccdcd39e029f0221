# SPDX-License-Identifier: Apache-2.0
"""Which of some cities is nearest to each of many places, and how far away it is."""

# region function
from dataclasses import dataclass
from typing import Optional

import numpy as np

from thalweg import operator

CITIES = {
    "Anchorage": (-149.90, 61.22),
    "Honolulu": (-157.86, 21.31),
    "Jakarta": (106.85, -6.21),
    "Los Angeles": (-118.24, 34.05),
    "Reykjavik": (-21.94, 64.15),
    "Rome": (12.50, 41.90),
    "Salt Lake City": (-111.89, 40.76),
    "San Francisco": (-122.42, 37.77),
    "Santiago": (-70.67, -33.45),
    "Tokyo": (139.69, 35.69),
}
NAMES = list(CITIES)
LONGITUDE, LATITUDE = np.radians(np.array(list(CITIES.values()))).T
EARTH_KM = 6371.0


@dataclass
class Quake:
    place: Optional[str]
    longitude: float
    latitude: float


@dataclass
class Nearest:
    city: str
    km: float
    place: Optional[str]


@operator(batch=True)
def nearest(quakes: list[Quake]) -> list[Nearest]:
    # a row for each quake and a column for each city
    longitude = np.radians([[quake.longitude] for quake in quakes])
    latitude = np.radians([[quake.latitude] for quake in quakes])
    half = (
        np.sin((LATITUDE - latitude) / 2) ** 2
        + np.cos(latitude) * np.cos(LATITUDE) * np.sin((LONGITUDE - longitude) / 2) ** 2
    )
    km = 2 * EARTH_KM * np.arcsin(np.sqrt(half))
    which = km.argmin(axis=1)
    return [
        Nearest(NAMES[city], round(float(distance), 1), quake.place)
        for quake, city, distance in zip(quakes, which, km.min(axis=1))
    ]
# endregion

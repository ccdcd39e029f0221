#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns what JMH measured into the table of docs/performance.md: lab/micro/table.py ROUND.json...

Each file is one round: every method in a JVM of its own. The figure of a method in a round is the median of its
iterations; the ratio of a method to its floor is taken within a round, so that both saw the same machine.
Median, least and greatest are over the rounds.
"""

import json
import statistics
import sys

def case(result):
    """Class, method, parameters."""
    name, method = result["benchmark"].rsplit(".", 2)[-2:]
    return name, method, tuple(sorted(result.get("params", {}).items()))


def records_per_second(result):
    raw = [value for fork in result["primaryMetric"]["rawData"] for value in fork]
    unit = result["primaryMetric"]["scoreUnit"]
    if unit != "ns/op":
        raise SystemExit(f"{result['benchmark']}: measured in {unit} instead of ns/op")
    return 1e9 / statistics.median(raw)


def read(files):
    """Rate by case, by round."""
    rounds = []
    for file in files:
        with open(file, encoding="utf-8") as opened:
            rounds.append({case(result): records_per_second(result) for result in json.load(opened)})
    return rounds


def spread(values, digits):
    return " | ".join(f"{f(values):.{digits}f}" for f in (statistics.median, min, max))


def table(rounds):
    yield "| benchmark | method | M records/s: median | min | max | of the floor: median | min | max | rounds |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|---:|"
    cases = sorted({case for measured in rounds for case in measured}, key=lambda c: (c[0], c[2], c[1]))
    for name, method, parameters in cases:
        here = (name, method, parameters)
        floor = (name, "floor", parameters)
        rates = [measured[here] / 1e6 for measured in rounds if here in measured]
        ratios = [measured[here] / measured[floor] for measured in rounds if here in measured and floor in measured]
        compared = spread(ratios, 3) if ratios and method != "floor" else " | | "
        label = name.removesuffix("Benchmark") + "".join(f", {key}={value}" for key, value in parameters)
        yield f"| {label} | {method} | {spread(rates, 2)} | {compared} | {len(rates)} |"


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    print("\n".join(table(read(sys.argv[1:]))))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns what JMH measured into the table of docs/performance.md.

    lab/micro/table.py [--into FILE.md] ROUND.json...

Each file is one round: every method in a JVM of its own. The rate of a method in a round is the median of its
iterations; its ratio to the floor is taken within the round, so that both saw the same machine. Median, least and
greatest are over the rounds; the interval is that of the median ratio, by order statistics, from six rounds on.
With --into, the table replaces what stands between the lines "<!-- table -->" and "<!-- /table -->" of a file.
"""

import json
import math
import re
import statistics
import sys


def case(result):
    """Class, parameters, method."""
    name, method = result["benchmark"].rsplit(".", 2)[-2:]
    return name, tuple(sorted(result.get("params", {}).items())), method


def records_per_second(result):
    if result["primaryMetric"]["scoreUnit"] != "ns/op":
        raise SystemExit(f"{result['benchmark']} is not measured in ns/op")
    return 1e9 / statistics.median(value for fork in result["primaryMetric"]["rawData"] for value in fork)


def read(files):
    """For each round, the rate of each case."""
    rounds = []
    for file in files:
        with open(file, encoding="utf-8") as opened:
            rounds.append({case(result): records_per_second(result) for result in json.load(opened)})
    return rounds


def interval(values):
    """Two of the values with the true median between them in 95 of 100 cases or more; none of fewer than six."""
    n = len(values)
    below = 0.0
    rank = 0  # values that may lie outside, at each end
    while below + math.comb(n, rank) / 2**n <= 0.025:
        below += math.comb(n, rank) / 2**n
        rank += 1
    if rank == 0:
        return ""
    ordered = sorted(values)
    return f"{ordered[rank - 1]:.3f} – {ordered[n - rank]:.3f}"


def spread(values, digits):
    return [f"{of(values):.{digits}f}" for of in (statistics.median, min, max)]


def table(rounds):
    head = ["benchmark", "method", "rounds", "M records/s: median", "min", "max"]
    head += ["of the floor: median", "min", "max", "95 %"]
    lines = [head, ["---", "---"] + ["---:"] * (len(head) - 2)]
    for name, params, method in sorted({case for measured in rounds for case in measured}):
        here = (name, params, method)
        floor = (name, params, "floor")
        rates = [measured[here] / 1e6 for measured in rounds if here in measured]
        ratios = [measured[here] / measured[floor] for measured in rounds if here in measured and floor in measured]
        label = ", ".join([name.removesuffix("Benchmark")] + [f"{key}={value}" for key, value in params])
        compared = ["", "", "", ""] if method == "floor" or not ratios else spread(ratios, 3) + [interval(ratios)]
        lines.append([label, method, str(len(rates))] + spread(rates, 2) + compared)
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def put(text, file):
    with open(file, encoding="utf-8") as opened:
        whole = opened.read()
    parts = re.split(r"(<!-- table -->\n|<!-- /table -->\n)", whole)
    if len(parts) != 5:
        raise SystemExit(f"{file} has no line '<!-- table -->' followed by a line '<!-- /table -->'")
    parts[2] = f"\n{text}\n\n"
    with open(file, "w", encoding="utf-8") as opened:
        opened.write("".join(parts))


def main(arguments):
    into = None
    if arguments[:1] == ["--into"] and len(arguments) > 1:
        into, arguments = arguments[1], arguments[2:]
    if not arguments or arguments[0].startswith("-"):
        raise SystemExit(__doc__)
    text = table(read(arguments))
    if into:
        put(text, into)
    else:
        print(text)


if __name__ == "__main__":
    main(sys.argv[1:])

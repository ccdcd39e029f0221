#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what `thalweg tune` finds with all combinations of four settings.

    lab/tune/sweep.py OUT JOB.java [--set NAME=VALUE]...
    lab/tune/sweep.py out lab/drivers/thalweg/src/main/java/io/thalweg/lab/thalweg/tune/Planted.java --set kind=slow

Runs the job once with each of the 81 combinations, in random order; has it tuned from the worst settings that a person
might have left there (BAD), in a fifth of the time that the sweep and its finals take; and runs the best three of the
sweep and what was found ten times each, in random order. A time is that of the job, as --stats has it. The machine must
be quiet. OUT is a directory that is not there yet; what was tuned and said is kept in it.
"""

import itertools
import json
import pathlib
import random
import statistics
import subprocess
import sys
import time

AXES = {"parallelism": [1, 2, 4], "batch": [8, 64, 512], "queue": [2, 16, 128], "collector": ["g1", "parallel", "serial"]}
BAD = {"parallelism": 1, "batch": 8, "queue": 2, "collector": "serial"}
FINALISTS = 3
FINALS = 10
SEED = 20261130
THALWEG = str(pathlib.Path(__file__).resolve().parents[2] / "thalweg")


def called(command, out):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    (out / "last.txt").write_text(done.stdout + done.stderr)
    return done.stdout


def ran(job, settings, out):
    """Seconds that the job took."""
    stats = out / "stats.json"
    stats.unlink(missing_ok=True)
    called([THALWEG, "run", *job, "--quiet", "--tuned", str(settings), "--stats", str(stats)], out)
    return json.loads(stats.read_text())["elapsedNs"] / 1e9


def written(file, settings):
    file.write_text("".join(f"{name}: {value}\n" for name, value in settings.items()))
    return file


def swept(job, out, chance):
    """All combinations, the fastest first."""
    combinations = [dict(zip(AXES, values)) for values in itertools.product(*AXES.values())]
    chance.shuffle(combinations)
    ran(job, written(out / "one.yaml", combinations[0]), out)  # compiles the job
    times = [(ran(job, written(out / "one.yaml", each), out), each) for each in combinations]
    return sorted(times, key=lambda of: of[0])


def tuned(job, out, budget):
    """What was found, and how many runs it took."""
    file, report = out / "tuned.yaml", out / "tune.json"
    said = called(
        [THALWEG, "tune", *job, "--tuned", str(written(out / "bad.yaml", BAD)), "--budget", f"{budget}s"]
        + ["--out", str(file), "--json", str(report)], out)
    (out / "tune.txt").write_text(said)
    return file, json.loads(report.read_text())["runs"]


def finals(job, files, out, chance):
    times = {file: [] for file in files}
    for _ in range(FINALS):
        chance.shuffle(files)
        for file in files:
            times[file].append(ran(job, file, out))
    return times


def main(arguments):
    if len(arguments) < 2:
        raise SystemExit(__doc__)
    out, job = pathlib.Path(arguments[0]).resolve(), arguments[1:]
    if out.exists():
        raise SystemExit(f"{out} is there already; name a directory that is not")
    out.mkdir(parents=True)
    chance = random.Random(SEED)
    began = time.monotonic()
    times = swept(job, out, chance)
    took = time.monotonic() - began
    bad = next(seconds for seconds, each in times if each == BAD)
    print(f"sweep: {len(times)} runs, {took:.0f} s; {times[0][0]:.2f} to {times[-1][0]:.2f} s, begun with {bad:.2f} s")
    whole = len(times) + FINALISTS * FINALS
    found, runs = tuned(job, out, max(60, round(took * whole / len(times) / 5)))
    print(f"tune: {runs} runs, {runs / whole:.2f} of those of the sweep")
    files = [written(out / f"best-{i + 1}.yaml", each) for i, (_, each) in enumerate(times[:FINALISTS])] + [found]
    results = finals(job, list(files), out, chance)
    for file in files:
        values = results[file]
        print(f"{file.name}: {statistics.median(values):.2f} s ({min(values):.2f} to {max(values):.2f})")
    best = min(statistics.median(results[file]) for file in files[:-1])
    print(f"tuned has {best / statistics.median(results[found]):.2f} of the rate of the best")


if __name__ == "__main__":
    main(sys.argv[1:])

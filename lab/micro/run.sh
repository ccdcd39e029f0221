#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs benchmarks and prints the table: lab/micro/run.sh [-r ROUNDS] [NAME] [JMH-OPTION...]
# NAME is a regular expression over CLASS.method; without it all run. Each round runs every method once, in a JVM of
# its own, so that a benchmark and its floor take turns and what the machine does meanwhile comes to both.
# What it measures lies in lab/micro/target/results, one file a round. MICRO_BUILT=1 takes the build as it is.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
cd "$root"
say() { printf 'lab/micro/run.sh: %s\n' "$1" >&2; }
. cli/src/main/sh/build.sh

rounds=5
if [ "${1:-}" = -r ]; then
  rounds=${2:?-r needs a number of rounds}
  shift 2
fi
name='.*'
case ${1:-} in
  '' | -*) ;;
  *)
    name=$1
    shift
    ;;
esac

if [ -n "${MICRO_BUILT:-}" ]; then measure :; else build_and_measure -pl lab/micro -am package -DskipTests; fi
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
results=lab/micro/target/results
rm -rf "$results"
mkdir -p "$results"
round=1
while [ "$round" -le "$rounds" ]; do
  "$java" -jar lab/micro/target/dist/lib/thalweg-micro-*.jar "$name" -f 1 -foe true \
    -rf json -rff "$results/round-$round.json" "$@"
  round=$((round + 1))
done
python3 lab/micro/table.py "$results"/round-*.json

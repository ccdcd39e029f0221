#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# How long it takes from main to a topology's first tuple, on Storm's LocalCluster, with StormDoor, and by thalweg storm run, in turn,
# each time in a process of its own: lab/drivers/storm/first-tuple.sh [ROUNDS]. STORM_BUILT=1 takes the build as it is.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd -P)
cd "$root"
say() { printf 'first-tuple.sh: %s\n' "$1" >&2; }
. cli/src/main/sh/build.sh

# What the launcher builds, and keeps of its classes, at the first call.
prepare() { ./thalweg storm run --help >/dev/null; }

prepare
if [ -n "${STORM_BUILT:-}" ]; then
  measure prepare
else
  build_and_measure -Pfast -pl lab/drivers/storm -am package
fi
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
opened=
for package in java.lang java.nio sun.nio.ch java.util java.net; do
  opened="$opened --add-opens=java.base/$package=ALL-UNNAMED"
done
# shellcheck disable=SC2086 # one option each
exec "$java" $opened -cp "$root/lab/drivers/storm/target/fast/dist/lib/*" io.thalweg.lab.storm.FirstTuple "$@"

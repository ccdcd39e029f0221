#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Jobs on Kafka beside Kafka's own tools and other engines, in turn: lab/kafka/run.sh CASE [--rounds N] [--records N] [--warm-up S] [--only A,B]
# Without arguments it says which cases there are. KAFKA_BUILT=1 takes the build as it is.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
cd "$root"
say() { printf 'lab/kafka/run.sh: %s\n' "$1" >&2; }
. cli/src/main/sh/build.sh

if [ -n "${KAFKA_BUILT:-}" ]; then
  measure :
else
  build_and_measure -Pfast -pl lab/kafka,lab/drivers/kafka,lab/drivers/kstreams,lab/drivers/flink,lab/drivers/jet -am package
fi
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
exec "$java" -Xmx512m -cp 'lab/kafka/target/fast/dist/lib/*' io.thalweg.lab.topics.KafkaBenchmark "$@"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Jobs on Kafka beside Kafka's own tools and other engines, in turn: lab/kafka/run.sh CASE [--rounds N] [--records N] [--warm-up S] [--only A,B]
# Without arguments it says which cases there are. KAFKA_BUILT=1 takes the build as it is.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
cd "$root"

[ -n "${KAFKA_BUILT:-}" ] || ./mvnw -B -q -Pfast -pl lab/kafka,lab/drivers/kafka,lab/drivers/kstreams,lab/drivers/flink,lab/drivers/jet -am package
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
exec "$java" -Xmx512m -cp 'lab/kafka/target/fast/dist/lib/*' io.thalweg.lab.topics.KafkaBenchmark "$@"

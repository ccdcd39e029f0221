// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import java.time.Duration;

/** Steps per ten seconds. Every fourth phone was in a tunnel and sends up to a minute later; the bound is a second. */
public final class PhoneSensors implements TopologyDefinition {
    record Steps(int phone, long time, long steps) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, PhoneSensors::steps).rate(40_000))
                .name("phones")
                .eventTime(Steps::time, Duration.ofSeconds(1))
                .keyBy(Steps::phone)
                .window(Windows.tumbling(Duration.ofSeconds(10)))
                .aggregate(Aggregates.sum(Steps::steps))
                .name("ten-seconds")
                .to(Sinks.discard());
    }

    static Steps steps(long i) {
        long time = 1_517_900_000_000L + i;
        boolean tunnel = i % 4 == 3;
        return new Steps((int) (i % 500), tunnel ? time - 15_000 - i * 7919 % 45_000 : time, i % 3);
    }
}

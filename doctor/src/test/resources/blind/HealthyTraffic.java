// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import java.time.Duration;

/** Cars in each street and ten seconds; the bound fits the disorder, and quiet splits are idle after a second. */
public final class HealthyTraffic implements TopologyDefinition {
    record Car(int street, long time, int speed) {}

    private static final SideOutput<Car> LATE = SideOutput.of("late", Car.class);

    @Override
    public void define(Topology topology, Settings settings) {
        Stream<WindowResult<Integer, Double>> means = topology.from(
                        Sources.generate(1_000_000_000L, HealthyTraffic::car).splitInto(2).rate(60_000))
                .name("cars")
                .eventTime(Car::time, Duration.ofSeconds(3), Duration.ofSeconds(1))
                .keyBy(Car::street)
                .window(Windows.tumbling(Duration.ofSeconds(10)))
                .lateTo(LATE)
                .aggregate(Aggregates.mean(Car::speed))
                .name("means");
        means.to(Sinks.discard());
        means.side(LATE).to(Sinks.discard());
    }

    static Car car(long i) {
        return new Car((int) (i * 31 % 700), 1_517_900_000_000L + i - i * 7919 % 2_500, (int) (i % 130));
    }
}

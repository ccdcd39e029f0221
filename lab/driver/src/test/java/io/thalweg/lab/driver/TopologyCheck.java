// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Runs a topology as users write it by two drivers: both must put out the same. */
public final class TopologyCheck {
    private TopologyCheck() {}

    /** With windows, two sinks and an output that is no file in the working folder. */
    public static void shouldPutOutTheSame(Driver one, Driver other, Path folder, Map<String, String> settings)
            throws Exception {
        Path source = folder.resolve("Pairs.java");
        Files.writeString(source, """
                import io.thalweg.api.connector.*;
                import io.thalweg.api.operator.*;
                import io.thalweg.api.topology.*;
                import io.thalweg.api.window.Windows;
                import io.thalweg.files.TextLines;
                import java.time.*;

                public class Pairs implements TopologyDefinition {
                    record Pair(long key, long value) {}

                    @Override
                    public void define(Topology topology, Settings settings) {
                        Stream<Pair> pairs = topology.from(Sources.generate(settings.number("count", 1), i -> new Pair(i % 7, i)).splitInto(2))
                                .eventTime(pair -> pair.value(), Duration.ofSeconds(10));
                        pairs.keyBy(Pair::key)
                                .window(Windows.tumbling(Duration.ofSeconds(1)))
                                .aggregate(Aggregates.sum(Pair::value))
                                .map(result -> new Pair(result.key(), result.value()))
                                .to(Sinks.<Pair>print());
                        pairs.filter(pair -> pair.value() < 10).map(Pair::toString).to(TextLines.write("pairs-of-the-lab.txt"));
                    }
                }
                """);
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(Map.of("workload", "topology", "jar", source.toString(), "set.count", "5000"));
        JobFigures figures = run(one, folder, all);
        assertThat(figures.outputs().stream().mapToLong(JobFigures.Output::records))
                .containsExactly(35L, 10L, 0L, 0L, 0L);
        assertThat(run(other, folder, all).outputs()).isEqualTo(figures.outputs());
        assertThat(Path.of("pairs-of-the-lab.txt")).doesNotExist();
    }

    /** With an operator that emits from threads of its own: the one runs it, the other says in one line that it does not. */
    public static void shouldRefuseThreadsOfItsOwn(
            Driver one, Driver other, String name, Path folder, Map<String, String> settings) throws Exception {
        Path source = folder.resolve("Threaded.java");
        Files.writeString(source, """
                import io.thalweg.api.connector.*;
                import io.thalweg.api.operator.*;
                import io.thalweg.api.topology.*;

                public class Threaded implements TopologyDefinition {
                    static final class Later implements ThreadedOperator<Long, Long> {
                        @Override
                        public void start(SharedOutput<Long> output) {}

                        @Override
                        public void process(Long value, Output<Long> output) {
                            output.emit(value);
                        }
                    }

                    @Override
                    public void define(Topology topology, Settings settings) {
                        topology.from(Sources.generate(settings.number("count", 1), i -> i))
                                .process(Later::new).as(Long.class)
                                .to(Sinks.discard());
                    }
                }
                """);
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(Map.of("workload", "topology", "jar", source.toString(), "set.count", "500"));
        Cell cell = CellCheck.write(folder, all);
        one.run(cell);
        Meters.closeAll();
        assertThat(cell.folder().totals().received()).isEqualTo(500);

        assertThatThrownBy(() -> other.run(CellCheck.write(folder, all)))
                .isInstanceOf(RefusedException.class)
                .hasMessage("topology 'Threaded', operator 'process': it uses emission from threads of its own, which "
                        + name
                        + " does not support; use async() for requests that are answered, and a live source for records from"
                        + " outside");
        Meters.closeAll();
    }

    private static JobFigures run(Driver driver, Path folder, Map<String, String> settings) throws Exception {
        Cell cell = CellCheck.write(folder, settings);
        try (SocketWatch sockets = SocketWatch.start()) {
            driver.run(cell);
            sockets.shouldHaveSeenLoopbackAlone();
        }
        Meters.closeAll();
        Sample total = cell.folder().totals();
        assertThat(total.sent()).isEqualTo(5_000);
        assertThat(total.received()).isEqualTo(5 * 7 + 10);
        return JobFigures.read(cell.folder());
    }
}

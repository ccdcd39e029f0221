// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.CollectSink;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators in Python give what the same operators in Java give, on any road that runs within this JVM. */
@Timeout(300)
public abstract class PythonRulesContract {
    protected static final int PARALLELISM = 2;
    private static final long ORDERS = 5_000;
    private static final long UNLUCKY = 7;

    /** A row. */
    public record Order(long id, List<String> tags) {}

    /** A result. */
    public record Tripled(long id, double value, List<String> tags) {}

    @TempDir
    private Path folder;

    /** With a parallelism of {@link #PARALLELISM}. */
    protected abstract Runner runner();

    private PythonOperator operator(String function) {
        return Python.operator(Jobs.script(folder, "rules.py"), function);
    }

    private static Stream<Order> orders(Topology topology) {
        return topology.from(Sources.generate(ORDERS, Type.of(Order.class), PythonRulesContract::order))
                .name("orders")
                .shuffle();
    }

    private static Order order(long id) {
        return new Order(id, id % 3 == 0 ? List.of() : List.of("a", "ü" + id));
    }

    private RunningJob run(Topology topology) throws Exception {
        RunningJob job = runner().start(topology.graph());
        job.await();
        return job;
    }

    @ParameterizedTest
    @ValueSource(strings = {"tripled", "tripled_all"})
    void shouldMapRows_andCountBadOnes(String function) throws Exception {
        Topology topology = Topology.named("tripled");
        CollectSink<Tripled> sink = CollectSink.of(Tripled.class);
        operator(function).map(orders(topology), Tripled.class).to(sink);

        RunningJob job = run(topology);

        List<Tripled> expected = new ArrayList<>();
        for (long id = 0; id < ORDERS; id++) {
            if (id % 1000 != UNLUCKY) {
                List<String> tags = new ArrayList<>(order(id).tags());
                tags.add(Long.toString(id));
                expected.add(new Tripled(id, 3.0 * id, tags));
            }
        }
        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(job.stats().recordsBad()).isEqualTo(ORDERS / 1000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"even", "even_all"})
    void shouldFilterRows(String function) throws Exception {
        Topology topology = Topology.named("even");
        CollectSink<Order> sink = CollectSink.of(Order.class);
        operator(function).filter(orders(topology), Order.class).to(sink);

        run(topology);

        assertThat(sink.records())
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, ORDERS)
                        .filter(id -> id % 2 == 0)
                        .mapToObj(PythonRulesContract::order)
                        .toList());
    }

    @Test
    void shouldMakeAnyNumberOfRowsOfEach() throws Exception {
        Topology topology = Topology.named("repeated");
        CollectSink<Long> sink = CollectSink.of(Long.class);
        operator("repeated").processes(2).flatMap(orders(topology), Long.class).to(sink);

        run(topology);

        List<Long> expected = new ArrayList<>();
        for (long id = 0; id < ORDERS; id++) {
            for (long i = 0; i < id % 4; i++) {
                expected.add(id);
            }
        }
        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(expected);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.connector.StartContext;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.topology.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What sources and sinks are asked before a job starts, and what comes of their failures. */
final class SystemsReadyTest {
    private static final Duration OWN = Duration.ofSeconds(30);

    /** Not fields of the connectors, which are serializable. */
    private static final List<String> ASKED = new ArrayList<>();

    private static final AtomicLong NOW_NS = new AtomicLong();

    private final List<String> told = new ArrayList<>();
    private final RunSettings settings =
            RunSettings.defaults().withClock(NOW_NS::get).withWarnings(told::add);

    /** @param failure {@code Exception} itself for none */
    private record Waiting(String name, Class<? extends Exception> failure) implements Source<Long>, Sink<Long> {
        @Override
        public String describe() {
            return name;
        }

        @Override
        public void awaitReady(StartContext context) throws Exception {
            ASKED.add(name + " " + context.timeout(OWN) + " " + context.elapsed());
            context.tell("waiting for " + name);
            NOW_NS.addAndGet(Duration.ofSeconds(2).toNanos());
            if (failure != Exception.class) {
                throw failure.getConstructor(String.class).newInstance("no answer");
            }
        }

        @Override
        public boolean blocking() {
            return false;
        }

        @Override
        public Type<Long> type() {
            return Type.of(Long.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            throw new AssertionError("it is too early");
        }

        @Override
        public SplitReader<Long> open(String split, SourceContext context) {
            throw new AssertionError("it is too early");
        }

        @Override
        public SinkWriter<Long> open(SinkContext context) {
            throw new AssertionError("it is too early");
        }
    }

    @BeforeEach
    void forget() {
        ASKED.clear();
    }

    private static Topology topology(Class<? extends Exception> failure) {
        Topology topology = Topology.named("job");
        topology.from(new Waiting("topic", Exception.class)).to(new Waiting("table", failure));
        return topology;
    }

    private void await(Class<? extends Exception> failure, RunSettings with) {
        SystemsReady.await(topology(failure).graph(), with);
    }

    @Test
    void shouldAskAll_withTheTimeThatHasPassedSinceTheStart() {
        await(Exception.class, settings);
        assertThat(ASKED).containsExactly("topic PT30S PT0S", "table PT30S PT2S");
        assertThat(told).containsExactly("waiting for topic", "waiting for table");

        ASKED.clear();
        await(Exception.class, settings.withConnectTimeout(Duration.ofMinutes(5)));
        assertThat(ASKED).containsExactly("topic PT5M PT0S", "table PT5M PT2S");
        assertThatIllegalArgumentException().isThrownBy(() -> settings.withConnectTimeout(Duration.ofMillis(-1)));
    }

    @Test
    void shouldFailInOneLine() {
        assertThatThrownBy(() -> await(ConnectorException.class, settings))
                .isInstanceOf(JobFailedException.class)
                .hasMessage("no answer");
        assertThatThrownBy(() -> await(IOException.class, settings))
                .isInstanceOf(JobFailedException.class)
                .hasMessage("topology 'job', operator 'sink': java.io.IOException: no answer");
        assertThatThrownBy(() -> await(InterruptedException.class, settings))
                .isInstanceOf(JobFailedException.class)
                .hasMessageStartingWith("topology 'job', operator 'sink': interrupted while it waited ");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldRefuseTheTimeout_whereOtherProcessesConnect() {
        SystemsReady.checkElsewhere(topology(Exception.class).graph(), settings, "the cluster");
        assertThatThrownBy(() -> SystemsReady.checkElsewhere(
                        topology(Exception.class).graph(), settings.withConnectTimeout(OWN), "the cluster"))
                .isInstanceOf(TopologyException.class)
                .hasMessageStartingWith("topology 'job': --connect-timeout is for jobs whose tasks run in this process,"
                        + " and these connect from the cluster; ");
    }
}

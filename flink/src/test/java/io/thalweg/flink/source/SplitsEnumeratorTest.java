// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.Demand;
import io.thalweg.api.topology.Topology;
import io.thalweg.flink.report.OperatorInfo;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.junit.jupiter.api.Test;

/** What the readers of a source hear of one that cannot say what splits are new. */
final class SplitsEnumeratorTest {
    private final Map<Integer, ReaderInfo> readers = new HashMap<>();
    private final List<Object> events = new ArrayList<>();
    private Runnable discovery = () -> {};

    /** Why the source cannot be asked; empty if it can. */
    private String problem = "";

    private final class Discovered implements LiveSource<Object> {
        @Override
        public String name() {
            return "discovered";
        }

        @Override
        public Type<Object> type() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> splits(int parallelism) {
            if (!problem.isEmpty()) {
                throw new ConnectorException(problem);
            }
            return List.of("a");
        }

        @Override
        public LiveReader<Object> open(SourceContext context) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Duration discovery() {
            return Duration.ofSeconds(1);
        }
    }

    private static <T> void call(Callable<T> work, BiConsumer<T, Throwable> then) {
        T result;
        try {
            result = work.call();
        } catch (Exception e) {
            then.accept(null, e);
            return;
        }
        then.accept(result, null);
    }

    @SuppressWarnings("unchecked")
    private SplitEnumeratorContext<Split> context() {
        return (SplitEnumeratorContext<Split>) Proxy.newProxyInstance(
                SplitEnumeratorContext.class.getClassLoader(),
                new Class<?>[] {SplitEnumeratorContext.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "currentParallelism" -> 1;
                    case "registeredReaders" -> readers;
                    case "callAsync" -> {
                        Callable<Object> work = (Callable<Object>) arguments[0];
                        BiConsumer<Object, Throwable> then = (BiConsumer<Object, Throwable>) arguments[1];
                        if (arguments.length == 2) {
                            call(work, then);
                        } else {
                            discovery = () -> call(work, then);
                        }
                        yield null;
                    }
                    case "sendEventToSourceReader" -> events.add(arguments[1]);
                    case "assignSplit" -> null;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private SplitsEnumerator start() {
        Topology topology = Topology.named("discovered");
        topology.from(Sources.of(1L)).to(Sinks.discard());
        SplitsEnumerator enumerator = new SplitsEnumerator(
                context(),
                new Discovered(),
                new OperatorInfo("discovered", "source", false),
                new SplitSource.Wanted(0, Demand.of(topology.graph())),
                Assignment.NONE);
        enumerator.start();
        return enumerator;
    }

    private static ComplaintEvent told(String why) {
        return new ComplaintEvent(
                "cannot look for new splits of source discovered: " + why + "; it continues with those that it knows");
    }

    private void add(SplitsEnumerator enumerator) {
        readers.put(0, new ReaderInfo(0, "here"));
        enumerator.addReader(0);
    }

    @Test
    void shouldTellOnce_whyItCannotLookForSplits() {
        SplitsEnumerator enumerator = start();
        add(enumerator);
        events.clear();
        problem = "no broker answers";
        discovery.run();
        discovery.run();
        assertThat(events).containsExactly(told("no broker answers"));
        problem = "";
        discovery.run();
        problem = "no broker answers";
        discovery.run();
        assertThat(events).containsExactly(told("no broker answers"), told("no broker answers"));
    }

    @Test
    void shouldTellAReaderThatComesLater() {
        SplitsEnumerator enumerator = start();
        problem = "no broker answers";
        discovery.run();
        add(enumerator);
        assertThat(events).contains(told("no broker answers"));
    }

    /** It would be told what is true no more. */
    @Test
    void shouldNotTellAReaderThatComesLater_onceItCanLookAgain() {
        SplitsEnumerator enumerator = start();
        problem = "no broker answers";
        discovery.run();
        problem = "";
        discovery.run();
        add(enumerator);
        assertThat(events).isNotEmpty().noneMatch(ComplaintEvent.class::isInstance);
    }
}

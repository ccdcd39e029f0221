// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Aggregates of parts of records that their source fills again. */
final class ReusedPartsTest {
    static final class Sheet {
        List<Long> numbers = new ArrayList<>();

        List<Long> numbers() {
            return numbers;
        }
    }

    /** Lists that differ, in the same object. */
    private record Reusing(long count) implements Source<Sheet> {
        @Override
        public String name() {
            return "reusing";
        }

        @Override
        public Type<Sheet> type() {
            return Type.of(Sheet.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("all");
        }

        @Override
        public boolean reusesRecords() {
            return true;
        }

        @Override
        public SplitReader<Sheet> open(String split, SourceContext context) {
            Sheet sheet = new Sheet();
            return new SplitReader<>() {
                private long next;

                @Override
                public @Nullable Sheet poll() {
                    sheet.numbers.clear();
                    sheet.numbers.add(next);
                    sheet.numbers.add(31 * (count - next)); // all have one hash
                    return next++ < count ? sheet : null;
                }

                @Override
                public boolean finished() {
                    return next > count;
                }

                @Override
                public long position() {
                    return next;
                }
            };
        }
    }

    @Test
    void shouldCountEachListOnce() throws Exception {
        assertThat(results(Aggregates.distinct(Sheet::numbers))).containsExactly("3");
    }

    @Test
    void shouldKeepTheLeastList() throws Exception {
        assertThat(results(Aggregates.min(Sheet::numbers, (a, b) -> Long.compare(a.get(0), b.get(0)))))
                .containsExactly("[0, 93]");
    }

    private static List<String> results(Aggregate<Sheet, ?, ?> aggregate) throws Exception {
        CollectSink<String> found = CollectSink.of(Type.of(String.class));
        Topology topology = Topology.named("reused");
        topology.from(new Reusing(3))
                .window(Windows.whole())
                .aggregate(aggregate)
                .map(each -> String.valueOf(each.value()))
                .to(found);
        new EmbeddedRunner(RunSettings.defaults().withParallelism(1))
                .start(topology.graph())
                .await();
        return found.records();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.cli.stages.StagesReport.Stage;
import io.thalweg.run.JobFailedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How fast operators are here says nothing: they are given no time to become fast. */
@Tag("integration")
final class StagesTest {
    private static final Duration COLD = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final AtomicLong ADDED = new AtomicLong();
    private static final AtomicLong RESULTS = new AtomicLong();

    private static StagesReport measured(Topology topology) throws InterruptedException {
        return new Stages(topology.graph(), COLD, line -> {}).measure(100_000, LONG, null, 2);
    }

    private static Stage stage(StagesReport report, String operator) {
        return report.stages().stream()
                .filter(each -> each.operator().equals(operator))
                .findFirst()
                .orElseThrow();
    }

    private static String untimed(StagesReport report, String operator) {
        return report.untimed().stream()
                .filter(each -> each.operator().equals(operator))
                .findFirst()
                .orElseThrow()
                .why();
    }

    @Test
    void shouldTimeEachOperatorWithWhatCameToIt() throws Exception {
        Topology topology = Topology.named("Chain");
        topology.from(Sources.generate(3_000, i -> i).splitInto(3))
                .map(i -> i + 1)
                .name("add")
                .filter(i -> i % 4 == 0)
                .name("keep")
                .flatMap(i -> List.of(i, -i))
                .as(Type.of(Long.class))
                .name("twice")
                .parallelism(3)
                .to(Sinks.discard());

        StagesReport report = measured(topology);

        assertThat(report.records()).isEqualTo(3_000);
        assertThat(report.complete()).isTrue();
        assertThat(report.stages()).extracting(Stage::operator).containsExactly("add", "keep", "twice");
        assertThat(report.stages()).extracting(Stage::recordsIn).containsExactly(3_000L, 3_000L, 750L);
        assertThat(report.stages()).extracting(Stage::selectivity).containsExactly(1.0, 0.25, 2.0);
        assertThat(report.stages()).allSatisfy(stage -> {
            assertThat(stage.recordsPerSecond()).isBetween(stage.slowest(), stage.fastest());
            assertThat(stage.sourceNs()).isPositive();
        });
        assertThat(report.stages().stream().mapToDouble(Stage::share).sum()).isBetween(0.999, 1.001);
        assertThat(stage(report, "twice").notes()).contains("only 750 records came to it");
        assertThat(untimed(report, "source")).contains("3000 records, all that it has");
        assertThat(untimed(report, "sink")).contains("not opened").contains("1500 records would have come to it");
    }

    @Test
    void shouldLetWindowsFireAgainInEveryPass() throws Exception {
        Topology topology = Topology.named("Windows");
        topology.from(Sources.generate(1_000, i -> i))
                .map(i -> 2 * i)
                .name("parse")
                .eventTime(i -> 1_000 * i, Duration.ofSeconds(5))
                .keyBy(i -> i % 4)
                .window(Windows.tumbling(Duration.ofSeconds(20)))
                .aggregate(new Counted())
                .name("count")
                .map(result -> result.value())
                .name("see")
                .to(Sinks.discard());

        StagesReport report = measured(topology);

        assertThat(report.stages()).extracting(Stage::operator).containsExactly("parse", "count", "see");
        assertThat(stage(report, "parse").recordsIn()).isEqualTo(1_000);
        assertThat(untimed(report, "event-time")).contains("in the task of its source");
        assertThat(stage(report, "count").recordsIn()).isEqualTo(1_000);
        assertThat(stage(report, "count").recordsOut()).isEqualTo(200);
        assertThat(stage(report, "see").recordsIn()).isEqualTo(200);
        assertThat((double) RESULTS.get() / ADDED.get()).isBetween(0.15, 0.2);
    }

    /** Knows how often its windows fired. */
    private static final class Counted implements Aggregate<Long, long[], Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public long[] create() {
            return new long[1];
        }

        @Override
        public void add(long[] count, Long value) {
            count[0]++;
            ADDED.incrementAndGet();
        }

        @Override
        public void merge(long[] count, long[] other) {
            count[0] += other[0];
        }

        @Override
        public Long result(long[] count) {
            RESULTS.incrementAndGet();
            return count[0];
        }

        @Override
        public Type<long[]> accumulatorType() {
            return Type.of(long[].class);
        }

        @Override
        public Type<Long> resultType() {
            return Type.of(Long.class);
        }
    }

    @Test
    void shouldEndWhatIsOpenWhenThereAreEnoughRecords() throws Exception {
        Topology topology = Topology.named("Endless");
        topology.from(Sources.generate(Long.MAX_VALUE / 4, i -> i))
                .eventTime(i -> i, Duration.ZERO)
                .keyBy(i -> i % 2)
                .window(Windows.tumbling(Duration.ofDays(1)))
                .aggregate(Aggregates.count())
                .name("count")
                .map(result -> result.value())
                .name("see")
                .to(Sinks.discard());

        StagesReport report = new Stages(topology.graph(), COLD, line -> {}).measure(1_000, LONG, 1e6, 4);

        assertThat(report.complete()).isFalse();
        assertThat(report.records()).isBetween(1_000L, 2_000L);
        assertThat(stage(report, "see").recordsIn()).isEqualTo(2);
        assertThat(stage(report, "count").notes())
                .anySatisfy(note -> assertThat(note).contains("open when the recording ended"));
        assertThat(report.stages())
                .allSatisfy(stage -> assertThat(stage.wantedTasks()).isNotNull());
    }

    @Test
    void shouldFeedBothInputsOfAnOperator() throws Exception {
        Topology topology = Topology.named("Union");
        Stream<Long> one = topology.from(Sources.generate(500, i -> i));
        Stream<Long> other = topology.from(Sources.generate(700, i -> -i));
        one.union(other).map(i -> i).name("same").to(Sinks.discard());

        StagesReport report = measured(topology);

        assertThat(report.records()).isEqualTo(1_200);
        assertThat(stage(report, "same").recordsIn()).isEqualTo(1_200);
    }

    @Test
    void shouldSayWhatItDoesNotTime() throws Exception {
        Topology topology = Topology.named("Asks");
        topology.from(Sources.generate(50, i -> i))
                .async()
                .map(i -> CompletableFuture.completedFuture(i))
                .as(Type.of(Long.class))
                .name("ask")
                .filter(i -> i < 0)
                .name("none")
                .map(i -> i)
                .name("after")
                .to(Sinks.discard());

        StagesReport report = measured(topology);

        assertThat(report.stages()).extracting(Stage::operator).containsExactly("none");
        assertThat(untimed(report, "ask")).contains("waits for others");
        assertThat(untimed(report, "after")).isEqualTo("no record came to it");
    }

    @Test
    void shouldCountBadRecordsAndGoOn() throws Exception {
        Topology topology = Topology.named("Bad");
        topology.from(Sources.generate(100, i -> i))
                .map(i -> {
                    if (i % 10 == 0) {
                        throw new BadRecordException("ten", "" + i);
                    }
                    return i;
                })
                .name("check")
                .to(Sinks.discard());

        StagesReport report = measured(topology);

        assertThat(report.recordsBad()).isEqualTo(10);
        assertThat(stage(report, "check").recordsOut()).isEqualTo(90);
        assertThat(StagesText.of(report)).contains("bad records: 10");
    }

    @Test
    void shouldSayInOneLineWhyNothingCanBeTimed() {
        Topology failing = Topology.named("Failing");
        failing.from(Sources.generate(100, i -> i))
                .map(i -> 100 / (50 - i))
                .name("divide")
                .to(Sinks.discard());
        Topology nothing = Topology.named("Nothing");
        nothing.from(Sources.generate(0, i -> i)).map(i -> i).to(Sinks.discard());
        assertThatThrownBy(() -> measured(failing))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("topology 'Failing'")
                .hasMessageContaining("divide")
                .hasMessageContaining("/ by zero");
        assertThatThrownBy(() -> measured(nothing))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("there is nothing to time: source 'source' has no records");
    }

    @Test
    void shouldSendEverythingToTheOnlyTaskWhateverARecordAsksFor() throws Exception {
        Topology topology = Topology.named("Partitions");
        topology.from(Sources.generate(10, i -> i))
                .partitionBy((value, tasks) -> (int) (value % tasks))
                .map(i -> i)
                .name("same")
                .parallelism(4)
                .to(Sinks.discard());

        assertThat(stage(measured(topology), "same").recordsIn()).isEqualTo(10);
    }

    @Test
    void shouldBalanceByTheRatioOfTheTimes() {
        double sourceNs = 1_000 + 3_000;

        double rate = Balance.rate(sourceNs, 8);

        assertThat(rate).isEqualTo(2_000_000);
        assertThat(Balance.tasks(1_000, rate)).isEqualTo(2);
        assertThat(Balance.tasks(3_000, rate)).isEqualTo(6);
        assertThat(Balance.tasks(3_001, rate)).isEqualTo(7);
        assertThat(Balance.tasks(0.001, rate)).isEqualTo(1);
    }

    @Test
    void shouldBeWarmOnceRoundsGetNoFaster() {
        Warmth warmth = new Warmth();
        double ns = 1_000;
        for (int round = 0; round < 30; round++) {
            assertThat(warmth.isReachedWith(ns)).isFalse();
            ns *= 0.9;
        }
        int rounds = 0;
        while (!warmth.isReachedWith(ns)) {
            rounds++;
        }
        assertThat(rounds).isBetween(5, 10);
    }

    @Test
    void shouldTakeTheMiddleRound() {
        assertThat(StageTiming.of(new double[] {5, 1, 9}, 1, 0.5, false))
                .isEqualTo(new StageTiming(5, 1, 9, 1, 0.5, false));
        assertThat(StageTiming.of(new double[] {5, 1, 9, 6}, 1, null, false).medianNs())
                .isEqualTo(5.5);
    }
}

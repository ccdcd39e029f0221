// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.EdgeTotals;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.StormTopology;
import io.thalweg.doctor.observation.TaskSpan;
import io.thalweg.run.Clock;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.Nimbus;
import org.junit.jupiter.api.Test;

final class TopologyObserverTest {
    private static final long NS = 1_000_000_000;
    private static final String WHERE = "storm-1:6627";

    private final FakeNimbus fake = new FakeNimbus();
    private final Nimbus.Iface nimbus = fake.client();
    private long seconds;
    private final Clock clock = new Clock() {
        @Override
        public long nowNs() {
            return seconds * NS;
        }

        @Override
        public long epochMs() {
            return (1_700_000_000 + seconds) * 1_000;
        }
    };

    private TopologyObserver observer(String wanted) throws Exception {
        return new TopologyObserver(nimbus, WHERE, wanted, clock);
    }

    private static StormTopology storm(Observation observation) {
        return Objects.requireNonNull(observation.storm());
    }

    @Test
    void shouldTakeDifferencesOfAllTimeCounters() throws Exception {
        fake.tell(100, 5_000, 4_000, 40, 2_500, 1.0);
        TopologyObserver observer = observer("counting");
        fake.tell(160, 17_000, 10_000, 640, 8_500, 6.0);
        seconds = 20;
        assertThat(observer.look(nimbus)).isTrue();

        Observation observed = observer.observation(nimbus);

        assertThat(observed.spans()).hasSize(1);
        Span span = observed.spans().get(0);
        assertThat(span.lengthNs()).isEqualTo(60 * NS);
        assertThat(span.recordsIn()).isEqualTo(12_000);
        assertThat(span.tasks()).extracting(TaskSpan::task).containsExactly("count[0]", "count[1]", "words[0]");
        TaskSpan count = span.tasks().get(0);
        assertThat(count.recordsIn()).isEqualTo(6_000);
        // 8,500 times 6 ms less 2,500 times 1 ms
        assertThat(count.busyNs()).isEqualTo(48_500_000_000L);
        assertThat(count.waitingNs()).isEqualTo(11_500_000_000L);
        assertThat(count.process()).isEqualTo("storm-1:6700");
        TaskSpan words = span.tasks().get(2);
        assertThat(words.recordsOut()).isEqualTo(12_000);
        assertThat(words.busyNs() + words.waitingNs()).isZero();
        assertThat(observed.edges()).containsExactly(new EdgeTotals("words", "count", 12_000L, null, null));
        assertThat(observed.plan().edges()).extracting(PlanInfo.Edge::grouping).containsExactly("by key word");
        assertThat(observed.plan().runner()).isEqualTo("Storm 2.8.3");
        StormTopology storm = storm(observed);
        assertThat(storm.acked()).isEqualTo(6_000);
        assertThat(storm.failed()).isEqualTo(600);
        assertThat(storm.completeMs()).isCloseTo(20.0, within(1e-9));
        assertThat(span.pendingAcks()).isEqualTo(2);
        assertThat(storm.workers()).hasSize(1);
    }

    /** Two workers tell at different times: each of its own time, and both for the whole span. */
    @Test
    void shouldNotTakeLateFiguresForFewTuples() throws Exception {
        fake.tell(100, 5_000, 0, 0, 2_500, 1.0);
        TopologyObserver observer = observer("counting");
        fake.tell(160, 11_000, 0, 0, 5_500, 1.0);
        fake.executors.set(2, FakeNimbus.bolt(3, 6701, 160, 5_500, 1.0));
        assertThat(observer.look(nimbus)).isTrue();
        fake.executors.set(2, FakeNimbus.bolt(3, 6701, 190, 7_000, 1.0));
        fake.executors.set(0, FakeNimbus.spout(1, 220, 17_000, 0, 0));
        fake.executors.set(1, FakeNimbus.bolt(2, 6700, 220, 8_500, 1.0));
        assertThat(observer.look(nimbus)).isTrue();

        Span second = observer.observation(nimbus).spans().get(1);

        assertThat(second.lengthNs()).isEqualTo(60 * NS);
        assertThat(second.tasks().get(0).recordsIn()).isEqualTo(3_000);
        assertThat(second.tasks().get(1).recordsIn()).isEqualTo(3_000);
    }

    /** Nimbus tells that only by the class that the topology was serialized with. */
    @Test
    void shouldSeeThatABoltRunsAProgramInAnotherLanguage() throws Exception {
        for (boolean shell : new boolean[] {true, false}) {
            fake.shell = shell;
            fake.tell(100, 5_000, 0, 0, 2_500, 0.01);
            TopologyObserver observer = observer("counting");
            fake.tell(160, 11_000, 0, 0, 5_500, 0.01);
            seconds += 60;
            assertThat(observer.look(nimbus)).isTrue();

            Observation observed = observer.observation(nimbus);

            assertThat(storm(observed).bolts()).singleElement().satisfies(bolt -> {
                assertThat(bolt.shell()).isEqualTo(shell);
                assertThat(bolt.processMs()).isCloseTo(FakeNimbus.PROCESS_MS, within(1e-9));
            });
            // fifty tuples a second for a second each, in each executor
            assertThat(Doctor.diagnose(observed).findings())
                    .extracting(Finding::rule)
                    .isEqualTo(shell ? List.of("multilang") : List.of());
        }
    }

    @Test
    void shouldCountAWorkerThatWasStartedAgainWithItsCause() throws Exception {
        fake.tell(100, 5_000, 0, 0, 2_500, 1.0);
        TopologyObserver observer = observer("counting");
        fake.executors.set(0, FakeNimbus.executor("words", 1, 6700, 0));
        assertThat(observer.look(nimbus)).isTrue();
        fake.tell(15, 300, 0, 0, 150, 1.0);
        seconds = 40;
        ErrorInfo error = new ErrorInfo(
                "java.lang.RuntimeException: x\n\tat a.B\nCaused by: a.Boom: no word\n\tat c", 1_700_000_030);
        error.set_host("storm-1");
        error.set_port(6700);
        fake.errors.put("count", List.of(error));

        Observation observed = observer.observation(nimbus);

        // the worker of the spout, and then that of the bolts, which is the same, told again
        assertThat(observed.restarts().times()).isEqualTo(2);
        assertThat(observed.restarts().cause()).isEqualTo("'count' in storm-1:6700: a.Boom: no word");
        Diagnosis diagnosis = Doctor.diagnose(observed);
        assertThat(diagnosis.findings().get(0).rule()).isEqualTo("restarts");
    }

    @Test
    void shouldNotTakeARebalanceForAFailure() throws Exception {
        fake.tell(100, 5_000, 0, 0, 2_500, 1.0);
        TopologyObserver observer = observer("counting");
        fake.status = "REBALANCING";
        assertThat(observer.look(nimbus)).isTrue();
        fake.tell(12, 300, 0, 0, 150, 1.0);
        assertThat(observer.look(nimbus)).isTrue();
        fake.status = "ACTIVE";

        assertThat(observer.observation(nimbus).restarts().times()).isZero();
    }

    @Test
    void shouldJudgeWhatItSawOfATopologyThatIsKilled() throws Exception {
        fake.tell(100, 5_000, 0, 0, 2_500, 1.0);
        TopologyObserver observer = observer("counting");
        fake.tell(160, 11_000, 0, 0, 5_500, 1.0);
        assertThat(observer.look(nimbus)).isTrue();
        fake.alive = false;
        assertThat(observer.look(nimbus)).isFalse();

        Observation observed = observer.observation(nimbus);

        assertThat(observed.state()).isEqualTo(JobState.CANCELLED);
        assertThat(storm(observed).status()).isEqualTo("KILLED");
        assertThat(Doctor.diagnose(observed).findings()).isEmpty();
    }

    @Test
    void shouldSayThatNothingWasSeenOfATopologyThatIsKilledAtOnce() throws Exception {
        fake.tell(100, 5_000, 0, 0, 2_500, 1.0);
        TopologyObserver observer = observer("counting");
        fake.alive = false;

        assertThatThrownBy(() -> observer.observation(nimbus))
                .isInstanceOf(IOException.class)
                .hasMessage("topology 'counting' at storm-1:6627 was killed before anything was seen of it");
    }

    @Test
    void shouldSayThatWorkersHaveToldNothingNew() throws Exception {
        fake.tell(100, 5_000, 0, 0, 2_500, 1.0);
        TopologyObserver observer = observer("counting");
        seconds = 30;
        assertThat(observer.look(nimbus)).isTrue();

        assertThatThrownBy(() -> observer.observation(nimbus))
                .hasMessage("the workers of topology 'counting' have told Nimbus nothing new in 30 s; they do so every"
                        + " executor.metrics.frequency.secs, 60 s by default: observe it for longer, with --for");
        assertThat(observer.twoReports()).hasSeconds(130);
    }

    @Test
    void shouldFindWhatRunsNowhere() throws Exception {
        fake.executors.add(FakeNimbus.executor("words", 1, 6700, 0));
        TopologyObserver observer = observer("counting");
        seconds = 60;

        Diagnosis diagnosis = Doctor.diagnose(observer.observation(nimbus));

        assertThat(diagnosis.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.rule()).isEqualTo("not-running"));
    }

    @Test
    void shouldWatchTheOnlyTopologyWithoutAName() throws Exception {
        assertThat(observer("").name()).isEqualTo("counting");
        assertThat(observer(FakeNimbus.ID).name()).isEqualTo("counting");
    }

    @Test
    void shouldNameTheTopologiesThatThereAre() {
        fake.add("billing", "billing-2-1700000000");

        assertThatThrownBy(() -> observer(""))
                .hasMessage(
                        "say which topology as storm=storm-1:6627/TOPOLOGY: there are billing (active), counting (active)");
        assertThatThrownBy(() -> observer("biling"))
                .hasMessageStartingWith("there is no topology 'biling' at storm-1:6627")
                .hasMessageContaining("billing");
        assertThatThrownBy(() -> observer("xyz"))
                .hasMessage(
                        "there is no topology 'xyz' at storm-1:6627; there are billing (active), counting (active)");
        fake.topologies.clear();
        assertThatThrownBy(() -> observer("xyz"))
                .hasMessage("there is no topology 'xyz' at storm-1:6627, nor any other");
        assertThatThrownBy(() -> observer("")).hasMessage("there is no topology at storm-1:6627");
    }

    @Test
    void shouldRefuseMoreThanItCanLookAt() {
        for (int task = 0; task <= 5_000; task++) {
            fake.executors.add(FakeNimbus.executor("count", task, 6700, 10));
        }

        assertThatThrownBy(() -> observer("counting"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has more than 5000 executors");
    }
}

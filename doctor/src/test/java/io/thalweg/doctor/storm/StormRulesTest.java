// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.LatencyStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.EdgeTotals;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.ProcessSpan;
import io.thalweg.doctor.observation.Restarts;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.StormBolt;
import io.thalweg.doctor.observation.StormError;
import io.thalweg.doctor.observation.StormTopology;
import io.thalweg.doctor.observation.StormWorker;
import io.thalweg.doctor.observation.TaskSpan;
import io.thalweg.doctor.whatif.Changes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What no cluster of one machine shows: made-up figures of a spout {@code in} and a bolt {@code out}, of 100 seconds. */
final class StormRulesTest {
    private static final long NS = 1_000_000_000;
    private static final int SECONDS = 100;

    private final Map<String, String> settings =
            new HashMap<>(Map.of("topology.message.timeout.secs", "30", "topology.producer.batch.size", "1"));
    private final List<StormError> errors = new ArrayList<>();
    private String runner = "Storm 2.8.3";
    private final List<ProcessSpan> processes = new ArrayList<>();
    private String status = "ACTIVE";
    private String grouping = "shuffle";
    private List<String> spouts = List.of("a:6700", "b:6700");
    private List<String> bolts = List.of("a:6700", "b:6700");
    private long perSecond = 1_000;
    private double busy = 0.1;
    private int silent;
    private long acked;
    private long failed;
    private long failedInBolt;
    private double completeMs = 10;
    private Double processMs;
    private boolean shell;
    private int ackers = 2;
    private double busiestAcker = 0.2;
    private boolean idleSpout;

    private Observation observation() {
        List<TaskSpan> tasks = new ArrayList<>();
        long all = perSecond * SECONDS;
        for (String worker : spouts) {
            tasks.add(task("in", tasks.size(), worker, all / spouts.size(), 0, 0));
        }
        long busyNs = Math.round(busy * SECONDS * NS);
        for (String worker : bolts) {
            tasks.add(task("out", tasks.size(), worker, all / bolts.size(), busyNs, SECONDS * NS - busyNs));
        }
        List<PlanInfo.Operator> operators = new ArrayList<>(List.of(
                new PlanInfo.Operator("in", "source", "in", 0, spouts.size(), false, true),
                new PlanInfo.Operator("out", "operator", "out", 1, bolts.size(), false, true)));
        List<PlanInfo.Chain> chains = new ArrayList<>(List.of(
                new PlanInfo.Chain(0, List.of("in"), spouts.size(), "each on a thread of its own"),
                new PlanInfo.Chain(1, List.of("out"), bolts.size(), "each on a thread of its own")));
        if (idleSpout) {
            operators.add(new PlanInfo.Operator("idle", "source", "idle", 2, 1, false, true));
            chains.add(new PlanInfo.Chain(2, List.of("idle"), 1, "each on a thread of its own"));
            tasks.add(task("idle", 0, "a:6700", 0, 0, 0));
        }
        List<PlanInfo.Option> options = new ArrayList<>();
        settings.forEach((name, value) -> options.add(new PlanInfo.Option("", name, value)));
        PlanInfo plan = new PlanInfo(
                "made-up",
                runner,
                2,
                operators,
                chains,
                List.of(new PlanInfo.Edge(
                        "in", "out", "", 0, grouping, spouts.size(), bolts.size(), "", "", false, false, "", false)),
                options);
        List<StormWorker> workers = List.of(new StormWorker("a", 6700, 3, 500), new StormWorker("b", 6700, 3, 500));
        return new Observation(
                Observation.VERSION,
                JobState.RUNNING,
                plan,
                List.of(new Span(
                        10 * NS, (10 + SECONDS) * NS, all, all, 0, 0, null, pending(), tasks, processes, null)),
                List.of(),
                List.of(new EdgeTotals("in", "out", all, null, null)),
                List.of(),
                null,
                LatencyStats.NONE,
                new Restarts(0, null),
                null,
                null,
                null,
                new StormTopology(
                        status,
                        workers,
                        silent,
                        null,
                        spouts.size(),
                        acked,
                        failed,
                        acked == 0 ? null : Double.valueOf(completeMs),
                        List.of(new StormBolt("out", all, acked, failedInBolt, processMs, shell)),
                        ackers,
                        busiestAcker,
                        errors),
                null,
                null);
    }

    private long pending() {
        return Math.round(acked * completeMs / 1_000 / SECONDS);
    }

    private static TaskSpan task(
            String component, int index, String worker, long records, long busyNs, long waitingNs) {
        return new TaskSpan(
                component + "[" + index + "]",
                List.of(component),
                index,
                worker,
                records,
                records,
                null,
                0,
                0,
                busyNs,
                waitingNs,
                0,
                null,
                null,
                0,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private List<Finding> findings() {
        return Doctor.diagnose(observation()).findings();
    }

    private List<String> found() {
        return findings().stream().map(Finding::rule).toList();
    }

    private List<String> foundWith(Consumer<StormRulesTest> change) {
        StormRulesTest other = new StormRulesTest();
        change.accept(other);
        return other.found();
    }

    @Test
    void shouldSayNothingOfAHealthyTopology() {
        Diagnosis diagnosis = Doctor.diagnose(observation());

        assertThat(diagnosis.findings()).isEmpty();
        assertThat(diagnosis.bound().text())
                .isEqualTo("its spouts, or what they read: bolts wait for tuples, and are busy for 10 % of the time");
    }

    @Test
    void shouldWantMoreAckersWhereTheyAreBusy() {
        acked = 90_000;
        busiestAcker = 0.97;

        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("few-ackers");
            assertThat(finding.option()).isEqualTo("topology.acker.executors: 4");
        });
    }

    @Test
    void shouldWantFewerAckersOnlyIfThereAreMoreThanWorkers() {
        busiestAcker = 0;
        acked = 90_000;
        assertThat(found()).isEmpty();
        ackers = 3;
        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.option()).isEqualTo("topology.acker.executors: 2");
            assertThat(finding.remedy()).doesNotContain("none");
        });
    }

    /** Without ackers, tuples with a message id are not sent again. */
    @Test
    void shouldWantNoAckersOnlyWhereTuplesAreSurelyNotTracked() {
        busiestAcker = 0;
        ackers = 3;
        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.option()).isEqualTo("topology.acker.executors: 0");
            assertThat(finding.remedy()).contains("counts as acked at once", "not sent again");
        });
        settings.put("topology.message.timeout.secs", "101");
        assertThat(findings())
                .as("acks may come yet")
                .singleElement()
                .satisfies(finding -> assertThat(finding.option()).isEqualTo("topology.acker.executors: 2"));
        settings.put("topology.message.timeout.secs", "100");
        idleSpout = true;
        assertThat(findings())
                .as("a spout has emitted nothing")
                .singleElement()
                .satisfies(finding -> assertThat(finding.option()).isEqualTo("topology.acker.executors: 2"));
        perSecond = 0;
        assertThat(found()).as("no spout has emitted anything").isEmpty();
    }

    @Test
    void shouldTellTimeoutsFromFailures() {
        acked = 90_000;
        failed = 10_000;
        completeMs = 16_000;
        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("timeouts");
            // 900 tuples a second for 15 seconds, of two spout tasks
            assertThat(finding.option()).isEqualTo("topology.max.spout.pending: 6750");
        });
        failedInBolt = 10_000;
        completeMs = 10;
        assertThat(found()).containsExactly("failed-tuples");
        failed = 800;
        assertThat(found()).isEmpty();
    }

    /** Of a spout: at this rate, twice as many would still be acked in time on average. */
    @Test
    void shouldNotAdviseMoreThanMayBePendingNow() {
        acked = 90_000;
        failed = 10_000;
        completeMs = 16_000;
        settings.put("topology.max.spout.pending", "6751");
        assertThat(findings())
                .filteredOn(finding -> finding.rule().equals("timeouts"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.option()).isEqualTo("topology.max.spout.pending: 6750");
                    assertThat(finding.remedy()).startsWith("lower");
                });
        settings.put("topology.max.spout.pending", "6750");
        assertThat(findings())
                .filteredOn(finding -> finding.rule().equals("timeouts"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.option()).isNull();
                    assertThat(finding.remedy())
                            .doesNotContain("lower", "limit")
                            .contains("faster");
                });
    }

    /** At which rate tuples could be acked, nobody knows. */
    @Test
    void shouldNotAdviseANumberOfPendingTuplesWhereNoneIsAckedInTime() {
        failed = 10_000;
        acked = 99;
        perSecond = 0; // bolts have executed nothing since
        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("timeouts");
            assertThat(finding.option()).isNull();
            assertThat(finding.remedy()).contains("a bolt whose execute does not return");
        });
        acked = 100;
        assertThat(findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.option()).isEqualTo("topology.max.spout.pending: 8"));
    }

    @Test
    void shouldNameTheBoltThatForgetsToAck() {
        acked = 50_000;
        failed = 50_000;

        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("unacked-tuples");
            assertThat(finding.operator()).isEqualTo("out");
        });
    }

    @Test
    void shouldWarnOfUnboundedPendingBeforeTuplesTimeOut() {
        acked = 90_000;
        completeMs = 16_000;
        assertThat(found()).containsExactly("unbounded-pending");
        settings.put("topology.max.spout.pending", "1000000");
        assertThat(found()).isEmpty();
    }

    @Test
    void shouldWantMorePendingOnlyWhereNothingElseIsFull() {
        acked = 100_000;
        completeMs = 20;
        settings.put("topology.max.spout.pending", "10");
        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("max-pending");
            assertThat(finding.option()).isEqualTo("topology.max.spout.pending: 160");
        });
        assertThat(Doctor.diagnose(observation()).bound().kind()).isEqualTo("acks");
        busy = 0.99;
        assertThat(found()).containsExactly("parallelism");
        busy = 0.1;
        settings.put("topology.max.spout.pending", "20");
        assertThat(found()).isEmpty();
    }

    /** There a sender that waits hands its batch on, and an executor that has handed much over to its program waits for it. */
    @Test
    void shouldNotFindWhatCannotBe_whereATopologyRunsInThalweg() {
        settings.put("topology.producer.batch.size", "1000");
        perSecond = 100;
        assertThat(found()).containsExactly("large-batches");
        runner = StormTopology.HERE;
        assertThat(found()).isEmpty();
        acked = 100_000;
        shell = true;
        processMs = 12.0;
        busy = 0.99;
        assertThat(found()).containsExactly("parallelism");
    }

    @Test
    void shouldWantMorePendingOnlyWhereCoresAreFree() {
        acked = 100_000;
        completeMs = 20;
        settings.put("topology.max.spout.pending", "10");
        runner = StormTopology.HERE;
        processes.add(process(0.5));
        assertThat(findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.option()).isEqualTo("topology.max.spout.pending: 80"));
        processes.set(0, process(1.9));
        assertThat(found()).isEmpty();
    }

    @Test
    void shouldWantMoreExecutorsThanCores_whereABoltWaits() {
        busy = 0.99;
        runner = StormTopology.HERE;
        processes.add(process(0.1));
        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("parallelism");
            assertThat(finding.remedy()).startsWith("give 'out' 4 executors: the number behind its name");
        });
        processes.set(0, process(1.9));
        assertThat(found()).isEmpty();
    }

    private static ProcessSpan process(double cores) {
        return new ProcessSpan(
                "embedded", 2, Math.round(cores * SECONDS * NS), 10, 1 << 20, 1L << 30, 0, 0, null, null);
    }

    /** And not more pending tuples, which would only wait longer. */
    @Test
    void shouldNameTheProgramInAnotherLanguageThatTuplesWaitFor() {
        acked = 100_000;
        completeMs = 20;
        settings.put("topology.max.spout.pending", "10");
        shell = true;
        processMs = 12.0; // a thousand a second, of two executors: six at a time in each

        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("multilang");
            assertThat(finding.operator()).isEqualTo("out");
            assertThat(finding.evidence())
                    .extracting(figure -> figure.name() + " " + figure.value())
                    .contains(
                            "acked by each of them in a second 500.0",
                            "process latency, on average 12.0",
                            "tuples that each of them has at a time, by Little's law 6.0");
            assertThat(finding.predictedGain()).isNull();
        });
        processMs = 9.9;
        assertThat(found()).as("most tuples are elsewhere").containsExactly("max-pending");
        processMs = 12.0;
        shell = false;
        assertThat(found()).as("a bolt in Java that acks later").containsExactly("max-pending");
    }

    /** Fewer than six in each executor, since no more may be pending: the program has one all the time nevertheless. */
    @Test
    void shouldNotWantMorePending_whereNearlyAllOfFewWaitForAProgram() {
        for (String where : List.of("Storm 2.8.3", StormTopology.HERE)) {
            runner = where;
            acked = 100_000;
            shell = true;
            bolts = List.of("a:6700");
            spouts = List.of("a:6700");
            settings.put("topology.max.spout.pending", "5");
            completeMs = 5;
            processMs = 4.5;
            assertThat(findings()).as(where).singleElement().satisfies(finding -> {
                assertThat(finding.rule()).isEqualTo("multilang");
                assertThat(finding.remedy().contains("run it with thalweg storm run"))
                        .isEqualTo(!where.equals(StormTopology.HERE));
            });
            processMs = 2.0;
            assertThat(found()).as("most of the time they are elsewhere").containsExactly("max-pending");
            processMs = 4.5;
            bolts = List.of("a:6700", "a:6700", "a:6700", "a:6700");
            assertThat(found())
                    .as("of four programs one has none, for much of the time")
                    .containsExactly("max-pending");
            settings.put("topology.max.spout.pending", "1");
            bolts = List.of("a:6700");
            completeMs = 1;
            processMs = 0.9;
            assertThat(found()).as("one tuple, nearly always in the program").containsExactly("multilang");
            processMs = 0.7;
            assertThat(found()).containsExactly("max-pending");
        }
    }

    @Test
    void shouldTakeALoadAwareShuffleForLocalUnlessItCannotBe() {
        perSecond = 10_000;
        assertThat(found()).isEmpty();
        settings.put("topology.disable.loadaware.messaging", "true");
        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("remote-shuffle");
            assertThat(finding.evidence().get(0).value()).isEqualTo(5_000);
        });
        settings.remove("topology.disable.loadaware.messaging");
        spouts = List.of("a:6700");
        assertThat(found()).as("half of the bolts is in another worker").containsExactly("remote-shuffle");
        busy = 0.8;
        assertThat(found()).as("one bolt alone has no time for it").isEmpty();
        busy = 0.1;
        bolts = List.of("b:6700");
        assertThat(found()).as("there is none in the spout's worker").isEmpty();
    }

    @Test
    void shouldWantLargerBatchesOfManyTuplesOnly() {
        perSecond = 99_000;
        assertThat(found()).isEmpty();
        perSecond = 150_000;
        assertThat(findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.option()).isEqualTo("topology.producer.batch.size: 100"));
        grouping = "by key word";
        settings.put("topology.transfer.batch.size", "1");
        assertThat(found()).as("75,000 a second each").isEmpty();
        settings.put("topology.producer.batch.size", "1000");
        assertThat(found()).isEmpty();
        settings.put("topology.batch.flush.interval.millis", "0");
        assertThat(found()).as("full after 27 ms").isEmpty();
        perSecond = 1_000;
        assertThat(found()).as("full after 4 s").containsExactly("large-batches");
        settings.put("topology.batch.flush.interval.millis", "1");
        assertThat(found()).isEmpty();
    }

    @Test
    void shouldTellWhatIsSerializedNeedlessly() {
        grouping = "by key word";
        perSecond = 10_000;
        settings.put("topology.fall.back.on.java.serialization", "true");
        assertThat(found()).containsExactly("java-serialization");
        settings.put("topology.testing.always.try.serialize", "true");
        assertThat(found()).containsExactly("always-serialized", "java-serialization");
        perSecond = 500;
        assertThat(found()).isEmpty();
    }

    @Test
    void shouldForgetErrorsThatAreOver() {
        errors.add(new StormError("out", "a:6700", 1_200, "no such customer"));
        assertThat(found()).isEmpty();
        errors.add(0, new StormError("out", "a:6700", 20, "no such order"));
        assertThat(findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.why()).isEqualTo("'out' in a:6700: no such order"));
        silent = 1;
        assertThat(found()).containsExactly("not-running");
    }

    @Test
    void shouldSayThatATopologyIsDeactivated() {
        status = "INACTIVE";
        perSecond = 0;
        busy = 0;

        Diagnosis diagnosis = Doctor.diagnose(observation());

        assertThat(diagnosis.bound().text()).isEqualTo("its spouts: the topology is deactivated");
        assertThat(diagnosis.findings()).isEmpty();
    }

    @Test
    void shouldRefuseToPredictWhatItCannot() {
        assertThatThrownBy(() -> Doctor.diagnose(observation(), Changes.parse("out=4")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--what-if: the engine tells nothing of its processes and their cores, so nothing can be predicted");
    }

    @Test
    void shouldTellThatEveryTupleIsLogged() {
        assertThat(foundWith(other -> other.settings.put("topology.debug", "true")))
                .containsExactly("debug");
        assertThat(foundWith(other -> other.settings.put("topology.debug", "false")))
                .isEmpty();
    }
}

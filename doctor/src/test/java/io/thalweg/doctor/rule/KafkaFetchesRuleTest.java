// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.KafkaFetches;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KafkaFetchesRuleTest {
    private static final long NS = 1_000_000_000;
    private static final long MIB = 1 << 20;

    private long bytesOfEach = 40_000;
    private double latencyMs = 2;
    private double throttleMs;
    private long maxBytes = 50 * MIB;
    private long maxPartitionBytes = MIB;
    private long minBytes = 1;
    private long maxPollRecords = 10_000;

    /** Two consumers over ten seconds, which have 100 records in each of 1,000 requests, handed out by 10 or as many as they may be. */
    private KafkaFetches fetches() {
        long polls = 100_000 / Math.min(10, maxPollRecords);
        return new KafkaFetches(
                2,
                20 * NS,
                1_000,
                100_000,
                1_000 * bytesOfEach,
                polls,
                latencyMs,
                throttleMs,
                maxBytes,
                maxPartitionBytes,
                minBytes,
                500,
                maxPollRecords);
    }

    /** A source that waits beside a backlog. */
    private MadeUpJob job(double busy) {
        MadeUpJob job = new MadeUpJob();
        job.usedCores = 2 * busy;
        return job.operator("orders", "source", "source topic orders", false)
                .chain(2, "orders")
                .task(5_000, busy, 1 - busy, 0)
                .unread(second -> 1_000_000L)
                .task(5_000, busy, 1 - busy, 0)
                .unread(second -> 1_000_000L)
                .fetches("orders", fetches());
    }

    private static List<Finding> found(MadeUpJob job) {
        return Doctor.diagnose(job.observation()).findings();
    }

    private static List<String> rules(MadeUpJob job) {
        return found(job).stream().map(Finding::rule).toList();
    }

    @Test
    void shouldLeaveASourceToTheOtherRuleWhoseSettingsLimitNothing() {
        assertThat(rules(job(0.05))).containsExactly("slow-source");
    }

    @Test
    void shouldFindAPartitionThatMayBringLittle() {
        maxPartitionBytes = 50_000;

        // 1 MiB is 26 times as much, and the tasks could do 20 times as much: ten times is the most that is predicted
        assertThat(found(job(0.05))).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("small-fetches");
            assertThat(finding.operator()).isEqualTo("orders");
            assertThat(finding.remedy())
                    .isEqualTo("leave max.partition.fetch.bytes out of the settings of 'orders', or set it to 1 MiB or"
                            + " more");
            assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(2, 10));
            assertThat(finding.evidence())
                    .extracting(figure -> figure.name() + " " + figure.value() + " " + figure.unit())
                    .contains(
                            "requests 100.0 /s",
                            "of each 2.0 ms",
                            "each brings 100.0 records",
                            "that are 39.06 KiB",
                            "unread on average 2000000.0 ",
                            "max.partition.fetch.bytes 50000.0 ");
        });
    }

    @Test
    void shouldFindARequestThatMayBringLittle() {
        maxBytes = 80_000;
        assertThat(found(job(0.05)))
                .singleElement()
                .satisfies(finding -> assertThat(finding.remedy())
                        .startsWith("leave fetch.max.bytes out of the settings of 'orders', and its .readAhead(…)"));

        maxBytes = 80_002;
        assertThat(rules(job(0.05))).as("less than half of what they may bring").containsExactly("slow-source");
    }

    @Test
    void shouldPromiseNoMoreThanTheTasksCanTake() {
        maxPartitionBytes = 50_000;
        assertThat(found(job(0.4)))
                .singleElement()
                .extracting(Finding::predictedGain)
                .isEqualTo(Gain.throughput(2, 2.5));
    }

    @Test
    void shouldNotFindRequestsThatBringEnough() {
        maxPartitionBytes = 262_143;
        bytesOfEach = 262_143;
        assertThat(rules(job(0.05))).containsExactly("small-fetches");

        bytesOfEach = 262_144;
        assertThat(rules(job(0.05)))
                .as("a batch is more than a request may bring")
                .containsExactly("slow-source");
    }

    @Test
    void shouldFindAConsumerThatHandsOutFewRecords() {
        maxPollRecords = 1;
        assertThat(found(job(0.05))).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("small-fetches");
            assertThat(finding.remedy()).isEqualTo("leave max.poll.records out of the settings of 'orders'");
            assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(9.5, 18));
        });

        maxPollRecords = 20; // of which 10 come
        assertThat(rules(job(0.05))).containsExactly("small-fetches");
        maxPollRecords = 21;
        assertThat(rules(job(0.05))).containsExactly("slow-source");
    }

    @Test
    void shouldFindRequestsThatWaitForMoreThanTheyMayBring() {
        minBytes = 40_001;
        latencyMs = 450;
        assertThat(found(job(0.05))).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("small-fetches");
            assertThat(finding.remedy()).contains("set it below 40000");
            // an answer takes 1 to 10 ms, but the tasks can do no more than 20 times as much
            assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(20, 20));
        });

        latencyMs = 449;
        assertThat(rules(job(0.05))).containsExactly("slow-source");
        latencyMs = 450;
        minBytes = 1;
        assertThat(rules(job(0.05))).as("a topic without more messages").containsExactly("slow-source");
    }

    @Test
    void shouldBlameAQuotaAndNotTheSettings() {
        maxPartitionBytes = 50_000;
        throttleMs = 1;
        assertThat(found(job(0.05))).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("quota");
            assertThat(finding.predictedGain()).isNull();
        });
    }

    @Test
    void shouldFindNothingInASourceThatKeepsUp() {
        maxPartitionBytes = 50_000;
        maxPollRecords = 1;
        throttleMs = 100;
        MadeUpJob job = job(0.05);
        MadeUpJob keepsUp = new MadeUpJob()
                .operator("orders", "source", "source topic orders", false)
                .chain(1, "orders")
                .task(5_000, 0.05, 0.95, 0)
                .unread(second -> 500L)
                .fetches("orders", fetches());

        assertThat(rules(job)).isNotEmpty();
        assertThat(rules(keepsUp)).isEmpty();
    }

    @Test
    void shouldFindNothingInASourceThatOthersHoldBack() {
        maxPartitionBytes = 50_000;
        MadeUpJob job = job(0.05);
        job.operator("slow", "map", "map", false).chain(1, "slow").task(10_000, 1, 0, 0);
        job.usedCores = 1.1;

        assertThat(rules(job)).doesNotContain("small-fetches", "slow-source");
    }
}

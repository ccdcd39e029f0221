// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.KafkaSends;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KafkaSendsRuleTest {
    private static final long NS = 1_000_000_000;

    /** Of the time of each task. */
    private double waiting;

    private double flushing;
    private long records = 1_000_000;
    private long requests = 20_000;
    private long bytes = 50_000_000;
    private double batchBytes = 60_000;
    private double throttleMs;
    private long batchSize = 65_536;
    private long lingerMs = 5;
    private String compression = "lz4";
    private double machineLoad = 0.5;

    /** Two tasks with a producer each, over ten seconds. */
    private KafkaSends sends() {
        return new KafkaSends(
                2,
                20 * NS,
                records,
                requests,
                bytes,
                Math.round(waiting * 20 * NS),
                Math.round(flushing * 20 * NS),
                batchBytes,
                3,
                1,
                throttleMs,
                batchSize,
                lingerMs,
                compression);
    }

    /** A sink whose tasks are busy for a part of the time, in front of sources that are held back. */
    private MadeUpJob job(double busy) {
        MadeUpJob job = new MadeUpJob();
        job.machineLoad = machineLoad;
        job.usedCores = 0.8;
        return job.operator("in", "source", "", false)
                .chain(2, "in")
                .task(50_000, 0.1, 0, 0.9)
                .task(50_000, 0.1, 0, 0.9)
                .operator("out", "sink", "topic out", false)
                .chain(2, "out")
                .task(50_000, busy, 1 - busy, 0)
                .task(50_000, busy, 1 - busy, 0)
                .sends("out", 900, sends());
    }

    private static List<Finding> found(MadeUpJob job) {
        return Doctor.diagnose(job.observation()).findings();
    }

    private List<String> kafka(double busy) {
        return new KafkaSendsRule()
                .findings(job(busy).facts()).stream().map(Finding::rule).toList();
    }

    @Test
    void shouldFindBatchesThatAreFullWithFewBytes() {
        waiting = 0.9;
        batchSize = 1_000;
        batchBytes = 900;

        // it waits for nine tenths; 18 messages are in a batch, which costs as much as 4.4 of them
        assertThat(found(job(1))).first().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("producer-batches");
            assertThat(finding.operator()).isEqualTo("out");
            assertThat(finding.remedy()).startsWith("leave batch.size out of the settings of 'out'");
            assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(10, 10 * (1 + 4.4 / 18)));
            assertThat(finding.evidence())
                    .extracting(figure -> figure.name() + " " + figure.value() + " " + figure.unit())
                    .contains(
                            "with a full buffer 90.0 %",
                            "messages come 100000.0 /s",
                            "messages sent 100000.0 /s",
                            "requests 2000.0 /s",
                            "of each 3.0 ms",
                            "records in each 50.0 ",
                            "batches of 900.0 bytes",
                            "sent 5.0 MB/s",
                            "batch.size 1000.0 ");
        });
        assertThat(found(job(1))).extracting(Finding::rule).doesNotContain("slow-sink");
    }

    @Test
    void shouldCountOnlyTasksThatGetMessages() {
        waiting = 0.45; // of two tasks
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(100_000, 0.1, 0, 0.9)
                .operator("out", "sink", "topic out", false)
                .chain(2, "out")
                .task(100_000, 1, 0, 0)
                .task(0, 0, 1, 0)
                .sends("out", 900, sends());

        assertThat(new KafkaSendsRule().findings(job.facts()))
                .singleElement()
                .satisfies(finding -> assertThat(finding.evidence())
                        .extracting(figure -> figure.name() + " " + figure.value())
                        .contains("with a full buffer 90.0"));
    }

    @Test
    void shouldNotFindBatchesOfTheSizeThatKafkaHasByItself() {
        waiting = 0.9;
        batchSize = 16_384;
        batchBytes = 16_000;
        assertThat(kafka(1)).doesNotContain("producer-batches");
        batchSize = 16_383;
        assertThat(kafka(1)).containsExactly("producer-batches");
    }

    @Test
    void shouldFindBatchesThatAreSentBeforeTheyAreFull() {
        batchBytes = 300;
        lingerMs = 0;
        assertThat(found(job(1))).first().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("producer-batches");
            assertThat(finding.remedy()).contains("linger.ms");
            assertThat(finding.predictedGain()).isNull();
        });

        requests = 19_999;
        assertThat(kafka(1))
                .as("less than a thousand in a second of a producer")
                .isEmpty();
        requests = 20_000;
        lingerMs = 5;
        assertThat(kafka(1)).isEmpty();
    }

    @Test
    void shouldLeaveSinksAloneThatWaitForEachRecord() {
        batchBytes = 100;
        lingerMs = 0;
        flushing = 0.9;
        assertThat(kafka(1)).isEmpty();
    }

    @Test
    void shouldCompressWhereTheBrokersTakeManyBytesAndCoresAreIdle() {
        waiting = 0.6;
        bytes = 100_000_000;
        compression = "none";
        assertThat(found(job(1))).first().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("compression");
            assertThat(finding.remedy()).startsWith("set compression.type=lz4 for 'out'");
            assertThat(finding.predictedGain()).isNull();
        });

        bytes = 99_999_999;
        assertThat(kafka(1)).as("few bytes").containsExactly("slow-broker");
        bytes = 100_000_000;
        machineLoad = 0.95;
        assertThat(kafka(1)).as("no core to compress them").containsExactly("slow-broker");
    }

    @Test
    void shouldCompressWhereAQuotaCountsBytes() {
        waiting = 0.6;
        bytes = 10_000_000;
        compression = "none";
        throttleMs = 50;
        machineLoad = 0.95;
        assertThat(kafka(1)).containsExactly("compression");

        compression = "zstd";
        assertThat(kafka(1)).containsExactly("quota");
    }

    @Test
    void shouldFindADearCodecWhereTheSinkComputes() {
        compression = "gzip";
        assertThat(found(job(1))).first().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("compression");
            assertThat(finding.remedy()).startsWith("set compression.type=zstd for 'out'");
            assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(1 / 0.85, 1 / 0.3));
        });

        waiting = 0.21;
        assertThat(kafka(1)).as("it waits for the brokers").containsExactly("slow-broker");
    }

    @Test
    void shouldNameBrokersThatAreSlow() {
        waiting = 0.21;
        assertThat(found(job(1)))
                .filteredOn(finding -> finding.rule().equals("slow-broker"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(0.21);
                    assertThat(finding.predictedGain()).isNull();
                });

        waiting = 0.19;
        assertThat(kafka(1)).isEmpty();
        waiting = 0;
        records = 790_000; // of a million
        assertThat(kafka(1)).as("the buffers fill").containsExactly("slow-broker");
    }

    @Test
    void shouldFindNothingInASinkThatNobodyWaitsFor() {
        compression = "gzip";
        batchSize = 1_000;
        batchBytes = 900;
        waiting = 0.5;
        assertThat(kafka(0.84)).isEmpty();
        assertThat(kafka(0.85)).isNotEmpty();
    }
}

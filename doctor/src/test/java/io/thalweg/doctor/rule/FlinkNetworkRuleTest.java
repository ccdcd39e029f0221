// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Buffers of Flink that are almost empty, or wait, or of which there are too few. */
final class FlinkNetworkRuleTest {
    private static final String IN = "Source: in";

    private static List<Finding> found(MadeUpFlink job) {
        return new FlinkNetworkRule().findings(job.facts());
    }

    private static MadeUpFlink job(long records, double busyIn, double held, double busySum) {
        return new MadeUpFlink()
                .vertex(IN, 1, records, busyIn, held)
                .vertex("sum", 2, records / 2, busySum, 0)
                .edge(IN, "sum", "by key");
    }

    /** The source is what limits it; two channels. */
    private static MadeUpFlink sendsAll(long buffers, long bytes) {
        return job(200_000, 0.97, 0, 0.5).buffers("sum", buffers, bytes);
    }

    @Test
    void shouldFindBuffersThatAreSentAlmostEmpty() {
        List<Finding> found = found(sendsAll(500_000, 40));

        assertThat(found).hasSize(1);
        assertThat(found.get(0).rule()).isEqualTo("buffer-timeout");
        assertThat(found.get(0).operator()).isEqualTo("sum");
        assertThat(found.get(0).option()).isEqualTo("execution.buffer-timeout.interval: 100ms");
        assertThat(found.get(0).predictedGain()).isEqualTo(new Gain(1, 1.33, "throughput"));
        assertThat(found.get(0).evidence()).anySatisfy(figure -> {
            assertThat(figure.name()).isEqualTo("from one task to one other");
            assertThat(figure.value()).isEqualTo(25_000);
        });
    }

    @Test
    void shouldLeaveBuffersThatAreFullOrFew_orThatCostNobodyAnything() {
        assertThat(found(sendsAll(500_000, 24 * 1024)))
                .as("three quarters full")
                .isEmpty();
        assertThat(found(sendsAll(49_000, 40))).as("few").isEmpty();
        assertThat(found(job(200_000, 0.5, 0, 0.5).buffers("sum", 500_000, 40)))
                .as("nobody waits")
                .isEmpty();
        MadeUpFlink smaller = sendsAll(500_000, 40);
        smaller.bufferDebloat = true;
        assertThat(found(smaller)).as("made smaller by Flink").isEmpty();
    }

    @Test
    void shouldNotBlameTheDefaultTimeoutOfManyChannels() {
        MadeUpFlink job = new MadeUpFlink()
                .vertex(IN, 40, 200_000, 0.97, 0)
                .vertex("sum", 40, 200_000, 0.5, 0)
                .edge(IN, "sum", "by key")
                .buffers("sum", 160_000, 4_000); // ten a second along each of 1,600 channels

        assertThat(found(job)).isEmpty();
    }

    /** One buffer in five seconds along each of two channels. */
    private static MadeUpFlink waits(Long timeoutMs) {
        MadeUpFlink job = job(1_000, 0.1, 0, 0.1).buffers("sum", 4, 32_768);
        job.bufferTimeoutMs = timeoutMs;
        return job;
    }

    @Test
    void shouldFindRecordsThatWaitForTheirBuffer() {
        for (long timeout : List.of(-1L, 1_000L)) {
            List<Finding> found = found(waits(timeout));

            assertThat(found).hasSize(1);
            assertThat(found.get(0).rule()).isEqualTo("buffer-timeout");
            assertThat(found.get(0).predictedGain()).isNull();
            assertThat(found.get(0).evidence()).anySatisfy(figure -> {
                assertThat(figure.name()).isEqualTo("from one buffer to the next");
                assertThat(figure.value()).isEqualTo(5_000);
            });
        }
    }

    @Test
    void shouldNotBlameATimeoutThatIsShortOrUnknown_orThatDoesNotMatter() {
        assertThat(found(waits(100L))).isEmpty();
        assertThat(found(waits(null))).as("bursts, as of windows").isEmpty();

        MadeUpFlink seldom = job(2, 0.1, 0, 0.1).buffers("sum", 4, 100);
        seldom.bufferTimeoutMs = -1L;
        assertThat(found(seldom)).as("five records in a buffer").isEmpty();

        MadeUpFlink slow = job(1_000, 0.1, 0.9, 0.98).buffers("sum", 4, 32_768);
        slow.bufferTimeoutMs = -1L;
        assertThat(found(slow)).as("buffers wait for a slow task").isEmpty();
    }

    /** The source is held back, and nobody is busy. */
    private static MadeUpFlink held(double busySum) {
        return job(100_000, 0.3, 0.6, busySum);
    }

    @Test
    void shouldFindThatTasksAskForMoreBuffersThanThereAre() {
        MadeUpFlink job = held(0.4);
        job.networkRequested = 101L;

        List<Finding> found = found(job);

        assertThat(found).hasSize(1);
        assertThat(found.get(0).rule()).isEqualTo("network-buffers");
        assertThat(found.get(0).remedy()).contains("taskmanager.memory.network.fraction");
        assertThat(found.get(0).evidence())
                .extracting(figure -> figure.value())
                .as("percent, and of the time held back")
                .containsExactly(101.0, 60.0);
    }

    @Test
    void shouldFindNoLackOfBuffersWhereThereIsRoom_orSomebodyIsSlow() {
        MadeUpFlink room = held(0.4);
        room.networkRequested = 100L;
        MadeUpFlink slow = held(0.98);
        slow.networkRequested = 150L;
        MadeUpFlink free = job(100_000, 0.3, 0, 0.4);
        free.networkRequested = 150L;

        for (MadeUpFlink each : List.of(room, slow, free)) {
            assertThat(found(each)).isEmpty();
        }
    }

    @Test
    void shouldFindRecordsThatAreHeldUpBetweenTwoTaskManagers() {
        List<Finding> found = found(held(0.4).pools(IN, null, 0.98, 0, 0).pools("sum", 0.2, null, 900_000, 100_000));

        assertThat(found).hasSize(1);
        assertThat(found.get(0).rule()).isEqualTo("network-buffers");
        assertThat(found.get(0).operator()).isEqualTo("sum");
    }

    @Test
    void shouldNotTakeALocalInputForAnEmptyOne() {
        assertThat(found(held(0.4).pools(IN, null, 0.98, 0, 0).pools("sum", 0.0, null, 0, 1_000_000)))
                .as("Flink counts no buffers of local inputs")
                .isEmpty();
        assertThat(found(held(0.4).pools(IN, null, 0.98, 0, 0).pools("sum", 0.9, null, 900_000, 0)))
                .as("the receiver has enough")
                .isEmpty();
        assertThat(found(held(0.4).pools(IN, null, 0.5, 0, 0).pools("sum", 0.2, null, 900_000, 0)))
                .as("the sender has room")
                .isEmpty();
    }

    @Test
    void shouldFindNothingInAJobThatKeepsUp() {
        MadeUpFlink job = new MadeUpFlink()
                .vertex(IN + " -> parse", 2, 5_000, 0.2, 0)
                .vertex("sum", 2, 5_000, 0.3, 0)
                .vertex("out: Writer", 2, 5_000, 0.1, 0)
                .edge(IN + " -> parse", "sum", "by key")
                .edge("sum", "out: Writer", "forward")
                .samples(IN + " -> parse", 300, 300, 200, 0, 0)
                .samples("sum", 300, 300, 200, 200, 300)
                .checkpoint(1_000_000);
        job.stateBackend = "EmbeddedRocksDBStateBackend";
        job.bufferTimeoutMs = 100L;
        job.networkRequested = 120L;

        assertThat(Rules.findings(job.facts())).isEmpty();
    }
}

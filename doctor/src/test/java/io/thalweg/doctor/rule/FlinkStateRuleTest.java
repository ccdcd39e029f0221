// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import java.util.List;
import org.junit.jupiter.api.Test;

/** State of Flink that is dear to reach, or too much for the heap. */
final class FlinkStateRuleTest {
    private static MadeUpFlink job(double busy, String backend, long stateBytes) {
        MadeUpFlink job = new MadeUpFlink()
                .vertex("Source: in", 1, 10_000, 0.2, 0.7)
                .vertex("count", 1, 10_000, busy, 0)
                .edge("Source: in", "count", "by key")
                .checkpoint(stateBytes);
        job.stateBackend = backend;
        return job;
    }

    private static List<Finding> found(MadeUpFlink job) {
        return new FlinkStateRule().findings(job.facts());
    }

    @Test
    void shouldKeepOnTheHeapWhatHasRoomThere() {
        List<Finding> found =
                found(job(0.98, "EmbeddedRocksDBStateBackend", 100_000_000).samples("count", 0, 0, 0, 0, 400));

        assertThat(found).hasSize(1);
        assertThat(found.get(0).rule()).isEqualTo("state-backend");
        assertThat(found.get(0).operator()).isEqualTo("count");
        assertThat(found.get(0).option()).isEqualTo("state.backend.type: hashmap");
        assertThat(found.get(0).predictedGain()).isEqualTo(Gain.throughput(1 / (1 - 0.4 * 0.5), 1 / (1 - 0.4 * 0.9)));
    }

    @Test
    void shouldNotSendLargeOrUnknownStateToTheHeap() {
        MadeUpFlink large =
                job(0.98, "EmbeddedRocksDBStateBackend", 200_000_000).samples("count", 0, 0, 0, 0, 520);
        MadeUpFlink unknown = job(0.98, "EmbeddedRocksDBStateBackend", 0).samples("count", 0, 0, 0, 0, 520);

        for (MadeUpFlink each : List.of(large, unknown)) {
            List<Finding> found = found(each);
            assertThat(found).hasSize(1);
            assertThat(found.get(0).option()).isNull();
            assertThat(found.get(0).predictedGain()).isNull();
            assertThat(found.get(0).remedy()).contains("taskmanager.memory.managed.fraction");
        }
    }

    @Test
    void shouldFindNothingWhereStateIsCheapOrNobodyWaits() {
        assertThat(found(job(0.98, "EmbeddedRocksDBStateBackend", 100).samples("count", 0, 0, 0, 0, 90)))
                .isEmpty();
        assertThat(found(job(0.5, "EmbeddedRocksDBStateBackend", 100).samples("count", 0, 0, 0, 0, 400)))
                .isEmpty();
        assertThat(found(job(0.98, "EmbeddedRocksDBStateBackend", 100))).isEmpty();
        assertThat(found(job(0.98, "EmbeddedRocksDBStateBackend", 200_000_000).samples("count", 0, 0, 0, 0, 490)))
                .as("state that has to stay there, and is not most of the work")
                .isEmpty();
    }

    @Test
    void shouldFindAHeapThatIsFullOfState() {
        MadeUpFlink job = job(0.5, "HashMapStateBackend", 400_000_000);
        job.gc = 0.06;

        List<Finding> found = found(job);

        assertThat(found).hasSize(1);
        assertThat(found.get(0).option()).isEqualTo("state.backend.type: rocksdb");
        assertThat(found.get(0).predictedGain()).isNull();
        assertThat(found.get(0).evidence()).anySatisfy(figure -> {
            assertThat(figure.name()).isEqualTo("state, in a checkpoint");
            assertThat(figure.value()).isEqualTo(400);
            assertThat(figure.unit()).isEqualTo("MB");
        });
    }

    @Test
    void shouldLeaveStateOnAHeapThatHasRoom() {
        MadeUpFlink quiet = job(0.5, "HashMapStateBackend", 400_000_000);
        quiet.gc = 0.04;
        MadeUpFlink small = job(0.5, "HashMapStateBackend", 390_000_000);
        small.gc = 0.06;
        MadeUpFlink onDisk = job(0.5, "EmbeddedRocksDBStateBackend", 400_000_000);
        onDisk.gc = 0.06;
        MadeUpFlink unknown = job(0.5, null, 400_000_000);
        unknown.gc = 0.06;

        for (MadeUpFlink each : List.of(quiet, small, onDisk, unknown)) {
            assertThat(found(each)).isEmpty();
        }
    }
}

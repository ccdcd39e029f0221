// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.stats.AlignmentStats;
import io.thalweg.api.stats.InputStats;
import io.thalweg.api.stats.LateBy;
import io.thalweg.api.stats.LateRecords;
import io.thalweg.api.stats.LateSample;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.engine.HostedCounts;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CountsMessageTest {
    @Test
    void shouldCarryLateRecords() {
        LateRecords late = new LateRecords(
                "window",
                3,
                List.of(new LateBy(8, 2), new LateBy(4_096, 1)),
                List.of(
                        new LateSample("level 3", "a.csv", 1L, 9L, null, 8),
                        new LateSample("", "", null, null, null, 0)));
        TaskStats task = new TaskStats(
                "window[0]",
                List.of("window"),
                0,
                9,
                1,
                0,
                3,
                0,
                0,
                0,
                0,
                0,
                0,
                AlignmentStats.NONE,
                List.of(),
                InputStats.NONE,
                List.of(),
                List.of(),
                0,
                0,
                List.of(late));
        HostedCounts counts = new HostedCounts(task, false, 0, 0, 9, 0, 0);
        ByteWriter out = new ByteWriter(64);
        ControlMessage.of(ControlMessage.Kind.COUNTS, 1, 2, "", ControlMessage.COUNTS, counts)
                .writeTo(out);

        ControlMessage read = ControlMessage.read(new ByteReader(out.toByteArray()));

        assertThat(read.decoded(ControlMessage.COUNTS)).isEqualTo(counts);
    }
}

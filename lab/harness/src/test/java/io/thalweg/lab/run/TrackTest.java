// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.driver.RunFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrackTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path folder;

    @Test
    void shouldAddUpTheProcessesOfARunAsTheyWrite() throws Exception {
        Track track = new Track(new RunFolder(folder));
        append("1.samples", "10 5 0 3 0 0 0 0 0 0 0 .\n");
        append("2.samples", "12 0 0 1 0 0 0 0 0 0 0 .\n14 0 0 4 0");
        track.readOn();
        assertThat(track.total().received()).isEqualTo(4);
        append("2.samples", " 0 0 0 0 0 0 .\n");
        track.readOn();
        assertThat(track.total().received()).isEqualTo(7);
        assertThat(track.total().sent()).isEqualTo(5);
        assertThat(track.at(12).received()).isEqualTo(4);
        assertThat(track.points())
                .containsExactly(new Track.Point(10, 3), new Track.Point(12, 4), new Track.Point(14, 7));
    }

    /** As of a job that runs for half an hour after its rate was measured. */
    @Test
    void shouldReadOnToTheEnd_howeverMuchThereIs() throws Exception {
        StringBuilder lines = new StringBuilder();
        long last = 50_000;
        for (long i = 1; i <= last; i++) {
            lines.append(i).append(" " + i + " 0 " + i + " 0 0 1000000000 100 1000 10 1000000000 .\n");
        }
        append("1.samples", lines.toString());
        assertThat(lines).hasSizeGreaterThan(2 << 20);

        Track track = new Track(new RunFolder(folder));
        track.readOn();

        assertThat(track.total().received()).isEqualTo(last);
        assertThat(track.points()).hasSize((int) last);
    }

    @Test
    void shouldGiveTheRateOfWhatComesInBurstsByItsBursts() {
        List<Track.Point> bursts = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            bursts.add(new Track.Point(i * SECOND, i * 1_000L));
        }
        assertThat(Track.rate(bursts, 2 * SECOND + SECOND / 2, 7 * SECOND + SECOND * 9 / 10))
                .isEqualTo(1_000);
        assertThat(Track.rate(bursts, 2 * SECOND, 2 * SECOND + SECOND / 2)).isZero();
    }

    private void append(String name, String text) throws Exception {
        Files.writeString(folder.resolve(name), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}

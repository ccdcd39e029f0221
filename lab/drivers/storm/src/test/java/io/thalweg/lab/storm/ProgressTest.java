// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgressTest {
    @TempDir
    private Path folder;

    @Test
    void shouldBeBeforeTheFirstThatIsNotAcked_inWhateverOrder() {
        Random random = new Random(1);
        Progress progress = new Progress(folder.resolve("acked"), 1_000);
        TreeSet<Long> open = new TreeSet<>();
        long sent = 0;
        while (sent < 300_000) {
            List<Long> some = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                open.add(sent++);
            }
            open.stream().filter(each -> random.nextInt(4) > 0).forEach(some::add);
            some.forEach(open::remove);
            Collections.shuffle(some, random);
            some.forEach(progress::acked);

            assertThat(progress.position()).isEqualTo(open.isEmpty() ? sent : open.first());
        }
        open.forEach(progress::acked);
        assertThat(progress.position()).isEqualTo(sent);
    }

    @Test
    void shouldContinueWhatItWrote() {
        Progress progress = new Progress(folder.resolve("acked"), 0);
        progress.acked(1);
        progress.acked(0);
        progress.acked(3);
        progress.writeNowAndThen();

        Progress next = new Progress(folder.resolve("acked"), 0);
        assertThat(next.position()).isEqualTo(2);
        next.acked(2);
        assertThat(next.position()).isEqualTo(3);
    }
}

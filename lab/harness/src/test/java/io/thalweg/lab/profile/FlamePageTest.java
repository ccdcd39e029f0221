// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FlamePageTest {
    private static volatile byte[] kept = {};

    @TempDir
    Path folder;

    @Test
    void shouldAddUpStacksFromTheOutermostCall() {
        Stacks stacks = new Stacks();
        stacks.add(List.of("t", "a", "b"), 2);
        stacks.add(List.of("t", "a"), 3);
        stacks.add(List.of("t", "b"), 5);

        assertThat(stacks.total()).isEqualTo(10);
        assertThat(stacks.innermost()).extracting(Object::toString).containsExactly("b=7", "a=3");
        Stacks thread = stacks.callees().get(0).getValue();
        assertThat(thread.callees())
                .extracting(each -> each.getKey() + " " + each.getValue().total())
                .containsExactly("a 5", "b 5");
    }

    @Test
    void shouldShowWhatWasRecordedInASpanAlone_onAPageThatNeedsNothingFromOutside() throws Exception {
        Path file = folder.resolve("one.jfr");
        Instant before = Instant.now();
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ObjectAllocationSample").with("throttle", "off");
            recording.start();
            for (int i = 0; i < 100_000; i++) {
                kept = new byte[1_000];
            }
            recording.stop();
            recording.dump(file);
        }
        Recordings recorded = Recordings.read(List.of(file), before, Instant.MAX);
        String page = FlamePage.of("a </script> cell", recorded, 100_000);

        assertThat(kept).hasSize(1_000);
        assertThat(recorded.allocatedBytes()).isGreaterThan(50_000_000);
        assertThat(page)
                .contains("default-src 'none'")
                .contains("bytes a record, by samples")
                .contains(FlamePageTest.class.getName() + ".shouldShow")
                .contains("\"n\":\"byte[]\"")
                .doesNotContain("a </script>")
                .doesNotContainPattern("(src|href)=");
        assertThat(Recordings.read(List.of(file), Instant.MIN, before).allocatedBytes())
                .isZero();
    }
}

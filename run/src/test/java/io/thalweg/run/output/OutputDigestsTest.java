// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class OutputDigestsTest {
    private final AtomicLong nowNs = new AtomicLong(1_000);

    @Test
    void shouldTellTheTimeFromTheFirstTaskThatIsReadyToTheLastThatHasFinished() {
        try (OutputDigests digests = new OutputDigests(nowNs::get)) {
            assertThat(digests.workedNs()).isZero();
            assertThat(digests.isAtWork()).isFalse();
            digests.open();
            nowNs.set(1_200);
            digests.open();
            nowNs.set(1_500);
            digests.finish("'a'", new OutputDigests.Digest());
            assertThat(digests.isAtWork()).isTrue();
            nowNs.set(1_700);
            digests.finish("'b'", new OutputDigests.Digest());
            assertThat(digests.isAtWork()).isFalse();
            nowNs.set(9_000);
            digests.add("printed lines", new OutputDigests.Digest());

            assertThat(digests.workedNs()).isEqualTo(700);
            assertThat(digests.totals())
                    .extracting(OutputDigests.Total::name)
                    .containsExactly("'a'", "'b'", "printed lines");
        }
    }
}

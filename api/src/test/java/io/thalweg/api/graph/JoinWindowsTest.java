// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.window.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How windows of a join divide the records of a key. */
final class JoinWindowsTest {
    private final JoinWindows sessions = JoinWindows.of(Windows.session(Duration.ofMillis(10)));
    private final List<JoinWindows.Member> came = new ArrayList<>();

    private void comes(String value, long time) {
        came.add(new JoinWindows.Member(true, value, time, Long.MIN_VALUE));
    }

    /** The last of them joins two sessions to one. */
    @Test
    void shouldKeepRecordsOfOneTimeInTheOrderOfArrival_inSessions() {
        comes("first", 5);
        comes("second", 5);
        comes("third", 5);
        comes("far", 25);
        comes("between", 15);
        comes("far again", 25);

        List<JoinWindows.Group> fired = sessions.fire(came, Long.MAX_VALUE).groups();

        assertThat(fired).hasSize(1);
        assertThat(fired.get(0).members())
                .extracting(JoinWindows.Member::value)
                .containsSubsequence("first", "second", "third")
                .containsSubsequence("far", "far again");
    }
}

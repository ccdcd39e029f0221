// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ClosingTest {
    private boolean last;

    @Test
    void shouldCloseWhatFollows_whateverIsThrown() {
        Closing closing = new Closing();
        NoClassDefFoundError first = new NoClassDefFoundError("gone");
        closing.run(() -> {
            throw first;
        });
        closing.run(() -> {
            throw new IllegalStateException("second");
        });
        closing.run(() -> last = true);

        assertThat(last).isTrue();
        assertThatThrownBy(closing::end).isSameAs(first);
        assertThat(first.getSuppressed()).hasSize(1);
    }
}

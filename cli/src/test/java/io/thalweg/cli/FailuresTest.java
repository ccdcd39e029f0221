// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FailuresTest {
    @Test
    void shouldTellOfAFullHeap_whereTheJvmThrewTheSameErrorTwice() {
        OutOfMemoryError full = new OutOfMemoryError("Java heap space");
        Throwable suppressing = suppressedInItself(full);

        assertThat(suppressing).hasMessage("Self-suppression not permitted");
        assertThat(Failures.describe(suppressing)).startsWith("out of memory: the heap of ");
        assertThat(Failures.describe(full)).startsWith("out of memory: the heap of ");
    }

    @Test
    void shouldNotTellOfAFullHeap_whereNoneWas() {
        assertThat(Failures.describe(new IllegalStateException("closed", new RuntimeException("gone"))))
                .isEqualTo("java.lang.IllegalStateException: closed (--debug shows where)");
    }

    /** As a try statement does whose resource cannot be closed for want of memory either. */
    private static Throwable suppressedInItself(Throwable error) {
        try {
            error.addSuppressed(error);
            return error;
        } catch (IllegalArgumentException e) {
            return e;
        }
    }
}

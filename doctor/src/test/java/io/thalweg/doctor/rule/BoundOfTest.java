// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BoundOfTest {
    private static String why(long records) {
        return BoundOf.of(new MadeUpJob()
                        .operator("in", "source", "", false)
                        .chain(2, "in")
                        .task(records, 0.02, 0, 0)
                        .facts())
                .text();
    }

    @Test
    void shouldSayThatNoRecordHasCome() {
        assertThat(why(0)).startsWith("the source: no record has come from it, and threads are busy for ");
        assertThat(why(10)).startsWith("the source: tasks wait for records, and threads are busy for ");
    }
}

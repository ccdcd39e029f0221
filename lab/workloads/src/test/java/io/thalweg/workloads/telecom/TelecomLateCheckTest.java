// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TelecomLateCheckTest {
    private static final TelecomSize SIZE = SmallSizes.SIXTEEN_CYCLES;

    private final TelecomSettings settings = TelecomSettings.of(SIZE)
            .withRecords(3L * SIZE.windowRecords() + 100)
            .withLate(8);
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final List<Probe> late = new ArrayList<>();

    @BeforeEach
    void holdBack() {
        TelecomGenerator generator = new TelecomGenerator(SIZE);
        long windowsThatHaveOneAfterTheNext = 3;
        for (long i = 0; i < windowsThatHaveOneAfterTheNext * SIZE.windowRecords(); i++) {
            if (i % 8 == 7) {
                late.add(generator.probe(i));
            }
        }
    }

    private SinkWriter<Probe> written(TelecomSettings expected) throws Exception {
        PrintStream console = new PrintStream(printed, true, StandardCharsets.UTF_8);
        SinkWriter<Probe> writer =
                new TelecomLateCheck(expected).open(new SinkContext("test", "late check", 0, 1, console));
        for (Probe probe : late) {
            writer.write(probe);
        }
        return writer;
    }

    @Test
    void shouldCountThem() throws Exception {
        written(settings).finish();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .containsPattern("records +" + String.format(Locale.ROOT, "%,d", late.size()) + "\\R");
    }

    @Test
    void shouldMissOne_butNotWhereTheRunIsStopped() throws Exception {
        late.remove(late.size() - 1);
        written(settings).cancelled();
        SinkWriter<Probe> writer = written(settings);
        assertThatThrownBy(writer::finish)
                .isInstanceOf(WrongResultException.class)
                .hasMessage(
                        "late records of window 2025-01-01T00:10:00Z are %,d, expected %,d",
                        SIZE.windowRecords() / 8 - 1, SIZE.windowRecords() / 8);
    }

    @Test
    void shouldMissAWholeWindow() throws Exception {
        late.clear();
        SinkWriter<Probe> writer = written(settings);
        assertThatThrownBy(writer::finish).hasMessageContaining("2025-01-01T00:00:00Z are 0");
    }

    @Test
    void shouldRefuseOneTooMany() throws Exception {
        late.add(late.get(0));
        SinkWriter<Probe> writer = written(settings);
        assertThatThrownBy(writer::cancelled).isInstanceOf(WrongResultException.class);
        assertThatThrownBy(writer::finish).isInstanceOf(WrongResultException.class);
    }

    @Test
    void shouldExpectNoneWithoutLateMode() throws Exception {
        SinkWriter<Probe> writer = written(settings.withLate(0));
        assertThatThrownBy(writer::finish).isInstanceOf(WrongResultException.class);
        late.clear();
        written(settings.withLate(0)).finish();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BadRecordsTest {
    private final BadRecords records = new BadRecords(0, 1);

    private void add(long offset) {
        records.add("read", new BadRecord("split", 0, offset, "it is no number", new byte[0]));
    }

    @Test
    void shouldNotChangeWhatItHasTold() {
        add(1);
        BadRecords.Seen seen = records.getLocalValue();
        add(2);

        assertThat(seen.count()).isEqualTo(1);
        assertThat(seen.first()).hasSize(1);
        assertThat(records.getLocalValue().first()).hasSize(2);
    }

    /** A TaskManager that runs all tasks sends them in one message, of which Flink takes 10 MB. */
    @Test
    void shouldKeepNoMoreThanAMessageOfFlinkMayHold() throws Exception {
        int tasks = 8;
        int sent = 0;
        for (int task = 0; task < tasks; task++) {
            BadRecords large = new BadRecords(0, tasks);
            for (int i = 0; i < 2_000; i++) {
                large.add("read", new BadRecord("split", 0, i, "it is no number", new byte[5_000]));
            }
            assertThat(large.count()).isEqualTo(2_000);
            assertThat(large.getLocalValue().first()).isNotEmpty();
            sent += serialized(large);
        }
        assertThat(sent).isBetween(3 << 20, 5 << 20);
    }

    private static int serialized(BadRecords records) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(records);
        }
        return bytes.size();
    }

    /** Has another one added as soon as the first of those there is written, or that it waits. */
    private final class Interrupted extends ObjectOutputStream {
        private final Thread task = new Thread(() -> add(2));

        Interrupted(ByteArrayOutputStream bytes) throws IOException {
            super(bytes);
            enableReplaceObject(true);
        }

        @Override
        protected Object replaceObject(Object each) {
            if (each instanceof BadRecords.Kept && task.getState() == Thread.State.NEW) {
                task.start();
                while (task.isAlive() && task.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
            }
            return each;
        }
    }

    /** Without it, a heartbeat of Flink tells nothing of the task. */
    @Test
    void shouldBeSerializedWhole_whileTheTaskGoesOn() throws Exception {
        add(1);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Interrupted out = new Interrupted(bytes)) {
            out.writeObject(records);
            out.task.join();
        }

        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            BadRecords.Seen seen = ((BadRecords) in.readObject()).getLocalValue();
            assertThat(seen.count()).isEqualTo(1);
            assertThat(seen.first()).hasSize(1);
        }
        assertThat(records.count()).isEqualTo(2);
    }
}

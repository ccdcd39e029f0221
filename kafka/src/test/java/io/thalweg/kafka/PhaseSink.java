// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A sink of topics that says in a file what it is about to do and has done, so that it is known where a killed process was. What is in
 * the file stays when the process dies.
 *
 * @param pauseAt before the end of which phase it waits to be killed; the phases within Kafka's client cannot be paused
 */
record PhaseSink(KafkaSink<String> sink, String log, Phase pauseAt, int pauseMs) implements Sink<String> {
    private static final long serialVersionUID = 1L;

    /** What a task does; a line of the log is its number, the name of a phase, and the checkpoint's number. */
    enum Phase {
        RESTORE,
        /** Between checkpoints. */
        WRITE,
        FLUSH,
        /** Saved, and flushed if that was to be; the checkpoint is not complete as far as the task knows. */
        CHECKPOINT,
        /** The checkpoint is complete. */
        BETWEEN,
        COMMIT
    }

    @Override
    public String name() {
        return sink.name();
    }

    @Override
    public boolean immediate() {
        return sink.immediate();
    }

    @Override
    public boolean blocking() {
        return sink.blocking();
    }

    @Override
    public SinkWriter<String> open(SinkContext context) throws Exception {
        FileChannel file = FileChannel.open(
                Path.of(log), StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.WRITE);
        return new Writer(this, (CheckpointedWriter<String>) sink.open(context), context.task(), file);
    }

    private static final class Writer implements CheckpointedWriter<String> {
        private final PhaseSink phases;
        private final CheckpointedWriter<String> writer;
        private final int task;
        private final FileChannel file;
        private long messages;
        private long saved;

        Writer(PhaseSink phases, CheckpointedWriter<String> writer, int task, FileChannel file) {
            this.phases = phases;
            this.writer = writer;
            this.task = task;
            this.file = file;
        }

        private void log(Phase phase, long checkpoint) throws IOException {
            byte[] line = (task + " " + phase + " " + checkpoint + "\n").getBytes(StandardCharsets.UTF_8);
            file.write(ByteBuffer.wrap(line));
        }

        private void pause(Phase phase) throws InterruptedException {
            if (phases.pauseAt == phase) {
                new CountDownLatch(1).await(phases.pauseMs, TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void restore(List<byte[]> from) throws Exception {
            log(Phase.RESTORE, 0);
            writer.restore(from);
            log(Phase.WRITE, 0);
        }

        @Override
        public void write(String value) throws Exception {
            messages++;
            writer.write(value);
        }

        @Override
        public long dueMs() {
            return writer.dueMs();
        }

        @Override
        public void onClock(long epochMs) throws Exception {
            writer.onClock(epochMs);
        }

        @Override
        public byte[] save(long checkpoint) throws Exception {
            boolean some = messages > 0;
            messages = 0;
            if (!some) {
                return writer.save(checkpoint); // nothing to flush or to commit
            }
            log(Phase.FLUSH, checkpoint);
            byte[] bytes = writer.save(checkpoint);
            log(Phase.CHECKPOINT, checkpoint);
            saved = checkpoint;
            pause(Phase.CHECKPOINT);
            return bytes;
        }

        @Override
        public void commit(long checkpoint) throws Exception {
            if (saved == 0 || saved > checkpoint) {
                writer.commit(checkpoint);
                return;
            }
            log(Phase.BETWEEN, checkpoint);
            pause(Phase.BETWEEN);
            log(Phase.COMMIT, checkpoint);
            writer.commit(checkpoint);
            log(Phase.WRITE, checkpoint);
            saved = 0;
        }

        @Override
        public void finish() throws Exception {
            writer.finish();
        }

        @Override
        public void close() throws Exception {
            writer.close();
            file.close();
        }
    }
}

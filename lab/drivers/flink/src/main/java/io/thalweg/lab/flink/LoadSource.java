// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Load;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/**
 * The lab's load as a source of Flink: each reader has one split from the start, its own task of the load, and stores in
 * checkpoints how far it came.
 */
final class LoadSource<T> implements Source<T, LoadSource.Split, Void> {
    private static final long serialVersionUID = 1L;

    /** Makes the next record of a load that is due, and takes its number. */
    interface Maker<T> extends Serializable {
        /** Prepares what it needs, before the first record is due. */
        default void open() {}

        T next(Load load);
    }

    /** A reader's task of the load, and how many records it had sent. */
    record Split(int task, long sent) implements SourceSplit {
        @Override
        public String splitId() {
            return Integer.toString(task);
        }
    }

    private final Cell cell;
    private final Maker<T> maker;

    LoadSource(Cell cell, Maker<T> maker) {
        this.cell = cell;
        this.maker = maker;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<T, Split> createReader(SourceReaderContext context) {
        return new LoadReader<>(cell, maker, context.getIndexOfSubtask(), context.currentParallelism());
    }

    @Override
    public SplitEnumerator<Split, Void> createEnumerator(SplitEnumeratorContext<Split> context) {
        return new NothingToAssign();
    }

    @Override
    public SplitEnumerator<Split, Void> restoreEnumerator(SplitEnumeratorContext<Split> context, Void checkpoint) {
        return new NothingToAssign();
    }

    @Override
    public SimpleVersionedSerializer<Split> getSplitSerializer() {
        return new SplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<Void> getEnumeratorCheckpointSerializer() {
        return new NoStateSerializer();
    }

    private static final class NothingToAssign implements SplitEnumerator<Split, Void> {
        @Override
        public void start() {}

        @Override
        public void handleSplitRequest(int subtask, @Nullable String host) {}

        @Override
        public void addSplitsBack(List<Split> splits, int subtask) {}

        @Override
        public void addReader(int subtask) {}

        @Override
        @SuppressWarnings("NullAway") // null is the only Void
        public Void snapshotState(long checkpoint) {
            return null;
        }

        @Override
        public void close() {}
    }

    private static final class SplitSerializer implements SimpleVersionedSerializer<Split> {
        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(Split split) {
            return ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                    .putInt(split.task())
                    .putLong(split.sent())
                    .array();
        }

        @Override
        public Split deserialize(int version, byte[] bytes) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return new Split(buffer.getInt(), buffer.getLong());
        }
    }

    private static final class NoStateSerializer implements SimpleVersionedSerializer<Void> {
        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(Void state) {
            return new byte[0];
        }

        @Override
        @SuppressWarnings("NullAway") // null is the only Void
        public Void deserialize(int version, byte[] bytes) {
            return null;
        }
    }
}

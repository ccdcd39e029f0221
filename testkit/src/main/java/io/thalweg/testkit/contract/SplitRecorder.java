// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a split and records what it returns. The clock advances when the reader has nothing. */
final class SplitRecorder<T> implements SourceContext, Closeable {
    private static final long PAUSE_NS = 1_000_000;

    /** The position of a bad record: the reader stands where the next good one ends. */
    static final long NOWHERE = -1;

    /**
     * A record or a bad one.
     *
     * @param what a {@link Kept} record, or the reason why it is bad
     * @param position where the reader stood after it
     */
    record Step(Object what, long line, long offset, long position) {
        boolean good() {
            return what instanceof Kept;
        }
    }

    /** A record as its codec wrote it: reused objects and arrays can be compared, too. */
    record Kept(String text, byte[] bytes) {
        static <T> Kept of(T record, Codec<T> codec) {
            ByteWriter out = new ByteWriter(64);
            codec.encode(record, out);
            return new Kept(String.valueOf(record), out.toByteArray());
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Kept kept && Arrays.equals(bytes, kept.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    final SplitReader<T> reader;
    final List<Step> steps = new ArrayList<>();
    /** What the reader handed out, as it is now. */
    final List<T> records = new ArrayList<>();

    private final Codec<T> codec;
    private long nowNs;

    SplitRecorder(Source<T> source, String split) throws Exception {
        codec = source.type().codec();
        reader = source.open(split, this);
    }

    static <T> List<Step> whole(Source<T> source, String split) throws Exception {
        try (SplitRecorder<T> tape = new SplitRecorder<>(source, split)) {
            return tape.rest();
        }
    }

    static <T> List<Step> from(long position, Source<T> source, String split) throws Exception {
        try (SplitRecorder<T> tape = new SplitRecorder<>(source, split)) {
            tape.reader.seek(position);
            return tape.rest();
        }
    }

    /** All steps, to the end. */
    List<Step> rest() throws Exception {
        while (poll()) {
            // on to the end
        }
        return steps;
    }

    /** Polls once; false at the end. */
    boolean poll() throws Exception {
        T record = reader.poll();
        if (record != null) {
            records.add(record);
            steps.add(new Step(Kept.of(record, codec), reader.line(), reader.recordOffset(), reader.position()));
            return true;
        }
        if (reader.finished()) {
            return false;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("the split does not come to its end");
        }
        nowNs = Math.max(nowNs + PAUSE_NS, reader.nextDueNs());
        return true;
    }

    List<Kept> good() {
        return good(steps);
    }

    static List<Kept> good(List<Step> steps) {
        return steps.stream().filter(Step::good).map(step -> (Kept) step.what()).toList();
    }

    /** The records once more, as they are now. */
    List<Kept> again() {
        return records.stream().map(record -> Kept.of(record, codec)).toList();
    }

    @Override
    public void bad(BadRecord record) {
        steps.add(new Step(record.reason(), record.line(), record.offset(), NOWHERE));
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public boolean checkpoints() {
        return true;
    }

    @Override
    public void close() throws IOException {
        try {
            reader.close();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}

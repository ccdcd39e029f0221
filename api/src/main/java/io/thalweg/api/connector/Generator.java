// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Formats;
import io.thalweg.api.codec.Type;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A source that generates records from their index; see {@link Sources#generate(long, IndexFunction)}. Replayable: a
 * job can continue from any record.
 *
 * @param <T> records
 * @param count number of records
 * @param type of the records
 * @param function makes a record from its index
 * @param perSecond records due per second, over all splits; 0 for no limit
 * @param splitCount number of splits; split i of n generates the records whose index is i modulo n
 */
public record Generator<T>(long count, Type<T> type, IndexFunction<T> function, double perSecond, int splitCount)
        implements Source<T> {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if the count or rate is negative or no number, or there is no split
     */
    public Generator {
        if (count < 0 || !(perSecond >= 0) || splitCount < 1) {
            throw new IllegalArgumentException("a generator needs a count and a rate of at least 0 and a split, not "
                    + count + ", " + perSecond + " and " + splitCount);
        }
    }

    /**
     * The same records at a fixed rate. After a stall the generator catches up, and due times stay as they were, so
     * that latency includes the stall.
     *
     * @param recordsPerSecond over all splits
     */
    public Generator<T> rate(double recordsPerSecond) {
        return new Generator<>(count, type, function, recordsPerSecond, splitCount);
    }

    /**
     * The same records from several splits, so that several tasks can generate them.
     *
     * @param number of splits, at least 1
     */
    public Generator<T> splitInto(int number) {
        return new Generator<>(count, type, function, perSecond, number);
    }

    @Override
    public String name() {
        return "generator of " + type;
    }

    @Override
    public List<String> splits(int parallelism) {
        return IntStream.range(0, splitCount).mapToObj(Integer::toString).toList();
    }

    @Override
    public SplitReader<T> open(String split, SourceContext context) {
        int first = Integer.parseInt(split);
        return perSecond == 0
                ? new Fast<>(type, function, first, splitCount, count)
                : new Timed<>(new Fast<>(type, function, first, splitCount, count), context, 1e9 / perSecond);
    }

    @Override
    public boolean replayable() {
        return true;
    }

    /** True for {@link Long#MAX_VALUE} records. */
    @Override
    public boolean endless() {
        return count == Long.MAX_VALUE;
    }

    private static final class Fast<T> implements SplitReader<T> {
        private static final int VERSION = 1;

        private final Type<T> type;
        private final IndexFunction<T> function;
        private final int step;
        private final long end;
        private long next;

        Fast(Type<T> type, IndexFunction<T> function, long first, int step, long end) {
            this.type = type;
            this.function = function;
            this.next = first;
            this.step = step;
            this.end = end;
        }

        @Override
        public @Nullable T poll() throws Exception {
            long index = next;
            if (index >= end) {
                return null;
            }
            next = index + step;
            return function.apply(index);
        }

        @Override
        public boolean finished() {
            return next >= end;
        }

        @Override
        public long position() {
            return next;
        }

        @Override
        public void seek(long position) {
            next = position;
        }

        @Override
        public byte[] fingerprint() {
            return Generator.fingerprint(this);
        }

        @Override
        public @Nullable String changed(byte[] fingerprint) {
            return Generator.changed(this, fingerprint);
        }

        @Override
        public long recordOffset() {
            return next - step;
        }
    }

    /** What is known of the generator: its type, how many splits it has, and how far it must go. */
    private static byte[] fingerprint(Fast<?> of) {
        ByteWriter out = new ByteWriter(64);
        out.writeVarLong(Fast.VERSION);
        out.writeText(Formats.of(of.type));
        out.writeVarLong(of.step);
        out.writeVarLong(Math.max(0, of.next - of.step + 1));
        return out.toByteArray();
    }

    private static @Nullable String changed(Fast<?> now, byte[] fingerprint) {
        ByteReader in = Fingerprints.begin(fingerprint, Fast.VERSION, "generator");
        String type = in.readText();
        long splits = in.readVarLong();
        long made = in.readVarLong();
        if (!type.equals(Formats.of(now.type))) {
            return "the generator made " + type + ", and makes " + Formats.of(now.type) + " now";
        }
        if (splits != now.step) {
            return "the generator had " + splits + " splits, and has " + now.step + " now";
        }
        return made <= now.end ? null : made + " records had been made, and the generator makes " + now.end + " now";
    }

    private static final class Timed<T> implements SplitReader<T> {
        private final Fast<T> records;
        private final SourceContext context;
        private final double nsPerRecord;
        private long startNs;
        private boolean started;
        private long nowNs;

        Timed(Fast<T> records, SourceContext context, double nsPerRecord) {
            this.records = records;
            this.context = context;
            this.nsPerRecord = nsPerRecord;
        }

        @Override
        public @Nullable T poll() throws Exception {
            if (!started) {
                started = true;
                nowNs = context.nowNs();
                startNs = nowNs - (long) (records.next * nsPerRecord);
            }
            long nextNs = nextDueNs();
            if (nextNs - nowNs > 0) {
                nowNs = context.nowNs(); // read only if what was known says no: catching up costs no reads
            }
            return nextNs - nowNs > 0 ? null : records.poll();
        }

        @Override
        public boolean finished() {
            return records.finished();
        }

        @Override
        public long position() {
            return records.position();
        }

        @Override
        public void seek(long position) {
            records.seek(position);
        }

        @Override
        public byte[] fingerprint() {
            return Generator.fingerprint(records);
        }

        @Override
        public @Nullable String changed(byte[] fingerprint) {
            return Generator.changed(records, fingerprint);
        }

        @Override
        public long recordOffset() {
            return records.recordOffset();
        }

        @Override
        public long nextDueNs() {
            return started ? startNs + (long) (records.next * nsPerRecord) : 0;
        }
    }
}

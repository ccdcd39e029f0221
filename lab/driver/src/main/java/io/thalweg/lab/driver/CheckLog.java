// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * What one task saw in a run that checks every record: the numbers, each a bit, and the rows of groups. Any thread may call; it is
 * as slow as it likes, because such a run is not timed.
 */
final class CheckLog {
    /** A greater number is none that a run that is checked sends. */
    private static final long LIMIT = 1L << 28;

    /** A group's row: the start of its window, its key, and what was computed of its records. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    record Row(long start, long[] key, long[] values) {}

    private final BitSet numbers;
    private final List<Row> rows;
    private long seen;
    private long outside;
    private boolean changed = true;

    CheckLog() {
        this(new BitSet(), new ArrayList<>());
    }

    private CheckLog(BitSet numbers, List<Row> rows) {
        this.numbers = numbers;
        this.rows = rows;
    }

    /** A log of the numbers that a source task has sent: task, task + tasks, and so on, so many of them. */
    static CheckLog ofSource(int task, int tasks, long sent) {
        CheckLog log = new CheckLog();
        for (long i = 0; i < sent; i++) {
            log.add(task + i * tasks);
        }
        return log;
    }

    synchronized void add(long number) {
        changed = true;
        if (number < 0 || number >= LIMIT) {
            outside++;
        } else {
            seen++;
            numbers.set((int) number);
        }
    }

    /** Adds a record that is not what was sent. */
    synchronized void addStrange() {
        changed = true;
        outside++;
    }

    synchronized void add(Row row) {
        changed = true;
        rows.add(row);
    }

    /** Whether anything was added since this was last asked. */
    synchronized boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    /** Adds all that another one has. */
    synchronized void addAll(CheckLog other) {
        synchronized (other) {
            numbers.or(other.numbers);
            rows.addAll(other.rows);
            seen += other.seen;
            outside += other.outside;
        }
    }

    /** The numbers seen, without those that no run sends. */
    synchronized BitSet numbers() {
        return (BitSet) numbers.clone();
    }

    /** How often a number was seen again. */
    synchronized long repeated() {
        return seen - numbers.cardinality();
    }

    /** How many records cannot have been sent, whatever was: by their number, or by what they carry. */
    synchronized long outside() {
        return outside;
    }

    synchronized List<Row> rows() {
        return List.copyOf(rows);
    }

    /** Writes logs into a file, though the thread be interrupted; whoever reads it meanwhile sees what it held before. */
    static void write(Path file, CheckLog sent, CheckLog received) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(next.toFile())))) {
            sent.write(out);
            received.write(out);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Adds what a file holds. */
    static void read(Path file, CheckLog sent, CheckLog received) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            sent.addAll(read(in));
            received.addAll(read(in));
        }
    }

    private synchronized void write(DataOutputStream out) throws IOException {
        out.writeLong(seen);
        out.writeLong(outside);
        write(numbers.toLongArray(), out);
        out.writeInt(rows.size());
        for (Row row : rows) {
            out.writeLong(row.start);
            write(row.key, out);
            write(row.values, out);
        }
    }

    private static void write(long[] values, DataOutputStream out) throws IOException {
        out.writeInt(values.length);
        for (long value : values) {
            out.writeLong(value);
        }
    }

    private static CheckLog read(DataInputStream in) throws IOException {
        long seen = in.readLong();
        long outside = in.readLong();
        BitSet numbers = BitSet.valueOf(longs(in));
        List<Row> rows = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            rows.add(new Row(in.readLong(), longs(in), longs(in)));
        }
        CheckLog log = new CheckLog(numbers, rows);
        log.seen = seen;
        log.outside = outside;
        return log;
    }

    private static long[] longs(DataInputStream in) throws IOException {
        long[] values = new long[in.readInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readLong();
        }
        return values;
    }

    /** The longs of ints. */
    static long[] longs(int[] values) {
        return Arrays.stream(values).asLongStream().toArray();
    }
}

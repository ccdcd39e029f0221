// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.accumulators.Accumulator;

/** An accumulator of what the tasks of a console sink print: by task, up to a limit each. */
public final class Printed implements Accumulator<String, Printed.Texts> {
    private static final long serialVersionUID = 1L;
    private static final int MOST_BYTES = 1 << 20;

    /** Of all tasks: one TaskManager may run them all, and Flink limits the message in which it sends this, as of bad records. */
    private static final int MOST_BYTES_OF_ALL = 4 << 20;

    /** The texts by task and attempt; each attempt begins anew. */
    public record Texts(Map<String, String> byTask) implements Serializable {}

    private final String task;
    private final int mostBytes;
    private final Map<String, String> others = new TreeMap<>();
    private transient ByteArrayOutputStream own = new ByteArrayOutputStream();

    /**
     * @param attempt how often Flink has started the task before
     * @param tasks how many the sink has
     */
    public Printed(int task, int attempt, int tasks) {
        this(task + "/" + attempt, Math.min(MOST_BYTES, MOST_BYTES_OF_ALL / tasks));
    }

    private Printed(String task, int mostBytes) {
        this.task = task;
        this.mostBytes = mostBytes;
    }

    /** A stream that prints here; for one thread. Flink may read the accumulator meanwhile. */
    public PrintStream stream() {
        return new PrintStream(new Limited(), true, StandardCharsets.UTF_8);
    }

    private final class Limited extends java.io.OutputStream {
        private boolean full;

        @Override
        public void write(int value) {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            synchronized (Printed.this) {
                if (own.size() + length <= mostBytes) {
                    own.write(bytes, offset, length);
                } else if (!full) {
                    full = true;
                    own.writeBytes("… more than can be sent back; use a file\n".getBytes(StandardCharsets.UTF_8));
                }
            }
        }
    }

    @Override
    public synchronized void add(String text) {
        own.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public synchronized Texts getLocalValue() {
        Map<String, String> all = new TreeMap<>(others);
        byte[] bytes = own.toByteArray();
        String text = new String(bytes, 0, whole(bytes), StandardCharsets.UTF_8);
        if (!text.isEmpty()) {
            all.merge(task, text, String::concat);
        }
        return new Texts(all);
    }

    /** How many bytes there are without a last character of which some are still to come. */
    private static int whole(byte[] bytes) {
        int begin = bytes.length - 1;
        while (begin >= 0 && begin > bytes.length - 4 && (bytes[begin] & 0xC0) == 0x80) {
            begin--;
        }
        int first = begin < 0 ? 0 : bytes[begin] & 0xFF;
        int length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        return begin + length > bytes.length ? begin : bytes.length;
    }

    @Override
    public synchronized void resetLocal() {
        own.reset();
        others.clear();
    }

    @Override
    public synchronized void merge(Accumulator<String, Printed.Texts> other) {
        other.getLocalValue().byTask().forEach((from, text) -> others.merge(from, text, String::concat));
    }

    @Override
    public Accumulator<String, Printed.Texts> clone() {
        Printed copy = new Printed(task, mostBytes);
        copy.others.putAll(getLocalValue().byTask());
        return copy;
    }

    private synchronized void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException {
        out.defaultWriteObject();
        byte[] bytes = own.toByteArray();
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private void readObject(java.io.ObjectInputStream in) throws java.io.IOException, ClassNotFoundException {
        in.defaultReadObject();
        own = new ByteArrayOutputStream();
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        own.writeBytes(bytes);
    }
}

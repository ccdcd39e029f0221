// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.files.record.MalformedException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A piece of an input, and what was decoded of it, in a thread that may be another than the one that cut it. It is decoded as if a
 * record began where the chunk does; whoever takes what was decoded knows whether one does.
 */
final class Chunk<T> implements Runnable {
    /** A line, or more, that gave no record. */
    sealed interface Trouble {
        /** It is bad; nothing is kept but the reason and the bytes. */
        record Bad(String reason, byte[] bytes) implements Trouble {}

        /** What the user's code threw. */
        record Thrown(Throwable failure) implements Trouble {}

        /** A record begins here, and where it ends cannot be told from the chunk alone. */
        record Unknown() implements Trouble {}
    }

    private static final int WAITS = 0;
    private static final int TAKEN = 1;
    private static final int DONE = 2;

    /** Each of these looks for its end in all of the chunk: after so many the rest is left to the reader. */
    private static final int MOST_UNKNOWN = 8;

    private static final Trouble UNKNOWN = new Trouble.Unknown();

    final LineChunk cut;
    private final Decoders<T> decoders;
    private final AtomicInteger state = new AtomicInteger();
    private boolean submitted;

    // The decoding thread's until it is done, then the reader's.
    private Object[] items;
    private int[] starts;
    private int[] ends;
    private int[] lines;
    private int size;
    private long lineCount;
    private int decodedTo;
    private @Nullable Throwable failure;

    /** @param likely how many items it will hold */
    Chunk(LineChunk cut, Decoders<T> decoders, int likely) {
        this.cut = cut;
        this.decoders = decoders;
        items = new Object[likely];
        starts = new int[likely];
        ends = new int[likely];
        lines = new int[likely];
    }

    // ---- the reader's side

    /** True at the first call. */
    boolean submit() {
        boolean first = !submitted;
        submitted = true;
        return first;
    }

    boolean isDone() {
        return state.get() == DONE;
    }

    /** Nobody will decode it; false if somebody is at it. */
    boolean cancel() {
        return state.compareAndSet(WAITS, TAKEN) || isDone();
    }

    @Nullable Throwable failure() {
        return failure;
    }

    int size() {
        return size;
    }

    Object item(int index) {
        return items[index];
    }

    long start(int index) {
        return cut.base() + starts[index];
    }

    /** Where to read on after it. */
    long end(int index) {
        return cut.base() + ends[index];
    }

    /** From 1, among those of the chunk. */
    int line(int index) {
        return lines[index];
    }

    long lineCount() {
        return lineCount;
    }

    /** What stands behind is not decoded. */
    long decodedTo() {
        return cut.base() + decodedTo;
    }

    /** Number of the item that begins at this position; negative if none does. */
    int find(long position) {
        return Arrays.binarySearch(starts, 0, size, (int) (position - cut.base()));
    }

    // ---- the decoding thread's side

    @Override
    public void run() {
        if (!state.compareAndSet(WAITS, TAKEN)) {
            return;
        }
        try {
            LineParser<T> parser = decoders.borrow();
            decode(parser);
            decoders.giveBack(parser);
        } catch (Throwable e) { // thrown to the task when it comes here
            failure = e;
        } finally {
            state.set(DONE);
            decoders.onDone().run();
        }
    }

    private void decode(LineParser<T> parser) {
        LineInput in = LineInput.ofChunk(decoders.split(), cut, decoders.maxLineBytes());
        int unknown = 0;
        while (true) {
            T ordinary = parser.parseNext(in);
            if (ordinary != null) {
                add(ordinary, in);
                continue;
            }
            switch (in.next()) {
                case LINE -> {
                    Object item = item(parser, in);
                    unknown += item == UNKNOWN ? 1 : 0;
                    if (unknown > MOST_UNKNOWN) {
                        end((int) (in.offset() - cut.base()), in.line() - 1);
                        return;
                    }
                    if (item != null) {
                        add(item, in);
                    }
                    if (item instanceof Trouble.Thrown thrown && thrown.failure() instanceof Error) {
                        end((int) (in.nextOffset() - cut.base()), in.linesFound());
                        return;
                    }
                }
                case TOO_LONG -> add(new Trouble.Bad(LineReader.tooLong(in), in.copy()), in);
                case NOTHING, END -> {
                    end(cut.to(), in.linesFound());
                    return;
                }
            }
        }
    }

    private @Nullable Object item(LineParser<T> parser, LineInput in) {
        try {
            return parser.parse(in);
        } catch (MalformedException e) {
            return new Trouble.Bad(String.valueOf(e.getMessage()), in.copy());
        } catch (ChunkEnd e) {
            in.shrink();
            return UNKNOWN;
        } catch (Throwable e) {
            return new Trouble.Thrown(e);
        }
    }

    private void end(int to, long count) {
        decodedTo = to;
        lineCount = count;
    }

    private void add(Object item, LineInput in) {
        if (size == items.length) {
            int more = Math.max(16, size * 2);
            items = Arrays.copyOf(items, more);
            starts = Arrays.copyOf(starts, more);
            ends = Arrays.copyOf(ends, more);
            lines = Arrays.copyOf(lines, more);
        }
        items[size] = item;
        starts[size] = (int) (in.offset() - cut.base());
        ends[size] = (int) (in.nextOffset() - cut.base());
        lines[size] = (int) in.line();
        size++;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.operator.PeekFunction;
import java.io.PrintStream;
import java.util.List;

/**
 * Sinks for people, for the program itself, and for tests. Sinks for files, databases and Kafka are in modules of their
 * own.
 */
public final class Sinks {
    private Sinks() {}

    /** Drops all records; for measurements. */
    public static <T> Sink<T> discard() {
        return new EachSink<>("discard", record -> {});
    }

    /** Calls a function for each record, on the task's thread: again for some after a restart, with any guarantee. */
    public static <T> Sink<T> each(PeekFunction<T> function) {
        return new EachSink<>("function", function);
    }

    /**
     * One line for each record, as it comes. With any guarantee, also with exactly-once, a job that is restarted prints those since
     * its last checkpoint again.
     */
    public static <T> Sink<T> print() {
        return new PrintSink<>();
    }

    /** A table of all records, printed when the input has ended: see {@link TableSink}. */
    public static <T> TableSink<T> table(String title) {
        return new TableSink<>(title, null, TableSink.DEFAULT_LIMIT);
    }

    private record EachSink<T>(String name, PeekFunction<T> function) implements Sink<T> {
        @Override
        public SinkWriter<T> open(SinkContext context) {
            return new EachWriter<>(function);
        }

        @Override
        public boolean immediate() {
            return true;
        }
    }

    private record EachWriter<T>(PeekFunction<T> function) implements SinkWriter<T> {
        @Override
        public void write(T value) throws Exception {
            function.accept(value);
        }
    }

    private record PrintSink<T>() implements Sink<T> {
        @Override
        public String name() {
            return "print";
        }

        @Override
        public SinkWriter<T> open(SinkContext context) {
            return new PrintWriter<>(context.console());
        }
    }

    private record PrintWriter<T>(PrintStream console) implements CheckpointedWriter<T> {
        @Override
        public void write(T value) {
            console.println(value);
        }

        @Override
        public byte[] save(long checkpoint) {
            console.flush();
            return new byte[0];
        }

        /** What was printed stays printed. */
        @Override
        public void restore(List<byte[]> saved) {}
    }
}

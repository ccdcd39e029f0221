// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects records for the test that made it. Works with any number of threads and through serialization, within one
 * JVM. Records of one task keep their order; those of several tasks interleave in any order.
 *
 * @param <T> records
 */
public final class CollectSink<T> implements Sink<T> {
    private static final long serialVersionUID = 1L;

    private final Type<T> type;
    private final String id;
    private transient @Nullable Collected held;

    private CollectSink(Type<T> type) {
        this.type = type;
        held = new Collected();
        id = Handles.register(held);
    }

    /** A sink for records of a generic type. */
    public static <T> CollectSink<T> of(Type<T> type) {
        return new CollectSink<>(type);
    }

    /** A sink for records of a class. */
    public static <T> CollectSink<T> of(Class<T> type) {
        return of(Type.of(type));
    }

    /** All records so far; a copy. */
    @SuppressWarnings("unchecked") // writers get only T
    public List<T> records() {
        return (List<T>) collected().since(0);
    }

    /** The records collected since the last call of this method. */
    @SuppressWarnings("unchecked") // writers are handed nothing else
    public List<T> newRecords() {
        return (List<T>) collected().sinceLooked();
    }

    /** Whether every task that opened the sink has reached the end of its input. */
    public boolean finished() {
        return collected().finished();
    }

    @Override
    public String name() {
        return "test";
    }

    @Override
    public SinkWriter<T> open(SinkContext context) {
        Collected into = collected();
        into.opened();
        Codec<T> codec = type.codec();
        return new CheckpointedWriter<>() {
            private final List<T> own = new ArrayList<>();
            private boolean finished;

            @Override
            public void write(T value) {
                T copy = codec.copy(value);
                own.add(copy);
                into.add(copy);
            }

            @Override
            public byte[] save(long checkpoint) {
                ByteWriter out = new ByteWriter(256);
                own.forEach(value -> codec.encode(value, out));
                return out.toByteArray();
            }

            @Override
            public void restore(List<byte[]> saved) {
                for (byte[] each : saved) {
                    ByteReader in = new ByteReader(each);
                    while (in.remaining() > 0) {
                        write(codec.decode(in));
                    }
                }
            }

            @Override
            public void finish() {
                finished = true;
                into.taskFinished();
            }

            /** Removes what was collected after the restored checkpoint, because it will be written again. */
            @Override
            public void close() {
                if (!finished && context.checkpoint() != SinkContext.NO_CHECKPOINTS) {
                    into.forget(own);
                }
            }
        };
    }

    private Collected collected() {
        Collected known = held;
        if (known == null) {
            known = Handles.find(id, Collected.class, "a CollectSink of " + type);
            held = known;
        }
        return known;
    }

    /** What all writers have written. Any thread may call. */
    private static final class Collected {
        private final List<Object> records = new ArrayList<>();
        private int looked;
        private int opened;
        private int finished;

        synchronized void add(Object value) {
            records.add(value);
        }

        synchronized void forget(List<?> some) {
            IdentityHashMap<Object, Integer> left = new IdentityHashMap<>();
            some.forEach(value -> left.merge(value, 1, Integer::sum));
            records.removeIf(value -> left.containsKey(value) && left.merge(value, -1, Integer::sum) >= 0);
            opened--;
        }

        synchronized void opened() {
            opened++;
        }

        synchronized void taskFinished() {
            finished++;
        }

        synchronized boolean finished() {
            return opened > 0 && opened == finished;
        }

        synchronized List<Object> since(int index) {
            return List.copyOf(records.subList(index, records.size()));
        }

        synchronized List<Object> sinceLooked() {
            List<Object> fresh = since(looked);
            looked = records.size();
            return fresh;
        }
    }
}

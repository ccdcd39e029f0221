// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.MalformedException;
import io.thalweg.files.record.TextCache;
import java.util.Objects;

/**
 * Reads JSON objects straight into records of a class, one text at a time. Not thread-safe: each thread makes its own, and
 * gains by keeping it, because it remembers the strings it has seen.
 *
 * <p>A text must be one object as RFC 8259 has it, in valid UTF-8. Fields may come in any order, and are found fastest in
 * the order of the components. Unknown fields are checked and left out; of two with one name the later counts.
 *
 * @param <R> records
 */
public final class JsonReader<R> {
    public static final int DEFAULT_MAX_DEPTH = 64;
    /** Reading is recursive, and the stack is finite. */
    public static final int HIGHEST_MAX_DEPTH = 1_000;

    /** {@code -Dthalweg.json.generate=false} reads by plain loops, without generated classes. */
    private static final boolean GENERATE = !"false".equals(System.getProperty("thalweg.json.generate"));

    private static final ClassValue<ValueReader> GENERATED = new ClassValue<>() {
        @Override
        protected ValueReader computeValue(Class<?> type) {
            return ValueReaders.of(type, true);
        }
    };

    private final Class<R> type;
    private final ValueReader root;
    private final JsonInput in;

    private JsonReader(Class<R> type, ValueReader root, int maxDepth) {
        this(type, root, maxDepth, new TextCache());
    }

    private JsonReader(Class<R> type, ValueReader root, int maxDepth, TextCache texts) {
        if (maxDepth < 1 || maxDepth > HIGHEST_MAX_DEPTH) {
            throw new IllegalArgumentException("maxDepth must be from 1 to " + HIGHEST_MAX_DEPTH + ", not " + maxDepth);
        }
        this.type = type;
        this.root = root;
        this.in = new JsonInput(maxDepth, texts);
    }

    /** @throws IllegalArgumentException if the class is no record, or has a component that cannot be read */
    public static <R> JsonReader<R> of(Class<R> type, int maxDepth) {
        return GENERATE ? generated(type, maxDepth) : plain(type, maxDepth);
    }

    static <R> JsonReader<R> generated(Class<R> type, int maxDepth) {
        return new JsonReader<>(type, GENERATED.get(type), maxDepth);
    }

    static <R> JsonReader<R> plain(Class<R> type, int maxDepth) {
        return new JsonReader<>(type, ValueReaders.of(type, false), maxDepth);
    }

    /** Reads texts of the same kind in another thread: both give the same object for a string that repeats. */
    public JsonReader<R> another() {
        return new JsonReader<>(type, root, in.maxDepth, in.texts.another());
    }

    /**
     * The record that the bytes from {@code from} to before {@code to} say.
     *
     * @throws MalformedException if they do not; its offset counts from {@code from}
     */
    public R read(byte[] bytes, int from, int to) {
        in.begin(bytes, from, to);
        if (in.skipWhitespace() != '{' && type != JsonValue.class) {
            throw in.expected("an object");
        }
        Object value = root.read(in);
        in.finish();
        return Objects.requireNonNull(type.cast(value));
    }
}

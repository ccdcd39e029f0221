// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import java.util.List;

/**
 * Sources of records from memory, generators and sockets. Sources that read files are in {@code io.thalweg.files},
 * those for Kafka in {@code io.thalweg.kafka}.
 */
public final class Sources {
    private Sources() {}

    /**
     * The elements of a list, in order, as one split. Replayable. For tests and small tables.
     *
     * @param elements copied; no nulls
     */
    public static <T> Source<T> of(Type<T> type, List<T> elements) {
        return new ListSource<>(type, List.copyOf(elements));
    }

    /**
     * The given elements, in order, as one split; their type is the class of the first. Use {@link #of(Type, List)} for
     * generic types.
     */
    @SafeVarargs
    @SuppressWarnings({"unchecked", "varargs"}) // the class of an element is a class of T; others are only read
    public static <T> Source<T> of(T first, T... others) {
        java.util.ArrayList<T> all = new java.util.ArrayList<>(List.of(first));
        java.util.Collections.addAll(all, others);
        return of((Type<T>) Type.of(first.getClass()), all);
    }

    /**
     * Lines of text in UTF-8 from servers that listen at {@code HOST:PORT}; each connection is a split and ends when
     * the server closes it. An invalid or too long line is a bad record. Not replayable.
     *
     * <pre>{@code topology.from(Sources.socketLines("localhost:9999")).to(Sinks.print())}</pre>
     *
     * @throws IllegalArgumentException if there is no server, one is given twice, or an address is malformed
     */
    public static SocketSource<String> socketLines(String... servers) {
        return new SocketSource<>(List.of(servers), new Framing.Lines(), String.class, SocketSource.DEFAULT_MAX_BYTES);
    }

    /**
     * The same as {@link #socketLines}, for frames: each record is preceded by its length in four bytes, big-endian.
     */
    public static SocketSource<byte[]> socketFrames(String... servers) {
        return new SocketSource<>(List.of(servers), new Framing.Frames(), byte[].class, SocketSource.DEFAULT_MAX_BYTES);
    }

    /**
     * Generates records 0, 1, 2 … of {@code count} from their index, as fast as possible. Replayable.
     *
     * <pre>{@code topology.from(Sources.generate(1_000_000, index -> new Probe(index, index % 7)).rate(10_000))}</pre>
     *
     * @throws CodecException if the type of the records cannot be read from the function
     */
    @SuppressWarnings("unchecked") // what the function returns is T
    public static <T> Generator<T> generate(long count, IndexFunction<T> function) {
        Type<?> type = Signatures.resultOf(function, IndexFunction.class);
        if (type == null) {
            throw new CodecException(
                    "the type of the records cannot be read from the function given to generate; use the form with a Type");
        }
        return generate(count, (Type<T>) type, function);
    }

    /** The same as {@link #generate(long, IndexFunction)}, for a type that cannot be read from the function. */
    public static <T> Generator<T> generate(long count, Type<T> type, IndexFunction<T> function) {
        return new Generator<>(count, type, function, 0, 1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.files.json.JsonReader;
import io.thalweg.files.json.JsonValue;

/** JSON on a stream, or in messages. */
public final class Json {
    private Json() {}

    /**
     * A map function from the bytes of one JSON object to a record. Bytes that are none are a bad record. Give the stream
     * its type: {@code stream.map(Json.reader(Probe.class)).as(Type.of(Probe.class))}.
     *
     * @throws IllegalArgumentException if the class is no record, or has a component that cannot be read
     */
    public static <R> MapFunction<byte[], R> reader(Class<R> record) {
        return reader(record, JsonReader.DEFAULT_MAX_DEPTH);
    }

    /** @param maxDepth an object nested deeper is bad; 1,000 at most */
    public static <R> MapFunction<byte[], R> reader(Class<R> record, int maxDepth) {
        return new JsonFunction<>(record, maxDepth);
    }

    /**
     * A map function from the bytes of one JSON value to that value, without a class. Bytes that are none are a bad record.
     * Give the stream its type: {@code stream.map(Json.tree()).as(Type.of(JsonValue.class))}.
     */
    public static MapFunction<byte[], JsonValue> tree() {
        return reader(JsonValue.class);
    }

    /**
     * Decodes messages that are one JSON object each, directly from the bytes that a source has received. Bytes that are none are a
     * bad record.
     *
     * @throws IllegalArgumentException if the class is no record, or has a component that cannot be read
     */
    public static <R> Decoder<R> decoder(Class<R> record) {
        return new JsonDecoder<>(record, JsonReader.DEFAULT_MAX_DEPTH);
    }

    /** @param maxDepth an object nested deeper is bad; 1,000 at most */
    public static <R> Decoder<R> decoder(Class<R> record, int maxDepth) {
        return new JsonDecoder<>(record, maxDepth);
    }

    /**
     * Encodes records as messages of one JSON object each, as {@link JsonLines#write} writes them into files. What JSON cannot hold,
     * such as a number that is not finite, makes a record a bad one.
     *
     * <pre>{@code Kafka.write("localhost:9092", "totals", Json.encoder())}</pre>
     */
    public static <R> Encoder<R> encoder() {
        return new JsonEncoder<>();
    }
}

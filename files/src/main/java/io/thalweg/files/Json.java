// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.files.json.JsonReader;
import io.thalweg.files.json.JsonValue;

/** JSON on a stream, or in messages. For files, see {@link JsonLines}. */
public final class Json {
    private Json() {}

    /**
     * A map function from the bytes of one JSON object to a record. Invalid JSON is a bad record. Declare the type of
     * the stream: {@code stream.map(Json.reader(Probe.class)).as(Type.of(Probe.class))}.
     *
     * @param record a record class; fields are matched with components by name, others are ignored
     * @throws IllegalArgumentException if the class is not a record, or has a component that cannot be read
     */
    public static <R> MapFunction<byte[], R> reader(Class<R> record) {
        return reader(record, JsonReader.DEFAULT_MAX_DEPTH);
    }

    /**
     * The same as {@link #reader(Class)}, with another limit of nesting.
     *
     * @param maxDepth an object nested deeper is a bad record; at most 1,000
     */
    public static <R> MapFunction<byte[], R> reader(Class<R> record, int maxDepth) {
        return new JsonFunction<>(record, maxDepth);
    }

    /**
     * A map function from the bytes of one JSON value to that value, without a class. Invalid JSON is a bad record.
     * Declare the type of the stream: {@code stream.map(Json.tree()).as(Type.of(JsonValue.class))}.
     */
    public static MapFunction<byte[], JsonValue> tree() {
        return reader(JsonValue.class);
    }

    /**
     * Decodes messages that are one JSON object each, directly from the bytes that a source received. Invalid JSON is a
     * bad record.
     *
     * <pre>{@code Kafka.read("localhost:9092", "orders", Json.decoder(Order.class))}</pre>
     *
     * @throws IllegalArgumentException if the class is not a record, or has a component that cannot be read
     */
    public static <R> Decoder<R> decoder(Class<R> record) {
        return new JsonDecoder<>(record, JsonReader.DEFAULT_MAX_DEPTH);
    }

    /**
     * The same as {@link #decoder(Class)}, with another limit of nesting.
     *
     * @param maxDepth an object nested deeper is a bad record; at most 1,000
     */
    public static <R> Decoder<R> decoder(Class<R> record, int maxDepth) {
        return new JsonDecoder<>(record, maxDepth);
    }

    /**
     * Encodes records as messages of one JSON object each, as {@link JsonLines#write(String, Class)} writes them to
     * files. What JSON cannot represent, such as a NaN, makes a record a bad one.
     *
     * <pre>{@code Kafka.write("localhost:9092", "totals", Json.encoder())}</pre>
     */
    public static <R> Encoder<R> encoder() {
        return new JsonEncoder<>();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import java.util.Map;

/**
 * Avro messages, such as those of Kafka.
 *
 * <pre>{@code
 * Schemas schemas = Schemas.registry("http://localhost:8081");
 * topology.from(Kafka.read(servers, "orders", WireAvro.decoder(Order.class, schemas)))
 *         .filter(Order::open)
 *         .to(Kafka.write(servers, "open", WireAvro.encoder(Order.class, schemas).subject("open-value")));
 * }</pre>
 *
 * <p>In maps and records, logical types are classes of {@code java.time}, BigDecimal and UUID.
 */
public final class WireAvro {
    private WireAvro() {}

    /**
     * Decodes messages to a class. A record class declares the fields that it needs, by the same rules as for Avro files:
     * others are skipped, and a null makes a record bad unless its component is {@code @Nullable} or an Optional. A component
     * that the schema of a message lacks is null if it may be; otherwise the message is bad.
     *
     * @param type a record class, a class that Avro has generated, or String, Long, Integer, Double, Float, Boolean or byte[]
     *     for messages that are single values, such as keys
     * @throws IllegalArgumentException if it is another class, or has a component that no field can hold
     */
    public static <T> AvroDecoder<T> decoder(Class<T> type, Schemas schemas) {
        return new AvroDecoder<>(schemas, AvroForm.of(type), null);
    }

    /**
     * Decodes messages to maps from the names of fields to their values: Boolean, Integer, Long, Float, Double, String,
     * byte[], BigDecimal, UUID, classes of {@code java.time}, List, Map, and null. Unions are whatever they hold.
     */
    public static AvroDecoder<Map<String, Object>> maps(Schemas schemas) {
        return new AvroDecoder<>(schemas, new AvroForm.Maps(), null);
    }

    /**
     * Encodes objects of a class. With a schema of another origin than the class, fields that the class lacks are written with
     * their defaults; a component without a field, or of another type, fails the job when it starts.
     *
     * @param type as for {@link #decoder}
     * @throws IllegalArgumentException if it is another class, or has a component that no field can hold
     */
    public static <T> AvroEncoder<T> encoder(Class<T> type, Schemas schemas) {
        return new AvroEncoder<>(schemas, AvroForm.of(type), WrittenSchema.unsaid());
    }

    /** Encodes maps as {@link #maps} decodes them. A field that a map lacks is written with its default. */
    public static AvroEncoder<Map<String, Object>> mapEncoder(Schemas schemas) {
        return new AvroEncoder<>(schemas, new AvroForm.Maps(), WrittenSchema.unsaid());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import java.util.Map;

/**
 * Protobuf messages, such as those of Kafka.
 *
 * <pre>{@code
 * Schemas schemas = Schemas.folder("schemas");
 * topology.from(Kafka.read(servers, "orders", WireProtobuf.decoder(Order.class, schemas)))
 *         .filter(Order::open)
 *         .to(Kafka.write(servers, "open", WireProtobuf.encoder(Order.class, schemas).id(7)));
 * }</pre>
 *
 * <p>Schemas are .proto files of syntax proto2 or proto3; groups, extensions and editions are not read. Timestamp and
 * Duration are Instant and Duration of {@code java.time}, and wrappers such as StringValue are their values, or null.
 */
public final class WireProtobuf {
    private WireProtobuf() {}

    /**
     * Decodes messages to a class. A record class declares the fields that it needs, by their names or their JSON names
     * ({@code order_id} or {@code orderId}); others are skipped. A field that is absent, and says so, is null, which makes a record bad
     * unless its component is {@code @Nullable} or an Optional. A component that the schema of a message lacks is null if
     * it may be; otherwise the message is bad.
     *
     * @param type a record class, or one that Protobuf has generated
     * @throws IllegalArgumentException if it is another class, or has a component that no field can hold
     */
    public static <T> ProtobufDecoder<T> decoder(Class<T> type, Schemas schemas) {
        return new ProtobufDecoder<>(schemas, ProtoForm.of(type), null, null);
    }

    /**
     * Decodes messages to maps from the names of fields to their values: Boolean, Integer, Long, BigInteger (of 64 bits
     * without sign), Float, Double, String (also for enums), byte[], Instant, Duration, List, and Map with keys that are
     * texts. Absent fields are not in the map.
     */
    public static ProtobufDecoder<Map<String, Object>> maps(Schemas schemas) {
        return new ProtobufDecoder<>(schemas, new ProtoForm.Maps(), null, null);
    }

    /**
     * Encodes objects of a class. A null is an absent field. A component without a field, or of another type, fails the job
     * when it starts.
     *
     * @param type a record class, or one that Protobuf has generated
     * @throws IllegalArgumentException if it is another class, or has a component that no field can hold
     */
    public static <T> ProtobufEncoder<T> encoder(Class<T> type, Schemas schemas) {
        return new ProtobufEncoder<>(schemas, ProtoForm.of(type), WrittenSchema.unsaid(), null);
    }

    /** Encodes maps as {@link #maps} decodes them. */
    public static ProtobufEncoder<Map<String, Object>> mapEncoder(Schemas schemas) {
        return new ProtobufEncoder<>(schemas, new ProtoForm.Maps(), WrittenSchema.unsaid(), null);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Method;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.files.record.Name;
import io.thalweg.testkit.Serialized;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WireProtobufTest {
    private static final String SHOP = """
            syntax = "proto3";
            package shop;
            import "google/protobuf/timestamp.proto";
            import "google/protobuf/duration.proto";
            import "google/protobuf/wrappers.proto";
            import "confluent/meta.proto";
            import "common/money.proto";

            message Other { string x = 1; }
            message Order {
              message Line { string article = 1; uint32 count = 2; }
              int64 order_id = 1;
              Kind kind = 2;
              repeated Line lines = 3;
              map<string, double> weights = 4;
              google.protobuf.Timestamp at = 5;
              google.protobuf.Duration took = 6;
              google.protobuf.StringValue note = 7;
              optional int32 rank = 8;
              bytes raw = 9;
              uint64 large = 10;
              oneof paid { string card = 11; common.Money cash = 12; }
              repeated sint32 deltas = 13;
            }
            enum Kind { UNKNOWN = 0; RETAIL = 1; }
            """;
    private static final String MONEY = "syntax = \"proto3\"; package common; message Money { int64 cents = 1; }";

    @TempDir
    private Path folder;

    /** A kind of orders. */
    enum Kind {
        UNKNOWN,
        RETAIL
    }

    /** A part of an order. */
    record Line(String article, long count) {}

    /** An amount. */
    record Money(long cents) {}

    /** As a job declares it. */
    record Order(
            long orderId,
            Kind kind,
            List<Line> lines,
            Map<String, Double> weights,
            @Nullable Instant at,
            @Nullable Duration took,
            Optional<String> note,
            @Nullable Integer rank,
            byte[] raw,
            BigInteger large,
            @Nullable String card,
            @Nullable Money cash,
            int[] deltas) {}

    private static Order order() {
        return new Order(
                17,
                Kind.RETAIL,
                List.of(new Line("a", 4_000_000_000L), new Line("b", 0)),
                Map.of("kg", 1.5),
                Instant.ofEpochSecond(-5, 7),
                Duration.ofMillis(-1_500),
                Optional.of(""),
                0,
                new byte[] {1, 2},
                BigInteger.ONE.shiftLeft(64).subtract(BigInteger.TEN),
                null,
                new Money(5),
                new int[] {-1, 1});
    }

    private Schemas shop() {
        Messages.file(folder, "7-shop.proto", SHOP);
        Messages.file(folder, "common/money.proto", MONEY);
        return Schemas.folder(folder.toString());
    }

    private byte[] message(Order order) throws Exception {
        return WireProtobuf.encoder(Order.class, shop())
                .id(7)
                .message("shop.Order")
                .open()
                .encode(order);
    }

    @Test
    void shouldReadAndWriteRecords() throws Exception {
        byte[] message = message(order());

        assertThat(Arrays.copyOf(message, 7)).isEqualTo(new byte[] {0, 0, 0, 0, 7, 2, 2}); // one index: 1
        assertThat(Messages.decode(WireProtobuf.decoder(Order.class, shop()), message))
                .usingRecursiveComparison()
                .isEqualTo(order());
    }

    @Test
    void shouldReadAndWriteMaps() throws Exception {
        byte[] message = message(order());
        ProtobufDecoder<Map<String, Object>> maps = WireProtobuf.maps(shop());
        Map<String, Object> map = Messages.decode(maps, message);

        assertThat(map)
                .containsEntry("order_id", 17L)
                .containsEntry("kind", "RETAIL")
                .containsEntry(
                        "lines",
                        List.of(Map.of("article", "a", "count", 4_000_000_000L), Map.of("article", "b", "count", 0L)))
                .containsEntry("at", order().at)
                .containsEntry("took", order().took)
                .containsEntry("note", "")
                .containsEntry("rank", 0)
                .containsEntry("large", order().large)
                .containsEntry("cash", Map.of("cents", 5L))
                .doesNotContainKey("card");
        byte[] again =
                WireProtobuf.mapEncoder(shop()).id(7).message("Order").open().encode(map);
        assertThat(Messages.decode(maps, again)).usingRecursiveComparison().isEqualTo(map);

        Codec<Map<String, Object>> codec = maps.type().codec();
        ByteWriter out = new ByteWriter(16);
        codec.encode(map, out);
        assertThat(codec.decode(new ByteReader(out.toByteArray())))
                .usingRecursiveComparison()
                .isEqualTo(map);
    }

    @Test
    void shouldReadAbsentFieldsAsNothing() throws Exception {
        byte[] empty = {0, 0, 0, 0, 7, 2, 2};
        Order read = Messages.decode(WireProtobuf.decoder(Order.class, shop()), empty);

        assertThat(read.orderId).isZero();
        assertThat(read.kind).isEqualTo(Kind.UNKNOWN);
        assertThat(read.at).isNull();
        assertThat(read.note).isEmpty();
        assertThat(read.rank).isNull();
        assertThat(read.cash).isNull();
    }

    /** Needs the time. */
    record Timed(Instant at) {}

    @Test
    void shouldRefuseAnAbsentFieldThatIsNeeded() {
        assertThat(Messages.badReason(WireProtobuf.decoder(Timed.class, shop()), new byte[] {0, 0, 0, 0, 7, 2, 2}))
                .isEqualTo("'at': it is null, and may be only if it is declared as @Nullable or Optional");
    }

    @Test
    void shouldReadNestedAndFirstMessages() throws Exception {
        ProtobufDecoder<Map<String, Object>> maps = WireProtobuf.maps(shop());

        assertThat(Messages.decode(maps, new byte[] {0, 0, 0, 0, 7, 0, 10, 1, 'z'}))
                .isEqualTo(Map.of("x", "z"));
        assertThat(Messages.decode(maps, new byte[] {0, 0, 0, 0, 7, 4, 2, 0, 10, 1, 'z'}))
                .isEqualTo(Map.of("article", "z", "count", 0L));
        assertThat(WireProtobuf.mapEncoder(shop())
                        .id(7)
                        .message("shop.Order.Line")
                        .open()
                        .encode(Map.of("article", "z")))
                .isEqualTo(new byte[] {0, 0, 0, 0, 7, 4, 2, 0, 10, 1, 'z'});
    }

    @Test
    void shouldSayWhatIsWrongWithAMessage() throws Exception {
        ProtobufDecoder<Order> decoder = WireProtobuf.decoder(Order.class, shop());

        assertThat(Messages.badReason(decoder, new byte[] {0, 0, 0, 0, 7})).contains("not what its schema says");
        assertThat(Messages.badReason(decoder, new byte[] {0, 0, 0, 0, 7, 2, 20}))
                .isEqualTo("its schema has no message with the indexes [10]");
        assertThat(Messages.badReason(decoder, new byte[] {0, 0, 0, 0, 7, 1})).contains("-1 levels deep");
        assertThat(Messages.badReason(decoder, new byte[] {0, 0, 0, 0, 7, 0})).contains("no column 'orderId'");
        assertThat(Messages.badReason(decoder.message("shop.Order"), new byte[] {0, 0, 0, 0, 7, 0}))
                .isEqualTo("it is a shop.Other, not a shop.Order");
        assertThat(Messages.badReason(decoder, new byte[] {0, 0, 0, 0, 8, 0})).contains("no schema 8");
        assertThat(Messages.badReason(WireAvro.maps(shop()), new byte[] {0, 0, 0, 0, 7, 0}))
                .contains("7-shop.proto is not of the kind AVRO");
    }

    /** Only at the end of a field can a message be cut without a trace. */
    @Test
    void shouldRefuseWhatTheLibraryRefuses() throws Exception {
        long seed = Long.getLong("thalweg.seed", System.nanoTime());
        System.out.println("WireProtobufTest: -Dthalweg.seed=" + seed);
        Random random = new Random(seed);
        byte[] message = message(order());
        Descriptor descriptor = new SchemaText(
                        SchemaKind.PROTOBUF, SHOP, "shop", List.of(new SchemaText.Import("common/money.proto", MONEY)))
                .protobuf()
                .named("shop.Order");
        Decoder.Decoding<Map<String, Object>> maps = WireProtobuf.maps(shop()).open();
        int refused = 0;
        for (int i = 0; i < message.length + 2_000; i++) {
            byte[] damaged = Arrays.copyOf(message, i < message.length ? i : message.length);
            if (i >= message.length) {
                damaged[7 + random.nextInt(message.length - 7)] ^= (byte) (1 << random.nextInt(8));
            }
            DynamicMessage theirs =
                    damaged.length < 7 ? null : parsed(descriptor, Arrays.copyOfRange(damaged, 7, damaged.length));
            Map<String, Object> ours = decoded(maps, damaged);
            if (theirs == null) {
                assertThat(ours).as("message %d", i).isNull();
                refused++;
            } else if (ours != null) {
                for (FieldDescriptor field : descriptor.getFields()) {
                    boolean there = !field.hasPresence() || theirs.hasField(field);
                    assertThat(ours.containsKey(field.getName())).isEqualTo(there);
                    if (field.getJavaType() == FieldDescriptor.JavaType.STRING && there) {
                        assertThat(ours.get(field.getName())).isEqualTo(theirs.getField(field));
                    }
                }
            } // else a time that is out of range
        }
        assertThat(refused).isBetween(20, message.length + 1_900);
    }

    private static DynamicMessage parsed(Descriptor descriptor, byte[] bytes) {
        try {
            return DynamicMessage.parseFrom(descriptor, bytes);
        } catch (com.google.protobuf.InvalidProtocolBufferException e) {
            return null;
        }
    }

    private static <T> T decoded(Decoder.Decoding<T> decoding, byte[] bytes) throws Exception {
        try {
            return decoding.decode(bytes, 0, bytes.length);
        } catch (BadRecordException e) {
            return null;
        }
    }

    /** As the library has it, the text would be another one, and the rest absent or 0. */
    record Visit(@Nullable String text, @Nullable Kind kind, List<Kind> kinds, long count) {}

    private static final String VISIT = """
            syntax = "proto2";
            enum Kind { UNKNOWN = 0; RETAIL = 1; }
            message Visit {
              optional string text = 1;
              optional Kind kind = 2;
              repeated Kind kinds = 3;
              optional int64 count = 4;
            }
            """;

    @Test
    void shouldRefuseWhatTheLibraryWouldReplaceOrPassOver() throws Exception {
        Schemas schemas = Schemas.plain(Messages.file(folder, "visit.proto", VISIT));
        ProtobufDecoder<Visit> decoder = WireProtobuf.decoder(Visit.class, schemas);
        ProtobufDecoder<Map<String, Object>> maps = WireProtobuf.maps(schemas);

        assertThat(Messages.decode(decoder, new byte[] {10, 1, 'a', 16, 1, 24, 1, 32, 7}))
                .isEqualTo(new Visit("a", Kind.RETAIL, List.of(Kind.RETAIL), 7));
        String unread = "the message has a value there that is not of the schema's type, or that its enum lacks";
        for (Object[] each : new Object[][] {
            {"", "the message is not what its schema says: ", new byte[] {10, 1, -1, 32, 7}},
            {"'kind': ", unread, new byte[] {16, 9, 32, 7}},
            {"'kinds': ", unread, new byte[] {24, 1, 24, 9, 32, 7}},
            {"'count': ", unread, new byte[] {34, 1, 'a', 32, 7}},
        }) {
            byte[] message = (byte[]) each[2];
            assertThat(Messages.badReason(decoder, message)).startsWith("" + each[0] + each[1]);
            assertThat(Messages.badReason(maps, message)).startsWith("" + each[1]);
        }
    }

    /** What the library would read as absent, 0 or an empty text. */
    record Inner(
            @Nullable Instant at,
            @Nullable Duration took,
            @Nullable String note,
            Map<String, Long> counts,
            Map<String, Kind> kinds) {}

    private static final String INNER = """
            syntax = "proto2";
            import "google/protobuf/timestamp.proto";
            import "google/protobuf/duration.proto";
            import "google/protobuf/wrappers.proto";
            enum Kind { UNKNOWN = 0; RETAIL = 1; }
            message Inner {
              optional google.protobuf.Timestamp at = 1;
              optional google.protobuf.Duration took = 2;
              optional google.protobuf.StringValue note = 3;
              map<string, int64> counts = 4;
              map<string, Kind> kinds = 5;
            }
            """;

    @Test
    void shouldRefuseWhatTheLibraryWouldPassOverWithinValues() throws Exception {
        Schemas schemas = Schemas.plain(Messages.file(folder, "inner.proto", INNER));
        ProtobufDecoder<Inner> decoder = WireProtobuf.decoder(Inner.class, schemas);
        ProtobufDecoder<Map<String, Object>> maps = WireProtobuf.maps(schemas);

        byte[] good = {10, 2, 8, 5, 18, 2, 8, 6, 26, 3, 10, 1, 'a', 34, 5, 10, 1, 'k', 16, 7, 42, 5, 10, 1, 'k', 16, 1};
        assertThat(Messages.decode(decoder, good))
                .isEqualTo(new Inner(
                        Instant.ofEpochSecond(5),
                        Duration.ofSeconds(6),
                        "a",
                        Map.of("k", 7L),
                        Map.of("k", Kind.RETAIL)));
        String unread = "the message has a value there that is not of the schema's type, or that its enum lacks";
        for (Object[] each : new Object[][] {
            {"at", new byte[] {10, 3, 10, 1, 'x'}},
            {"took", new byte[] {18, 3, 18, 1, 'x'}},
            {"note", new byte[] {26, 2, 8, 1}},
            {"counts", new byte[] {34, 6, 10, 1, 'k', 18, 1, 'x'}},
            {"counts", new byte[] {34, 4, 8, 1, 16, 7}},
            {"kinds", new byte[] {42, 5, 10, 1, 'k', 16, 9}},
        }) {
            byte[] message = (byte[]) each[1];
            assertThat(Messages.badReason(decoder, message)).isEqualTo("'" + each[0] + "': " + unread);
            assertThat(Messages.badReason(maps, message)).isEqualTo(unread);
        }
    }

    /** A kind of orders that is not looked up. */
    record AnyKind(String kind) {}

    @Test
    void shouldRefuseAConstantForWhichTheLibraryMakesUpAName() {
        byte[] message = {0, 0, 0, 0, 7, 2, 2, 16, 9};
        String reason = "its enum has no constant with the number 9";
        assertThat(Messages.badReason(WireProtobuf.decoder(AnyKind.class, shop()), message))
                .isEqualTo("'kind': " + reason);
        assertThat(Messages.badReason(WireProtobuf.maps(shop()), message)).isEqualTo(reason);
    }

    // ---- evolution

    /** A field is new. */
    record Newer(long orderId, int priority) {}

    @Test
    void shouldReadByNumbersAsAnotherSchema() throws Exception {
        String newer = Messages.file(
                folder.resolve("..").normalize(),
                folder.getFileName() + "-newer.proto",
                "syntax = \"proto3\"; message Renamed { int64 order_id = 1; int32 priority = 99; }");
        byte[] message = message(order());
        ProtobufDecoder<Newer> decoder = WireProtobuf.decoder(Newer.class, shop());

        assertThat(Messages.badReason(decoder, message)).contains("no column 'priority'");
        assertThat(Messages.decode(decoder.readAs(newer, "Renamed"), message)).isEqualTo(new Newer(17, 0));
        assertThatThrownBy(() -> decoder.readAs(newer, "Nobody"))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("no message Nobody");
        java.nio.file.Files.delete(Path.of(newer));
    }

    /** Protobuf's library would read other numbers, cut them, or keep the last of several. */
    @Test
    void shouldRefuseToReadFieldsAsOtherTypes() throws Exception {
        String schema = "syntax = \"proto3\"; enum E { A = 0; } message M { message In { sint32 x = 1; } %s = 1; }";
        for (String[] each : new String[][] {
            {"int32 f", "int64 f", ""},
            {"int32 f", "uint32 f", ""},
            {"uint32 f", "int64 f", ""},
            {"bool f", "int32 f", ""},
            {"E f", "int32 f", ""},
            {"sint32 f", "sint64 f", ""},
            {"string f", "bytes f", ""},
            {"fixed32 f", "sfixed32 f", ""},
            {"int32 f", "repeated int32 f", ""},
            {"map<string, int32> f", "map<string, int64> f", ""},
            {"int64 f", "int32 f", "int64"},
            {"uint64 f", "E f", "uint64"},
            {"sint64 f", "sint32 f", "sint64"},
            {"sint32 f", "int32 f", "sint32"},
            {"int64 f", "sint64 f", "int64"},
            {"int32 f", "bool f", "int32"},
            {"float f", "fixed32 f", "float"},
            {"sfixed64 f", "double f", "sfixed64"},
            {"repeated string f", "string f", "repeated string"},
        }) {
            String file = Messages.file(folder, "read.proto", schema.formatted(each[1]));
            ProtobufDecoder<Map<String, Object>> decoder = WireProtobuf.maps(
                            Schemas.plain(Messages.file(folder, "written.proto", schema.formatted(each[0]))))
                    .readAs(file, "M");
            if (each[2].isEmpty()) {
                Messages.decode(decoder, new byte[0]);
            } else {
                assertThat(Messages.badReason(decoder, new byte[0]))
                        .startsWith("'f': it is " + each[2] + ", and would be read as if it were ");
            }
        }
        Schemas shorter = Schemas.plain(
                Messages.file(
                        folder,
                        "t.proto",
                        "syntax = \"proto3\"; package google.protobuf; message Timestamp { sint64 seconds = 1; int32 nanos = 2; }"));
        assertThat(Messages.badReason(WireProtobuf.decoder(Timestamp.class, shorter), new byte[] {8, 5}))
                .isEqualTo("'seconds': it is sint64, and would be read as if it were int64");
        String inner = "map<string, In> f";
        Schemas nested = Schemas.plain(Messages.file(folder, "written.proto", schema.formatted(inner)));
        String other =
                Messages.file(folder, "read.proto", schema.formatted(inner).replace("sint32", "int32"));
        assertThat(Messages.badReason(WireProtobuf.maps(nested).readAs(other, "M"), new byte[0]))
                .startsWith("'f.value.x': it is sint32, and");
    }

    // ---- writing

    /** Fits no order. */
    record Wrong(long orderId, String nobody) {}

    @Test
    void shouldRefuseARecordThatDoesNotFit() throws Exception {
        assertThatThrownBy(() -> WireProtobuf.encoder(Wrong.class, shop())
                        .id(7)
                        .message("Order")
                        .open())
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("7-shop.proto")
                .hasMessageContaining("'nobody': message shop.Order has no field");
        var encoding = WireProtobuf.encoder(Line.class, shop())
                .id(7)
                .message("Order.Line")
                .open();
        assertThatThrownBy(() -> encoding.encode(new Line("x", -1)))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("'count': -1 is out of the range of its field");
    }

    /** Both ways to pay. */
    record Paid(@Nullable String card, @Nullable Money cash) {}

    @Test
    void shouldRefuseToWriteTwoFieldsOfWhichAMessageCanHaveOne() throws Exception {
        var encoding =
                WireProtobuf.encoder(Paid.class, shop()).id(7).message("Order").open();
        ProtobufDecoder<Paid> decoder = WireProtobuf.decoder(Paid.class, shop());
        for (Paid one : List.of(new Paid("1", null), new Paid(null, new Money(5)), new Paid(null, null))) {
            assertThat(Messages.decode(decoder, encoding.encode(one))).isEqualTo(one);
        }
        String reason = "'cash': 'card' has a value, too, and both are of the oneof 'paid', of which a message has one";
        assertThatThrownBy(() -> encoding.encode(new Paid("1", new Money(5))))
                .isInstanceOf(BadRecordException.class)
                .hasMessage(reason);
        var maps = WireProtobuf.mapEncoder(shop()).id(7).message("Order").open();
        Map<String, Object> both = new LinkedHashMap<>();
        both.put("card", "1");
        both.put("cash", Map.of("cents", 5L));
        assertThatThrownBy(() -> maps.encode(both))
                .isInstanceOf(BadRecordException.class)
                .hasMessage(reason);
    }

    /** Two names of one field. */
    record Twice(long orderId, @Name("order_id") long other) {}

    @Test
    void shouldRefuseToWriteOneFieldTwice() throws Exception {
        assertThatThrownBy(() -> WireProtobuf.encoder(Twice.class, shop())
                        .id(7)
                        .message("Order")
                        .open())
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("'order_id': another one is written to its field, order_id = 1, too");
        var maps = WireProtobuf.mapEncoder(shop()).id(7).message("Order").open();
        assertThatThrownBy(() -> maps.encode(Map.of("orderId", 1L, "order_id", 2L)))
                .isInstanceOf(BadRecordException.class)
                .hasMessageContaining("is written to its field, order_id = 1, too");
    }

    @Test
    void shouldTravelToACluster() throws Exception {
        var decoder = Serialized.copyOf(WireProtobuf.decoder(Order.class, shop()), "it");
        var encoder = Serialized.copyOf(
                WireProtobuf.encoder(Order.class, shop()).id(7).message("Order"), "it");
        assertThat(Messages.decode(decoder, encoder.open().encode(order())).orderId)
                .isEqualTo(17);
    }

    @Test
    void shouldReadAndWriteGeneratedClasses() throws Exception {
        Schemas plain = Schemas.plain(
                Messages.file(
                        folder,
                        "t.proto",
                        "syntax = \"proto3\"; package google.protobuf; message Timestamp { int64 seconds = 1; int32 nanos = 2; }"));
        Timestamp time = Timestamp.newBuilder().setSeconds(5).setNanos(6).build();
        byte[] message = WireProtobuf.encoder(Timestamp.class, plain).open().encode(time);

        assertThat(message).isEqualTo(time.toByteArray());
        ProtobufDecoder<Timestamp> decoder = WireProtobuf.decoder(Timestamp.class, plain);
        assertThat(Messages.decode(decoder, message)).isEqualTo(time);
        ByteWriter out = new ByteWriter(16);
        decoder.type().codec().encode(time, out);
        assertThat(decoder.type().codec().decode(new ByteReader(out.toByteArray())))
                .isEqualTo(time);
        assertThat(Messages.badReason(WireProtobuf.decoder(Timestamp.class, shop()), new byte[] {0, 0, 0, 0, 7, 0}))
                .isEqualTo("it is a shop.Other, not a google.protobuf.Timestamp");
    }

    /** Protobuf's library would write a question mark. */
    @Test
    void shouldRefuseHalfASurrogatePairInAGeneratedClass() throws Exception {
        Method name = Method.newBuilder().setName("a?🙂").build();
        Method option = name.toBuilder()
                .addOptions(com.google.protobuf.Option.newBuilder().setName("\ud83d"))
                .build();

        assertThat(methods(METHOD).open().encode(name)).isEqualTo(name.toByteArray());
        assertThatThrownBy(() -> methods(METHOD).open().encode(option))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("'options.name': the text contains half a surrogate pair, which UTF-8 cannot encode");
        assertThatThrownBy(() -> WireProtobuf.decoder(Method.class, shop())
                        .type()
                        .codec()
                        .encode(option, new ByteWriter(16)))
                .isInstanceOf(CodecException.class)
                .hasMessage("a com.google.protobuf.Method goes to another task or a checkpoint, and cannot be written:"
                        + " 'options.name': the text contains half a surrogate pair, which UTF-8 cannot encode");
    }

    private static final String METHOD = """
            syntax = "proto3";
            package google.protobuf;
            message Method {
              string name = 1;
              string request_type_url = 2;
              bool request_streaming = 3;
              string response_type_url = 4;
              bool response_streaming = 5;
              repeated Option options = 6;
              Syntax syntax = 7;
              string edition = 8;
            }
            message Option { string name = 1; Any value = 2; }
            message Any { string type_url = 1; bytes value = 2; }
            enum Syntax { SYNTAX_PROTO2 = 0; SYNTAX_PROTO3 = 1; SYNTAX_EDITIONS = 2; }
            """;

    private ProtobufEncoder<Method> methods(String schema) {
        return WireProtobuf.encoder(Method.class, Schemas.plain(Messages.file(folder, "m.proto", schema)));
    }

    @Test
    void shouldWriteGeneratedClassesByASchemaThatHasMore() throws Exception {
        Method method = Method.newBuilder().setName("x").build();

        assertThat(methods(METHOD).open().encode(method)).isEqualTo(method.toByteArray());
        assertThat(methods(METHOD.replace("edition = 8;", "edition = 8; int32 more = 9;")
                                .replace("EDITIONS = 2;", "EDITIONS = 2; SYNTAX_MORE = 3;"))
                        .open()
                        .encode(method))
                .isEqualTo(method.toByteArray());
        ProtoSame.check(Value.getDescriptor(), Value.getDescriptor()); // contains itself
    }

    @Test
    void shouldRefuseToWriteGeneratedClassesByAnotherSchema() {
        String swapped = METHOD.replace("request_type_url = 2", "request_type_url = 4")
                .replace("response_type_url = 4", "response_type_url = 2");
        assertThatThrownBy(() -> methods(swapped).open())
                .isInstanceOf(ConnectorException.class)
                .hasMessageEndingWith("m.proto does not fit what is written: 'request_type_url': the schema has string"
                        + " request_type_url = 4, and the generated class string request_type_url = 2; write with the"
                        + " schema of the class, or generate the class from this one");
        for (String[] change : new String[][] {
            {"string edition = 8;", "", "'edition': the schema has no such field, and the generated class string"},
            {"bool request", "int32 request", "'request_streaming': the schema has int32 request_streaming = 3"},
            {"repeated Option", "Option", "'options': the schema has message options = 6"},
            {"bytes value = 2", "bytes value = 3", "'options.value.value': the schema has bytes value = 3"},
            {"PROTO3 = 1", "PROTO3 = 4", "'syntax': the schema has SYNTAX_PROTO3 = 4, and the generated class"},
            {"SYNTAX_EDITIONS = 2;", "", "'syntax': the schema has no SYNTAX_EDITIONS"},
        }) {
            assertThatThrownBy(
                            () -> methods(METHOD.replace(change[0], change[1])).open())
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining(change[2]);
        }
        String required = "syntax = \"proto2\"; package google.protobuf; message Timestamp {"
                + " optional int64 seconds = 1; optional int32 nanos = 2; required string zone = 3; }";
        assertThatThrownBy(() -> WireProtobuf.encoder(
                                Timestamp.class, Schemas.plain(Messages.file(folder, "t.proto", required)))
                        .open())
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("'zone': the schema has required string zone = 3, and the generated class no");
    }
}

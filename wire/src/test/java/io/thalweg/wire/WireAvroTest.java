// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.testkit.Serialized;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecordBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WireAvroTest {
    @TempDir
    private Path folder;

    /** What most tests read. */
    record Order(long id, String shop, @Nullable String note) {}

    private static final Schema ORDER = SchemaBuilder.record("Order")
            .fields()
            .requiredLong("id")
            .requiredString("shop")
            .optionalString("note")
            .endRecord();

    private Schemas one(int id, Schema schema) {
        return Schemas.files(Map.of(id, Messages.file(folder, "s" + id + ".avsc", schema.toString())));
    }

    private static GenericData.Record order(long id, @Nullable String note) {
        return new GenericRecordBuilder(ORDER)
                .set("id", id)
                .set("shop", "north")
                .set("note", note)
                .build();
    }

    @Test
    void shouldReadRecords() throws Exception {
        byte[] message = Messages.framed(7, Messages.avro(ORDER, order(3, null)));

        assertThat(Messages.decode(WireAvro.decoder(Order.class, one(7, ORDER)), message))
                .isEqualTo(new Order(3, "north", null));
    }

    @Test
    void shouldReadPartOfAnArray() throws Exception {
        byte[] message = Messages.framed(7, Messages.avro(ORDER, order(3, "x")));
        byte[] within = ByteBuffer.allocate(message.length + 20)
                .put(new byte[10])
                .put(message)
                .array();

        assertThat(WireAvro.decoder(Order.class, one(7, ORDER)).open().decode(within, 10, 10 + message.length))
                .isEqualTo(new Order(3, "north", "x"));
    }

    @Test
    void shouldReadMessagesWithoutHeaders() throws Exception {
        Schemas plain = Schemas.plain(Messages.file(folder, "order.avsc", ORDER.toString()));

        assertThat(Messages.decode(WireAvro.decoder(Order.class, plain), Messages.avro(ORDER, order(3, null))))
                .isEqualTo(new Order(3, "north", null));
        assertThat(WireAvro.encoder(Order.class, plain).open().encode(new Order(3, "north", null)))
                .isEqualTo(Messages.avro(ORDER, order(3, null)));
    }

    @Test
    void shouldReadKeysThatAreSingleValues() throws Exception {
        Schemas text = one(1, Schema.create(Schema.Type.STRING));
        byte[] key = WireAvro.encoder(String.class, text).id(1).open().encode("k");

        assertThat(key).isEqualTo(new byte[] {0, 0, 0, 0, 1, 2, 'k'});
        assertThat(Messages.decode(WireAvro.decoder(String.class, text), key)).isEqualTo("k");
        assertThat(Messages.badReason(WireAvro.decoder(Long.class, text), key)).contains("string", "Long");
    }

    // ---- evolution

    /** A later version of the program. */
    record Newer(long id, Optional<String> shop, @Nullable Integer cents) {}

    @Test
    void shouldReadOlderAndNewerSchemasSideBySide() throws Exception {
        Schema newer = SchemaBuilder.record("Order")
                .fields()
                .requiredInt("id")
                .optionalInt("cents")
                .requiredString("added")
                .endRecord();
        Schemas both = Schemas.files(Map.of(
                1, Messages.file(folder, "1.avsc", ORDER.toString()),
                2, Messages.file(folder, "2.avsc", newer.toString())));
        var decoding = WireAvro.decoder(Newer.class, both).open();
        byte[] old = Messages.framed(1, Messages.avro(ORDER, order(3, "x")));
        byte[] young = Messages.framed(
                2,
                Messages.avro(
                        newer,
                        new GenericRecordBuilder(newer)
                                .set("id", 4)
                                .set("cents", 5)
                                .set("added", "y")
                                .build()));

        for (int i = 0; i < 3; i++) {
            assertThat(decoding.decode(old, 0, old.length)).isEqualTo(new Newer(3, Optional.of("north"), null));
            assertThat(decoding.decode(young, 0, young.length)).isEqualTo(new Newer(4, Optional.empty(), 5));
        }
    }

    /** Needs what old messages lack. */
    record Demanding(long id, int cents) {}

    @Test
    void shouldTakeDefaultsOfTheSchemaThatIsReadAs() throws Exception {
        String wanted = Messages.file(
                folder,
                "wanted.avsc",
                SchemaBuilder.record("Order")
                        .fields()
                        .requiredLong("id")
                        .name("cents")
                        .type()
                        .intType()
                        .intDefault(17)
                        .endRecord()
                        .toString());
        byte[] old = Messages.framed(1, Messages.avro(ORDER, order(3, "x")));
        AvroDecoder<Demanding> without = WireAvro.decoder(Demanding.class, one(1, ORDER));

        assertThat(Messages.badReason(without, old)).contains("s1.avsc", "no column 'cents'", "shop");
        assertThat(Messages.decode(without.readAs(wanted), old)).isEqualTo(new Demanding(3, 17));
        assertThat(Messages.decode(WireAvro.maps(one(1, ORDER)).readAs(wanted), old))
                .isEqualTo(Map.of("id", 3L, "cents", 17));
        assertThatThrownBy(() -> WireAvro.decoder(Order.class, one(1, ORDER)).readAs(wanted))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("shop");
    }

    /** What a schema may count in another unit. */
    record Units(Instant at, @Nullable BigDecimal price, List<LocalTime> times) {}

    private static Schema units(String at, int scale, String times) {
        return new Schema.Parser().parse("""
                {"type":"record","name":"Units","fields":[
                {"name":"at","type":{"type":"long","logicalType":"%s"}},
                {"name":"price","type":["null",
                    {"type":"bytes","logicalType":"decimal","precision":9,"scale":%d}]},
                {"name":"times","type":{"type":"array","items":%s}}]}""".formatted(at, scale, times));
    }

    /** Avro's library would read the numbers as they are: a time as one of 1970, a price as a hundredth. */
    @Test
    void shouldRefuseToReadTimesAndDecimalsAsOthers() throws Exception {
        String millis = "{\"type\":\"int\",\"logicalType\":\"time-millis\"}";
        String micros = "{\"type\":\"long\",\"logicalType\":\"time-micros\"}";
        Schema wanted = units("timestamp-micros", 4, micros);
        String file = Messages.file(folder, "wanted.avsc", wanted.toString());
        Units some = new Units(Instant.ofEpochSecond(5), BigDecimal.valueOf(12_500, 4), List.of(LocalTime.NOON));
        for (Object[] each : new Object[][] {
            {units("timestamp-micros", 4, micros), ""},
            {
                units("timestamp-millis", 4, micros),
                "'at': it is long (timestamp-millis), and would be read as if it were"
            },
            {
                units("timestamp-micros", 2, micros),
                "'price': it is bytes (decimal) with 2 digits after the point, and would be read as if it were"
                        + " bytes (decimal) with 4 digits after the point"
            },
            {units("timestamp-micros", 4, millis), "'times': it is int (time-millis), and would be read as if it were"},
        }) {
            Schemas schemas = one(1, (Schema) each[0]);
            byte[] message = WireAvro.encoder(Units.class, schemas).id(1).open().encode(some);
            AvroDecoder<Units> decoder = WireAvro.decoder(Units.class, schemas);
            AvroDecoder<Map<String, Object>> maps = WireAvro.maps(schemas).readAs(file);

            assertThat(Messages.decode(decoder, message).price).isEqualByComparingTo("1.25");
            if (each[1].equals("")) {
                assertThat(Messages.decode(decoder.readAs(file), message)).isEqualTo(some);
                assertThat(Messages.decode(maps, message)).containsEntry("at", some.at);
            } else {
                assertThat(Messages.badReason(decoder.readAs(file), message)).contains("s1.avsc: " + each[1]);
                assertThat(Messages.badReason(maps, message)).contains("s1.avsc: " + each[1]);
            }
        }
    }

    @Test
    void shouldRefuseToReadTimesOfAGeneratedClassInAnotherUnit() {
        Schema millis = new Schema.Parser()
                .parse(GeneratedVisit.SCHEMA$.toString().replace("timestamp-micros", "timestamp-millis"));
        byte[] message = Messages.framed(8, new byte[] {2, 10, 0, 0});

        assertThat(Messages.badReason(WireAvro.decoder(GeneratedVisit.class, one(8, millis)), message))
                .contains(
                        "'at': it is long (timestamp-millis), and would be read as if it were long (timestamp-micros)");
    }

    // ---- types

    /** One component for each logical type. */
    record Logical(
            Instant millis,
            Instant micros,
            LocalDate day,
            LocalTime time,
            LocalDateTime local,
            BigDecimal price,
            BigDecimal fixedPrice,
            UUID text,
            UUID fixed,
            List<String> tags,
            Map<String, Long> counts,
            byte[] bytes) {}

    private static final String LOGICAL = """
            {"type": "record", "name": "Logical", "fields": [
              {"name": "millis", "type": {"type": "long", "logicalType": "timestamp-millis"}},
              {"name": "micros", "type": {"type": "long", "logicalType": "timestamp-micros"}},
              {"name": "day", "type": {"type": "int", "logicalType": "date"}},
              {"name": "time", "type": {"type": "int", "logicalType": "time-millis"}},
              {"name": "local", "type": {"type": "long", "logicalType": "local-timestamp-micros"}},
              {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
              {"name": "fixedPrice", "type": {"type": "fixed", "name": "F", "size": 8, "logicalType": "decimal",
                  "precision": 9, "scale": 2}},
              {"name": "text", "type": {"type": "string", "logicalType": "uuid"}},
              {"name": "fixed", "type": {"type": "fixed", "name": "U", "size": 16, "logicalType": "uuid"}},
              {"name": "tags", "type": {"type": "array", "items": "string"}},
              {"name": "counts", "type": {"type": "map", "values": "long"}},
              {"name": "bytes", "type": "bytes"}
            ]}""";

    private static Logical logical() {
        return new Logical(
                Instant.ofEpochMilli(1_234),
                Instant.ofEpochSecond(-1, 7_000),
                LocalDate.of(2024, 2, 29),
                LocalTime.of(1, 2, 3),
                LocalDateTime.of(1969, 12, 31, 23, 59),
                new BigDecimal("-12.50"),
                new BigDecimal("-0.01"),
                UUID.fromString("123e4567-e89b-12d3-a456-426614174000"),
                UUID.fromString("ffffffff-e89b-12d3-a456-426614174001"),
                List.of("a", ""),
                Map.of("x", 1L),
                new byte[] {1, -1});
    }

    @Test
    void shouldReadAndWriteLogicalTypes() throws Exception {
        Schemas schemas = one(9, new Schema.Parser().parse(LOGICAL));
        byte[] message = WireAvro.encoder(Logical.class, schemas).id(9).open().encode(logical());

        assertThat(Messages.decode(WireAvro.decoder(Logical.class, schemas), message))
                .usingRecursiveComparison()
                .isEqualTo(logical());

        Map<String, Object> map = Messages.decode(WireAvro.maps(schemas), message);
        assertThat(map)
                .containsEntry("millis", logical().millis)
                .containsEntry("day", logical().day)
                .containsEntry("time", logical().time)
                .containsEntry("local", logical().local)
                .containsEntry("price", logical().price)
                .containsEntry("fixedPrice", logical().fixedPrice)
                .containsEntry("text", logical().text)
                .containsEntry("fixed", logical().fixed)
                .containsEntry("counts", logical().counts);
        assertThat(WireAvro.mapEncoder(schemas).id(9).open().encode(map)).isEqualTo(message);

        Codec<Map<String, Object>> codec = WireAvro.maps(schemas).type().codec();
        ByteWriter out = new ByteWriter(16);
        codec.encode(map, out);
        assertThat(codec.decode(new ByteReader(out.toByteArray())))
                .usingRecursiveComparison()
                .isEqualTo(map);
    }

    /** The keys of a map. */
    record Keyed(Map<String, Long> counts) {}

    @Test
    void shouldRefuseKeysThatAreNoText() {
        for (String string : List.of("", ",\"avro.java.string\":\"String\"")) {
            Schemas schemas = one(
                    1,
                    new Schema.Parser()
                            .parse("{\"type\":\"record\",\"name\":\"K\",\"fields\":[{\"name\":\"counts\",\"type\":"
                                    + "{\"type\":\"map\",\"values\":\"long\"" + string + "}}]}"));
            byte[] message = Messages.framed(1, new byte[] {4, 2, -1, 2, 2, -2, 4, 0});

            assertThat(Messages.badReason(WireAvro.decoder(Keyed.class, schemas), message))
                    .isEqualTo("'counts': a key of the map: byte 0 of the text is invalid UTF-8");
            assertThat(Messages.badReason(WireAvro.maps(schemas), message))
                    .isEqualTo("byte 0 of the text is invalid UTF-8");
        }
    }

    /** An identity. */
    record Known(UUID id) {}

    /** Of the group 1a456 the JDK would take the last four digits. */
    @Test
    void shouldRefuseATextThatIsNoUuid() {
        Schemas schemas = one(
                1,
                new Schema.Parser()
                        .parse("{\"type\":\"record\",\"name\":\"K\",\"fields\":[{\"name\":\"id\",\"type\":"
                                + "{\"type\":\"string\",\"logicalType\":\"uuid\"}}]}"));
        for (String text : List.of("123e4567-e89b-12d3-1a456-42661417400", "1-1-1-1-1")) {
            byte[] message = ByteBuffer.allocate(6 + text.length())
                    .put((byte) 0)
                    .putInt(1)
                    .put((byte) (2 * text.length()))
                    .put(text.getBytes(StandardCharsets.US_ASCII))
                    .array();
            assertThat(Messages.badReason(WireAvro.decoder(Known.class, schemas), message))
                    .startsWith("'id': a UUID such as ")
                    .endsWith(" is expected, found '" + text + "'");
            assertThat(Messages.badReason(WireAvro.maps(schemas), message)).endsWith("malformed: " + text);
        }
    }

    /** A decimal. */
    record Priced(BigDecimal price) {}

    /** A job does not fail for it, whatever the reader. */
    @Test
    void shouldRefuseADecimalOfNoBytes() {
        Schemas schemas = one(
                1,
                new Schema.Parser()
                        .parse("{\"type\":\"record\",\"name\":\"P\",\"fields\":[{\"name\":\"price\",\"type\":"
                                + "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9,\"scale\":2}}]}"));
        byte[] message = Messages.framed(1, new byte[] {0});

        assertThat(Messages.badReason(WireAvro.decoder(Priced.class, schemas), message))
                .isEqualTo("'price': a decimal has no bytes");
        assertThat(Messages.badReason(WireAvro.maps(schemas), message)).contains("a decimal has no bytes");
    }

    @Test
    void shouldWriteADecimalOnlyWithTheDigitsThatItsSchemaHas() throws Exception {
        Schemas schemas = one(
                1,
                new Schema.Parser()
                        .parse("{\"type\":\"record\",\"name\":\"P\",\"fields\":[{\"name\":\"price\",\"type\":"
                                + "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":2,\"scale\":2}}]}"));
        var encoding = WireAvro.encoder(Priced.class, schemas).id(1).open();
        var decoder = WireAvro.decoder(Priced.class, schemas);

        for (String price : List.of("0", "0e99999", "0.990", "-0.01", "0.5")) {
            assertThat(Messages.decode(decoder, encoding.encode(new Priced(new BigDecimal(price)))).price)
                    .isEqualByComparingTo(price);
        }
        // To give the last two a scale would take hours, or all memory.
        for (String price : List.of("1", "0.991", "1e-500000000", "1e500000000")) {
            assertThatThrownBy(() -> encoding.encode(new Priced(new BigDecimal(price))))
                    .isInstanceOf(BadRecordException.class)
                    .hasMessageEndingWith(" does not fit a decimal of 2 digits, 2 of them after the point");
        }
    }

    /** Lengths that point backwards, at elements that take no bytes, or beyond the message, read and skipped. */
    @Test
    void shouldRefuseLengthsThatCannotBe() {
        Schema schema = new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"Order\",\"fields\":["
                        + "{\"name\":\"id\",\"type\":\"long\"},"
                        + "{\"name\":\"tags\",\"type\":{\"type\":\"array\",\"items\":\"string\"}},"
                        + "{\"name\":\"none\",\"type\":{\"type\":\"array\",\"items\":\"null\"}},"
                        + "{\"name\":\"by\",\"type\":{\"type\":\"map\",\"values\":\"long\"}},"
                        + "{\"name\":\"text\",\"type\":\"string\"},"
                        + "{\"name\":\"shop\",\"type\":\"string\"},"
                        + "{\"name\":\"note\",\"type\":[\"null\",\"string\"]}]}");
        Schemas schemas = one(1, schema);
        List<Decoder<?>> decoders = List.of(
                WireAvro.decoder(Order.class, schemas), WireAvro.maps(schemas)); // one skips them, the other does not
        byte[] huge = {-2, -1, -1, -1, -1, -1, -1, -1, -1, 1};
        byte[] backwards = {1, 3};
        for (Decoder<?> decoder : decoders) {
            for (int field = 1; field <= 3; field++) {
                for (byte[] length : List.of(huge, backwards, new byte[] {1}, new byte[] {5, 2})) {
                    ByteBuffer message = ByteBuffer.allocate(40).put((byte) 2);
                    for (int each = 1; each <= 4; each++) {
                        message.put(each == field ? length : new byte[] {0});
                    }
                    message.put(new byte[] {2, 'n', 0});
                    byte[] bytes = new byte[message.position()];
                    message.flip().get(bytes);
                    assertThat(Messages.badReason(decoder, Messages.framed(1, bytes)))
                            .as("field %d, %s", field, Arrays.toString(length))
                            .contains("message");
                }
            }
        }
    }

    /** A node of a tree that may be as deep as it likes. */
    @Test
    void shouldRefuseMessagesThatAreNestedTooDeeply() {
        Schema tree = new Schema.Parser()
                .parse(
                        "{\"type\":\"record\",\"name\":\"Node\",\"fields\":[{\"name\":\"next\",\"type\":[\"null\",\"Node\"]}]}");
        byte[] deep = new byte[1_000_000];
        Arrays.fill(deep, (byte) 2);
        deep[deep.length - 1] = 0;

        assertThat(Messages.badReason(WireAvro.maps(one(1, tree)), Messages.framed(1, deep)))
                .isEqualTo("the message is nested too deeply");
    }

    @Test
    void shouldWriteMapsWithUnionsOfSeveralTypes() throws Exception {
        Schema schema = new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"U\",\"fields\":[{\"name\":\"u\",\"type\":"
                        + "[\"null\",\"int\",\"string\",{\"type\":\"array\",\"items\":\"long\"}]}]}");
        Schemas schemas = one(1, schema);
        var encoding = WireAvro.mapEncoder(schemas).id(1).open();
        for (Object value : List.of(1, "x", List.of(1L, 2L))) {
            Map<String, Object> map = Map.of("u", value);
            assertThat(Messages.decode(WireAvro.maps(schemas), encoding.encode(map)))
                    .isEqualTo(map);
        }
        assertThatThrownBy(() -> encoding.encode(Map.of("u", 1.5)))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("'u': it fits no type of its union");
    }

    /** What happened to an order. */
    record Changed(long id) {}

    /** Around it. */
    record Event(Changed what) {}

    @Test
    void shouldTellTheRecordsOfAUnionByTheirFields() throws Exception {
        String fields = "[{\"name\":\"id\",\"type\":\"long\"}]";
        String more = "[{\"name\":\"id\",\"type\":\"long\"},{\"name\":\"note\",\"type\":\"string\",\"default\":\"\"}]";
        String union = """
                {"type":"record","name":"R","fields":[{"name":"what","type":[
                {"type":"record","name":"Added","fields":%s},
                {"type":"record","name":"Removed","fields":%s}]}]}""";
        for (String first : List.of(fields, more)) {
            Schema schema = new Schema.Parser().parse(union.formatted(first, fields));
            Schemas schemas = one(1, schema);
            var maps = WireAvro.mapEncoder(schemas).id(1).open();
            byte[] removed = {0, 0, 0, 0, 1, 2, 14};
            Map<String, Object> map = Messages.decode(WireAvro.maps(schemas), removed);
            assertThat(map).isEqualTo(Map.of("what", Map.of("id", 7L)));
            AvroEncoder<Event> records = WireAvro.encoder(Event.class, schemas).id(1);
            if (first.equals(more)) {
                assertThat(maps.encode(map)).isEqualTo(removed);
                assertThat(records.open().encode(new Event(new Changed(7)))).isEqualTo(removed);
            } else {
                assertThatThrownBy(records::open)
                        .isInstanceOf(ConnectorException.class)
                        .hasMessageContaining("'what': it fits several types of its union alike: [Added, Removed]");
                assertThatThrownBy(() -> maps.encode(map))
                        .isInstanceOf(BadRecordException.class)
                        .hasMessage("'what': it fits several types of its union alike: [Added, Removed]");
            }
        }
        Schema enums = new Schema.Parser().parse("""
                {"type":"record","name":"R","fields":[{"name":"what","type":[
                {"type":"enum","name":"A","symbols":["X","Y"]},{"type":"enum","name":"B","symbols":["Y","Z"]}]}]}""");
        var encoding = WireAvro.mapEncoder(one(1, enums)).id(1).open();
        assertThat(encoding.encode(Map.of("what", "Z"))).isEqualTo(new byte[] {0, 0, 0, 0, 1, 2, 2});
        assertThatThrownBy(() -> encoding.encode(Map.of("what", "Y")))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("'what': it fits several types of its union alike: [A, B]");
    }

    // ---- writing

    /** What is written; its schema is made of the class. */
    record Total(String shop, long cents, @Nullable String note) {}

    @Test
    void shouldWriteDefaultsForWhatTheClassLacks() throws Exception {
        Schema wider = SchemaBuilder.record("Total")
                .fields()
                .requiredString("shop")
                .name("currency")
                .type()
                .stringType()
                .stringDefault("EUR")
                .requiredLong("cents")
                .optionalString("note")
                .endRecord();
        Schemas schemas = one(1, wider);
        byte[] message = WireAvro.encoder(Total.class, schemas).id(1).open().encode(new Total("n", 5, null));

        assertThat(Messages.decode(WireAvro.maps(schemas), message))
                .containsEntry("currency", "EUR")
                .containsEntry("cents", 5L)
                .containsEntry("note", null);
    }

    @Test
    void shouldRefuseASchemaThatDoesNotFit() {
        assertThatThrownBy(
                        () -> WireAvro.encoder(Total.class, one(1, ORDER)).id(1).open())
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("s1.avsc")
                .hasMessageContaining("'id' has no default");
        assertThatThrownBy(
                        () -> WireAvro.encoder(Order.class, one(1, ORDER)).id(2).open())
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("no schema 2");
        assertThatThrownBy(() -> WireAvro.encoder(Order.class, one(1, ORDER)).open())
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("say id(…) or subject(…)");
        assertThatThrownBy(() -> WireAvro.encoder(Order.class, one(1, ORDER))
                        .subject("s")
                        .open())
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("registry");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WireAvro.decoder(Object.class, one(1, ORDER)))
                .withMessageContaining("record");
    }

    /** A value that may not fit its field. */
    record Narrow(@Nullable Long id, String shop, String note) {}

    @Test
    void shouldSayWhichValueDoesNotFit() throws Exception {
        Schema narrow = SchemaBuilder.record("Narrow")
                .fields()
                .requiredInt("id")
                .requiredString("shop")
                .optionalString("note")
                .endRecord();
        var encoding = WireAvro.encoder(Narrow.class, one(1, narrow)).id(1).open();

        assertThatThrownBy(() -> encoding.encode(new Narrow(1L << 40, "x", "y")))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("'id': 1099511627776 is out of the range of int");
        assertThatThrownBy(() -> encoding.encode(new Narrow(null, "x", "y")))
                .hasMessage("'id': it is null, and its schema has no null");
        assertThatThrownBy(() -> encoding.encode(new Narrow(1L, "\ud800", "y"))).hasMessageContaining("surrogate");
        assertThat(encoding.encode(new Narrow(1L, "x", "y"))).hasSize(5 + 1 + 2 + 1 + 2); // nothing was left over
    }

    // ---- bad bytes

    @Test
    void shouldSayWhatIsWrongWithAMessage() {
        AvroDecoder<Order> decoder = WireAvro.decoder(Order.class, one(7, ORDER));
        byte[] good = Messages.framed(7, Messages.avro(ORDER, order(3, "x")));

        assertThat(Messages.badReason(decoder, new byte[0]))
                .isEqualTo("the message has 0 bytes, and the header with" + " the schema's id has 5");
        assertThat(Messages.badReason(decoder, "{\"id\":1}".getBytes(StandardCharsets.UTF_8)))
                .startsWith("the message begins with the byte 0x7b");
        assertThat(Messages.badReason(decoder, Messages.framed(8, new byte[0])))
                .startsWith("there is no schema 8 at the files given");
        assertThat(Messages.badReason(decoder, Messages.framed(-8, new byte[0])))
                .startsWith("there is no schema -8");
        assertThat(Messages.badReason(
                        decoder, ByteBuffer.allocate(good.length + 1).put(good).array()))
                .contains("more bytes than its schema says");
        for (int length = 0; length < good.length; length++) {
            assertThat(Messages.badReason(decoder, Arrays.copyOf(good, length)))
                    .as("%d bytes", length)
                    .isNotEmpty();
        }
    }

    /** Refuses what it does not like. */
    record Strict(long id) {
        Strict {
            if (id < 0) {
                throw new IllegalArgumentException("negative");
            }
        }
    }

    @Test
    void shouldKeepWhatARecordRefuses() {
        assertThat(Messages.badReason(
                        WireAvro.decoder(Strict.class, one(7, ORDER)),
                        Messages.framed(7, Messages.avro(ORDER, order(-3, null)))))
                .contains("negative");
    }

    @Test
    void shouldNotAllocateWhatAMessageClaims() {
        Schema nulls = Schema.createRecord("N", null, null, false);
        nulls.setFields(List.of(new Schema.Field("a", Schema.createArray(Schema.create(Schema.Type.LONG)))));
        ByteBuffer claims = ByteBuffer.allocate(15).put((byte) 0).putInt(1);
        claims.put(new byte[] {-2, -1, -1, -1, 15}); // an array of 2^31 - 1 elements

        assertThat(Messages.badReason(WireAvro.maps(one(1, nulls)), Arrays.copyOf(claims.array(), claims.position())))
                .isNotEmpty();
    }

    // ---- folders, serialization, generated classes

    @Test
    void shouldReadAFolderWithCommonTypes() throws Exception {
        Messages.file(
                folder,
                "money/a-price.avsc",
                "{\"type\":\"record\",\"name\":\"Price\",\"fields\":"
                        + "[{\"name\":\"unit\",\"type\":\"Unit\"},{\"name\":\"cents\",\"type\":\"long\"}]}");
        Messages.file(
                folder, "money/b-unit.avsc", "{\"type\":\"enum\",\"name\":\"Unit\",\"symbols\":[\"EUR\",\"USD\"]}");
        Messages.file(
                folder,
                "12-sale.avsc",
                "{\"type\":\"record\",\"name\":\"Sale\",\"fields\":" + "[{\"name\":\"price\",\"type\":\"Price\"}]}");
        Schemas schemas = Schemas.folder(folder.toString());
        byte[] message = {0, 0, 0, 0, 12, 2, 14};

        assertThat(Messages.decode(WireAvro.decoder(Sale.class, schemas), message))
                .isEqualTo(new Sale(new Price(Unit.USD, 7)));
    }

    /** What is sold. */
    record Sale(Price price) {}

    /** What it costs. */
    record Price(Unit unit, long cents) {}

    /** In what. */
    enum Unit {
        EUR,
        USD
    }

    @Test
    void shouldTellWhichFileIsNoSchema() {
        String broken = Messages.file(folder, "broken.avsc", "{\"type\": \"record\"}");
        assertThatThrownBy(() -> Schemas.plain(broken))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("broken.avsc is no Avro schema");
        assertThatThrownBy(() -> Schemas.plain(folder + "/none.avsc"))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("none.avsc cannot be read");
        assertThatThrownBy(() -> Schemas.folder(folder.toString()))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("broken.avsc");
    }

    @Test
    void shouldTellWhichFolderOfSchemasCannotBeRead() throws Exception {
        Messages.file(folder, "7.avsc", ORDER.toString());
        Path secret = Files.createDirectory(folder.resolve("secret"));
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
        assumeThat(Files.isReadable(secret)).as("run by the superuser").isFalse();

        assertThatThrownBy(() -> Schemas.folder(folder.toString()))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("folder " + folder + " cannot be read: " + secret + ": permission denied");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void shouldTravelToACluster() throws Exception {
        AvroDecoder<Order> decoder = Serialized.copyOf(WireAvro.decoder(Order.class, one(7, ORDER)), "it");
        AvroEncoder<Order> encoder =
                Serialized.copyOf(WireAvro.encoder(Order.class, one(7, ORDER)).id(7), "it");

        assertThat(Messages.decode(decoder, encoder.open().encode(new Order(1, "s", "n"))))
                .isEqualTo(new Order(1, "s", "n"));
    }

    @Test
    void shouldReadAndWriteGeneratedClasses() throws Exception {
        Schemas schemas = one(7, ORDER);
        AvroDecoder<GeneratedOrder> decoder = WireAvro.decoder(GeneratedOrder.class, schemas);
        byte[] message = Messages.framed(7, Messages.avro(ORDER, order(3, "x")));
        GeneratedOrder read = Messages.decode(decoder, message);

        assertThat(read.id).isEqualTo(3);
        assertThat(read.shop).hasToString("north");
        assertThat(read.added).hasToString("by default");

        Codec<GeneratedOrder> codec = decoder.type().codec();
        ByteWriter out = new ByteWriter(16);
        codec.encode(read, out);
        assertThat(codec.decode(new ByteReader(out.toByteArray()))).isEqualTo(read);

        Schemas own = one(8, GeneratedOrder.SCHEMA$);
        byte[] written =
                WireAvro.encoder(GeneratedOrder.class, own).id(8).open().encode(read);
        assertThat(Messages.decode(WireAvro.decoder(GeneratedOrder.class, own), written))
                .isEqualTo(read);
        read.shop = null;
        assertThatThrownBy(() ->
                        WireAvro.encoder(GeneratedOrder.class, own).id(8).open().encode(read))
                .isInstanceOf(BadRecordException.class);
    }

    /** Avro's conversions truncate times, and a String becomes UTF-8 with question marks. */
    @Test
    void shouldRefuseWhatAvroWouldWriteAsAnotherValue() throws Exception {
        Schema schema = GeneratedVisit.SCHEMA$;
        AvroEncoder<GeneratedVisit> encoder =
                WireAvro.encoder(GeneratedVisit.class, one(8, schema)).id(8);
        GeneratedVisit visit = new GeneratedVisit();
        visit.at = Instant.parse("2018-02-06T15:50:42.123456Z");
        visit.from = LocalTime.of(1, 2, 3, 4_000_000);
        visit.tags = Map.of("ä", "🙂");
        byte[] written = encoder.open().encode(visit);
        assertThat(Messages.decode(WireAvro.decoder(GeneratedVisit.class, one(8, schema)), written).at)
                .isEqualTo(visit.at);

        visit.at = visit.at.plusNanos(1);
        assertThatThrownBy(() -> encoder.open().encode(visit))
                .isInstanceOf(BadRecordException.class)
                .hasMessage(
                        "'at': 2018-02-06T15:50:42.123456001Z is finer than the unit of timestamp-micros; truncate it");
        visit.at = null;
        visit.from = LocalTime.of(1, 2, 3, 4_000);
        assertThatThrownBy(() -> encoder.open().encode(visit))
                .hasMessage("'from': 01:02:03.000004 is finer than the unit of time-millis; truncate it");
        visit.from = LocalTime.NOON;
        visit.tags = Map.of("\ud83d", "a");
        assertThatThrownBy(() -> encoder.open().encode(visit)).hasMessageContaining("'tags': the text contains half a");
        visit.tags = Map.of("a", "\ude42");
        assertThatThrownBy(() -> encoder.open().encode(visit)).hasMessageContaining("'tags': the text contains half a");
    }

    /** The same holds of what goes to another task, or into a checkpoint. */
    @Test
    void shouldRefuseToCarryWhatAvroWouldWriteAsAnotherValue() {
        Codec<GeneratedVisit> codec = WireAvro.decoder(GeneratedVisit.class, one(8, GeneratedVisit.SCHEMA$))
                .type()
                .codec();
        GeneratedVisit visit = new GeneratedVisit();
        visit.at = Instant.parse("2018-02-06T15:50:42.123456Z");
        visit.from = LocalTime.of(1, 2, 3, 4_000_000);
        visit.tags = Map.of("ä", "🙂");
        assertThat(codec.copy(visit).at).isEqualTo(visit.at);
        assertThat(codec.copy(visit).tags).hasToString("{ä=🙂}");

        visit.at = visit.at.plusNanos(1);
        assertThatThrownBy(() -> codec.copy(visit))
                .isInstanceOf(CodecException.class)
                .hasMessage(
                        "a io.thalweg.wire.GeneratedVisit goes to another task or a checkpoint, and cannot be written:"
                                + " 'at': 2018-02-06T15:50:42.123456001Z is finer than the unit of timestamp-micros; truncate it");
        visit.at = null;
        visit.tags = Map.of("a", "\ude42");
        assertThatThrownBy(() -> codec.copy(visit))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("'tags': the text contains half a");
    }

    private AvroEncoder<GeneratedOrder> generated(String schema) {
        return WireAvro.encoder(GeneratedOrder.class, one(8, new Schema.Parser().parse(schema)))
                .id(8);
    }

    @Test
    void shouldWriteGeneratedClassesByASchemaThatDiffersInDocumentation() throws Exception {
        GeneratedOrder order = new GeneratedOrder();
        order.id = 3;
        order.shop = "north";
        order.added = "x";
        byte[] own = generated(GeneratedOrder.SCHEMA$.toString()).open().encode(order);

        assertThat(generated("""
                        {"type":"record","name":"GeneratedOrder","namespace":"other","doc":"d","aliases":["O"],"fields":[
                        {"name":"id","type":"long","default":5},{"name":"shop","type":
                        {"type":"string","avro.java.string":"String"}},{"name":"added","type":"string"}]}""").open().encode(order)).isEqualTo(own);
    }

    @Test
    void shouldRefuseToWriteGeneratedClassesByAnotherSchema() {
        String fields = "{\"type\":\"record\",\"name\":\"GeneratedOrder\",\"fields\":[%s]}";
        String id = "{\"name\":\"id\",\"type\":\"long\"},";
        String shop = "{\"name\":\"shop\",\"type\":\"string\"}";
        String added = "{\"name\":\"added\",\"type\":\"string\"}";

        assertThatThrownBy(() ->
                        generated(fields.formatted(id + added + "," + shop)).open())
                .isInstanceOf(ConnectorException.class)
                .hasMessageEndingWith("s8.avsc does not fit what is written: the schema has 'added' as field 2 of"
                        + " GeneratedOrder, and the generated class 'shop' as field 2 of GeneratedOrder; write with the"
                        + " schema of the class, or generate the class from this one");
        assertThatThrownBy(() -> generated(fields.formatted(id + shop)).open())
                .hasMessageContaining("the schema has no field 3 of GeneratedOrder, and the generated class 'added'");
        assertThatThrownBy(() -> generated(fields.formatted(
                                id + shop + "," + added + ",{\"name\":\"more\",\"type\":\"long\",\"default\":1}"))
                        .open())
                .hasMessageContaining("the schema has 'more' as field 4 of GeneratedOrder, and the generated class no");
        assertThatThrownBy(() -> generated(fields.formatted(id + shop + "," + added.replace("\"string\"", "\"bytes\"")))
                        .open())
                .hasMessageContaining("'added': the schema has \"bytes\", and the generated class \"string\"");
        assertThatThrownBy(() -> generated(fields.formatted(
                                id.replace("\"long\"", "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}")
                                        + shop + "," + added))
                        .open())
                .hasMessageContaining("'id': the schema has {\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}");
    }

    @Test
    void shouldCompareSchemasOfGeneratedClassesToTheirEnds() {
        String own = """
                {"type":"record","name":"Node","fields":[
                {"name":"next","type":["null","Node"]},
                {"name":"kind","type":{"type":"enum","name":"Kind","symbols":["A","B"]}},
                {"name":"sum","type":{"type":"array","items":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}}},
                {"name":"hash","type":{"type":"map","values":{"type":"fixed","name":"Hash","size":4}}}]}""";

        AvroSame.check(new Schema.Parser().parse(own), new Schema.Parser().parse(own));
        for (String[] change : new String[][] {
            {"[\"null\",\"Node\"]", "[\"Node\",\"null\"]", "'next': the schema has union[Node, null]"},
            {"[\"A\",\"B\"]", "[\"B\",\"A\"]", "'kind': the schema has [B, A]"},
            {"\"scale\":2", "\"scale\":3", "'sum': the schema has {\"type\":\"bytes\""},
            {"\"size\":4", "\"size\":5", "'hash': the schema has 5 bytes, and the generated class 4 bytes"},
            {"\"Hash\"", "\"Other\"", "'hash': the schema has fixed Other, and the generated class fixed Hash"},
        }) {
            String other = own.replace(change[0], change[1]);
            assertThatThrownBy(() -> AvroSame.check(new Schema.Parser().parse(own), new Schema.Parser().parse(other)))
                    .isInstanceOfSatisfying(
                            Misfit.class, e -> assertThat(e.describe()).contains(change[2]));
        }
    }
}

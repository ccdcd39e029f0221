// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.operator.BadRecordException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against the library's own reader, on random schemas and values. */
final class RandomAvroTest {
    private static final int SCHEMAS = 150;
    private static final int VALUES = 10;

    @TempDir
    private Path folder;

    private final long seed = Long.getLong("thalweg.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private int names;

    @Test
    void shouldReadWhatTheLibraryReads() throws Exception {
        System.out.println("RandomAvroTest: -Dthalweg.seed=" + seed);
        int cut = 0;
        int refused = 0;
        for (int i = 0; i < SCHEMAS; i++) {
            Schema schema = record(0);
            Schemas schemas = Schemas.files(Map.of(i, Messages.file(folder, i + ".avsc", schema.toString())));
            Decoder.Decoding<Map<String, Object>> maps = WireAvro.maps(schemas).open();
            var encoding = WireAvro.mapEncoder(schemas).id(i).open();
            for (int j = 0; j < VALUES; j++) {
                byte[] payload = Messages.avro(schema, value(schema));
                byte[] message = Messages.framed(i, payload);
                Map<String, Object> read = maps.decode(message, 0, message.length);
                Object theirs = new GenericDatumReader<>(schema)
                        .read(null, DecoderFactory.get().binaryDecoder(payload, null));
                assertThat(same(theirs, read)).as("%s: %s", theirs, read).isTrue();

                byte[] again = encoding.encode(read); // the entries of its maps may have another order
                assertThat(again).hasSameSizeAs(message);
                assertThat(same(theirs, maps.decode(again, 0, again.length))).isTrue();
                for (int length = 0; length < message.length; length++) {
                    cut++;
                    refused += isBad(maps, Arrays.copyOf(message, length)) ? 1 : 0;
                }
                byte[] damaged = message.clone();
                for (int k = 0; k < 20 && payload.length > 0; k++) {
                    damaged[5 + random.nextInt(payload.length)] ^= (byte) (1 << random.nextInt(8));
                    isBad(maps, damaged); // nothing else is thrown
                }
            }
        }
        assertThat(refused).isEqualTo(cut).isPositive();
    }

    private static boolean isBad(Decoder.Decoding<?> decoding, byte[] message) throws Exception {
        try {
            decoding.decode(message, 0, message.length);
            return false;
        } catch (BadRecordException e) {
            return true;
        }
    }

    /** The same, as far as classes differ. */
    private static boolean same(Object theirs, Object ours) {
        if (theirs instanceof IndexedRecord record) {
            Map<?, ?> map = (Map<?, ?>) ours;
            return map.size() == record.getSchema().getFields().size()
                    && record.getSchema().getFields().stream()
                            .allMatch(field -> same(record.get(field.pos()), map.get(field.name())));
        }
        if (theirs instanceof Map<?, ?> map) {
            return map.size() == ((Map<?, ?>) ours).size()
                    && map.entrySet().stream()
                            .allMatch(each -> same(
                                    each.getValue(),
                                    ((Map<?, ?>) ours).get(each.getKey().toString())));
        }
        if (theirs instanceof Collection<?> list) {
            List<?> their = new ArrayList<>(list);
            List<?> our = (List<?>) ours;
            boolean same = their.size() == our.size();
            for (int i = 0; same && i < our.size(); i++) {
                same = same(their.get(i), our.get(i));
            }
            return same;
        }
        if (theirs instanceof GenericFixed fixed) {
            return Arrays.equals(fixed.bytes(), (byte[]) ours);
        }
        if (theirs instanceof ByteBuffer bytes) {
            return bytes.equals(ByteBuffer.wrap((byte[]) ours));
        }
        if (theirs instanceof CharSequence || theirs instanceof GenericData.EnumSymbol) {
            return theirs.toString().equals(ours);
        }
        return theirs == null ? ours == null : theirs.equals(ours);
    }

    // ---- schemas

    private Schema record(int level) {
        List<Schema.Field> fields = new ArrayList<>();
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            fields.add(new Schema.Field("f" + i, schema(level + 1)));
        }
        return Schema.createRecord("R" + names++, null, "r", false, fields);
    }

    private Schema schema(int level) {
        int kind = random.nextInt(level > 3 ? 9 : 13);
        return switch (kind) {
            case 0 -> Schema.create(Schema.Type.BOOLEAN);
            case 1 -> Schema.create(Schema.Type.INT);
            case 2 -> Schema.create(Schema.Type.LONG);
            case 3 -> Schema.create(Schema.Type.FLOAT);
            case 4 -> Schema.create(Schema.Type.DOUBLE);
            case 5 -> Schema.create(Schema.Type.STRING);
            case 6 -> Schema.create(Schema.Type.BYTES);
            case 7 -> Schema.createEnum("E" + names++, null, "r", List.of("A", "B", "C"));
            case 8 -> Schema.createFixed("X" + names++, null, "r", 1 + random.nextInt(9));
            case 9 -> record(level);
            case 10 -> Schema.createArray(schema(level + 1));
            case 11 -> Schema.createMap(schema(level + 1));
            default -> union(level);
        };
    }

    private Schema union(int level) {
        Schema other = schema(level + 1);
        while (other.getType() == Schema.Type.UNION) {
            other = schema(level + 1);
        }
        Schema none = Schema.create(Schema.Type.NULL);
        return random.nextBoolean() ? Schema.createUnion(none, other) : Schema.createUnion(other, none);
    }

    // ---- values

    private Object value(Schema schema) {
        return switch (schema.getType()) {
            case RECORD -> {
                GenericData.Record record = new GenericData.Record(schema);
                schema.getFields().forEach(field -> record.put(field.pos(), value(field.schema())));
                yield record;
            }
            case ARRAY -> {
                List<Object> list = new ArrayList<>();
                int size = random.nextInt(4);
                for (int i = 0; i < size; i++) {
                    list.add(value(schema.getElementType()));
                }
                yield list;
            }
            case MAP -> {
                Map<String, Object> map = new LinkedHashMap<>();
                int size = random.nextInt(4);
                for (int i = 0; i < size; i++) {
                    map.put(text(), value(schema.getValueType()));
                }
                yield map;
            }
            case UNION -> value(schema.getTypes().get(random.nextInt(2)));
            case NULL -> null;
            case BOOLEAN -> random.nextBoolean();
            case INT -> random.nextInt() >> random.nextInt(32);
            case LONG -> random.nextLong() >> random.nextInt(64);
            case FLOAT -> Float.intBitsToFloat(random.nextInt());
            case DOUBLE -> Double.longBitsToDouble(random.nextLong());
            case STRING -> text();
            case BYTES -> ByteBuffer.wrap(bytes(random.nextInt(6)));
            case ENUM ->
                new GenericData.EnumSymbol(schema, schema.getEnumSymbols().get(random.nextInt(3)));
            case FIXED -> new GenericData.Fixed(schema, bytes(schema.getFixedSize()));
        };
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(5);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(random.nextBoolean() ? 'a' + random.nextInt(26) : 0x1F600 + random.nextInt(9));
        }
        return text.toString();
    }
}

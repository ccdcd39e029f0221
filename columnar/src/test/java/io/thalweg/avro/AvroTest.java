// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.columnar.Everything;
import io.thalweg.columnar.FakeContext;
import io.thalweg.columnar.Others;
import io.thalweg.columnar.Others.Flat;
import io.thalweg.columnar.Others.Nested;
import io.thalweg.files.record.Name;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What others wrote, what is written and read back, and what is damaged. */
final class AvroTest {
    @TempDir
    Path folder;

    private final FakeContext context = new FakeContext();

    private String path() {
        return folder.resolve("file.avro").toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "deflate", "snappy", "zstandard"})
    void shouldReadAllPackings(String codec) throws Exception {
        assertThat(context.all(Avro.read(Others.file("flat-" + codec + ".avro"), Flat.class)))
                .isEqualTo(Others.flat());
    }

    @Test
    void shouldReadListsMapsAndRecordsInEachOther_onlyWhatIsAskedFor() throws Exception {
        assertThat(context.all(Avro.read(Others.file("nested.avro"), Nested.class)).stream()
                        .map(Nested::text))
                .isEqualTo(Others.nested().stream().map(Nested::text).toList());
    }

    record Types(
            float f32,
            BigDecimal money,
            LocalDate day,
            LocalTime clockMs,
            LocalTime clockUs,
            Instant atMs,
            Instant atUs,
            LocalDateTime local,
            Everything.Color color,
            LocalDate iso) {}

    @Test
    void shouldReadTimesAndDecimals() throws Exception {
        assertThat(context.all(Avro.read(Others.file("types.avro"), Types.class)))
                .isEqualTo(IntStream.range(0, Others.ROWS)
                        .mapToObj(AvroTest::types)
                        .toList());
    }

    private static Types types(int i) {
        Instant at =
                Instant.parse("2024-02-29T12:00:00Z").plus(i, ChronoUnit.DAYS).plus(i * 1001L, ChronoUnit.MICROS);
        LocalDateTime local = LocalDateTime.ofInstant(at, ZoneOffset.UTC);
        return new Types(
                i * 0.25f,
                BigDecimal.valueOf(i * 101 - 5000, 2),
                local.toLocalDate(),
                LocalTime.of(i % 24, 1, 2, 3_000_000),
                LocalTime.of(i % 24, 1, 2, 3_000),
                at.truncatedTo(ChronoUnit.MILLIS),
                at,
                local,
                i % 2 == 0 ? Everything.Color.RED : Everything.Color.GREEN,
                local.toLocalDate());
    }

    record Required(long id, Double value) {}

    @Test
    void shouldRefuseNull_whereTheComponentIsNotNullable() throws Exception {
        assertThat(context.all(Avro.read(Others.file("flat-null.avro"), Required.class)))
                .hasSize(66);
        assertThat(context.bad).hasSize(34);
        assertThat(context.bad.get(1).describe())
                .isEqualTo(
                        Others.file("flat-null.avro")
                                + ", offset 3: 'value': it is null, and may be only if it is declared as @Nullable or Optional");
    }

    record Missing(long id, String nmae) {}

    record Wrong(String id) {}

    @Test
    void shouldSayWhichFieldDoesNotFit_whenTheJobStarts() {
        String path = Others.file("flat-null.avro");
        assertThatThrownBy(() -> Avro.read(path, Missing.class).splits(1))
                .hasMessage(
                        "cannot read " + path + ": there is no column 'nmae', which the record declares; there are: id,"
                                + " name, value, small, flag");
        assertThatThrownBy(() -> Avro.read(path, Wrong.class).splits(1))
                .hasMessage("cannot read " + path + ": column 'id' is long, and the record declares String");
    }

    record Counted(long n) {}

    /** As fastavro writes it; nothing is missing that a default would be for. */
    @Test
    void shouldReadAFieldWhoseDefaultIsNotOfItsType() throws Exception {
        Schema schema = new Schema.Parser()
                .setValidateDefaults(false)
                .parse("{\"type\":\"record\",\"name\":\"R\",\"fields\":["
                        + "{\"name\":\"n\",\"type\":\"long\",\"default\":\"none\"}]}");
        try (DataFileWriter<GenericRecord> file = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            file.create(schema, Path.of(path()).toFile());
            GenericRecord record = new GenericData.Record(schema);
            record.put("n", 7L);
            file.append(record);
        }
        assertThat(context.all(Avro.read(path(), Counted.class))).containsExactly(new Counted(7));
    }

    private <R> void write(AvroSink<R> sink, List<R> records) throws Exception {
        SinkWriter<R> writer = sink.open(new SinkContext("job", "sink", 0, 1, System.err));
        try {
            for (R record : records) {
                writer.write(record);
            }
            writer.finish();
        } finally {
            writer.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadBackEveryType(BlockCodec codec) throws Exception {
        List<Everything> all = Everything.some(2_000);
        write(Avro.write(path(), Everything.class).codec(codec).nanoseconds().decimals(38, 3), all);
        assertThat(context.all(Avro.read(path(), Everything.class))).isEqualTo(all);
    }

    record Named(@Name("shop-id") int shop) {}

    @Test
    void shouldRefuseNamesThatAvroDoesNotHave() {
        assertThatThrownBy(() -> Avro.write(path(), Named.class))
                .hasMessage("record Named, component 'shop': Avro has no names such as 'shop-id'; they consist of ASCII"
                        + " letters, digits and _");
    }

    record One_Other(int shop) {}

    record One(One_Other first, Other second) {
        enum Other {
            NORTH
        }
    }

    @Test
    void shouldRefuseTwoClassesOfOneNameInAvro() {
        String name = AvroTest.class.getName();
        assertThatThrownBy(() -> Avro.write(path(), One.class))
                .hasMessage(name + "$One_Other and " + name + "$One$Other would have the same name in Avro,"
                        + " AvroTest_One_Other; rename one of them");
    }

    private void assertRefused(byte[] bytes, String reason) throws IOException {
        Files.write(Path.of(path()), bytes);
        assertThatThrownBy(() -> context.all(Avro.read(path(), Flat.class)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("cannot read " + path())
                .hasMessageEndingWith(": " + reason)
                .hasMessageNotContainingAny("\n");
    }

    @Test
    void shouldRefuseWhatIsNoWholeAvroFile() throws Exception {
        byte[] whole = Files.readAllBytes(Path.of(Others.file("flat-null.avro")));
        assertRefused(new byte[0], "it is empty; an Avro file without records has a schema");
        assertRefused(
                "id,name\n".getBytes(StandardCharsets.UTF_8),
                "it is not an Avro file: it does not begin with 'Obj' and 1");
        assertRefused(Arrays.copyOf(whole, 100), "it is truncated");
        assertRefused(Arrays.copyOf(whole, whole.length - 1), "it is truncated");
        assertRefused(
                Files.readAllBytes(Path.of(Others.file("flat-bzip2.avro"))),
                "it is compressed with bzip2; only deflate, snappy and zstandard can be read");
    }

    /** A header, and a block with what a few bytes can claim. */
    private static byte[] file(String schema, long records, byte[] block) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(bytes, null);
        out.writeFixed(AvroFile.MAGIC);
        out.writeMapStart();
        out.setItemCount(1);
        out.writeString("avro.schema");
        out.writeBytes(schema.getBytes(StandardCharsets.UTF_8));
        out.writeMapEnd();
        out.writeFixed(new byte[16]);
        out.writeLong(records);
        out.writeBytes(block);
        out.writeFixed(new byte[16]);
        return bytes.toByteArray();
    }

    record Words(String text, Map<String, String> texts) {}

    /** As Avro's compiler writes schemas for String: then the library itself would replace bytes that are no UTF-8. */
    @Test
    void shouldRefuseBytesThatAreNoText_alsoInKeys() throws Exception {
        String string = "{\"type\":\"string\",\"avro.java.string\":\"String\"}";
        String schema = "{\"type\":\"record\",\"name\":\"Texts\",\"fields\":[{\"name\":\"text\",\"type\":" + string
                + "},{\"name\":\"texts\",\"type\":{\"type\":\"map\",\"avro.java.string\":\"String\",\"values\":"
                + string
                + "}}]}";
        byte[] block = {2, 'a', 2, 2, 'k', 2, 'v', 0, 2, -1, 0, 2, 'b', 2, 2, -1, 2, 'v', 0, 2, 'c', 2, 2, 'k', 2, -1, 0
        };
        Files.write(Path.of(path()), file(schema, 4, block));

        assertThat(context.all(Avro.read(path(), Words.class))).containsExactly(new Words("a", Map.of("k", "v")));
        String invalid = "byte 0 of the text is invalid UTF-8";
        assertThat(context.bad)
                .extracting(BadRecord::reason)
                .containsExactly("'text': " + invalid, "'texts': a key of the map: " + invalid, "'texts': " + invalid);
    }

    record Text(String text) {}

    record Texts(List<String> text) {}

    @Test
    void shouldNotTakeMemoryForWhatIsOnlyClaimed() throws Exception {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(block, null);
        out.writeLong(2_000_000_000L);
        String schema = "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"text\",\"type\":%s}]}";
        Files.write(Path.of(path()), file(schema.formatted("\"string\""), 1, block.toByteArray()));
        assertThatThrownBy(() -> context.all(Avro.read(path(), Text.class)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("cannot read " + path() + ", record 0: ");
        String array = "{\"type\":\"array\",\"items\":\"string\"}";
        Files.write(Path.of(path()), file(schema.formatted(array), 1, block.toByteArray()));
        assertThatThrownBy(() -> context.all(Avro.read(path(), Texts.class)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("cannot read " + path() + ", record 0: ");
        assertThatThrownBy(() -> context.all(Avro.read(Others.file("flat-zstandard.avro"), Flat.class)
                        .maxBlockBytes(200)))
                .hasMessageEndingWith("a block has more bytes than the limit of 200, or is damaged; see maxBlockBytes");
    }

    /** Snappy has a checksum: a flipped bit is found, or stands where nothing is asked for. */
    @Test
    void shouldNeverLoseRecordsSilently_whereABitIsFlipped() throws Exception {
        byte[] whole = Files.readAllBytes(Path.of(Others.file("flat-snappy.avro")));
        Random random = new Random(9);
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = whole.clone();
            int at = random.nextInt(whole.length);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(Path.of(path()), damaged);
            FakeContext each = new FakeContext();
            try {
                int read = each.all(Avro.read(path(), Flat.class)).size();
                assertThat(read + each.bad.size())
                        .as("records, bit of byte %d", at)
                        .isEqualTo(Others.ROWS);
            } catch (ConnectorException e) {
                assertThat(e.getMessage()).startsWith("cannot read " + path()).doesNotContain("\n");
            }
        }
    }
}

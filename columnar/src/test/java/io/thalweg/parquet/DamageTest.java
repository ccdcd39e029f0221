// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.columnar.FakeContext;
import io.thalweg.columnar.Others;
import io.thalweg.columnar.Others.Flat;
import io.thalweg.columnar.PageCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are not what they should be: a line that says so, and never a part of the rows without one. */
final class DamageTest {
    @TempDir
    Path folder;

    private final FakeContext context = new FakeContext();
    private Path file = Path.of("");

    @BeforeEach
    void name() {
        file = folder.resolve("in.parquet");
    }

    private static byte[] bytes(String name) throws IOException {
        return Files.readAllBytes(Path.of(Others.file(name)));
    }

    private void assertRefused(byte[] bytes, String reason) throws IOException {
        Files.write(file, bytes);
        assertThatThrownBy(() -> context.all(Parquet.read(file.toString(), Flat.class)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("cannot read " + file)
                .hasMessageEndingWith(": " + reason)
                .hasMessageNotContainingAny("\n");
    }

    @Test
    void shouldRefuseWhatIsNoWholeParquetFile() throws Exception {
        byte[] whole = bytes("flat-plain.parquet");
        assertRefused(new byte[0], "it is empty; a Parquet file without rows has a footer");
        assertRefused(
                "id,name\n1,one\n".getBytes(StandardCharsets.UTF_8),
                "it is not a Parquet file: it does not begin with 'PAR1'");
        assertRefused(Arrays.copyOf(whole, whole.length - 1), "it is truncated: it does not end with 'PAR1'");
        assertRefused(Arrays.copyOf(whole, whole.length / 2), "it is truncated: it does not end with 'PAR1'");
        byte[] encrypted = whole.clone();
        encrypted[whole.length - 1] = 'E';
        assertRefused(encrypted, "it is encrypted, and encrypted files cannot be read");
        byte[] footer = whole.clone();
        footer[whole.length - 5] = 0x7f;
        assertRefused(
                footer,
                "it is damaged: its footer cannot have "
                        + ((0x7f << 24)
                                | ((footer[whole.length - 6] & 0xff) << 16)
                                | ((footer[whole.length - 7] & 0xff) << 8)
                                | (footer[whole.length - 8] & 0xff))
                        + " bytes");
    }

    @Test
    void shouldRefusePackingsThatItCannotOpen() throws Exception {
        assertRefused(
                bytes("flat-brotli.parquet"),
                "column 'id': it is compressed with BROTLI; only snappy, zstd and gzip can be read");
        assertRefused(
                bytes("flat-lz4.parquet"),
                "column 'id': it is compressed with LZ4_RAW; only snappy, zstd and gzip can be read");
    }

    @Test
    void shouldFindADamagedPage_byItsChecksum() throws Exception {
        byte[] bytes = bytes("flat-checksum.parquet");
        bytes[indexOf(bytes, "näme 3")] ^= 1;
        assertRefused(bytes, "column 'name': checksum mismatch in a page");
    }

    record WithoutName(long id, boolean flag) {}

    @Test
    void shouldNotTouchColumnsThatNobodyAsksFor() throws Exception {
        byte[] bytes = bytes("flat-checksum.parquet");
        bytes[indexOf(bytes, "näme 3")] ^= 1;
        Files.write(file, bytes);
        assertThat(context.all(Parquet.read(file.toString(), WithoutName.class)))
                .isEqualTo(Others.flat().stream()
                        .map(each -> new WithoutName(each.id(), each.flag()))
                        .toList());
    }

    @Test
    void shouldSayWhichFileIsAPipe() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        for (String path : List.of("-", file.toString())) {
            assertThatThrownBy(() -> Parquet.read(path, Flat.class).splits(1))
                    .hasMessageEndingWith(
                            ": Parquet is read from its end, so it cannot come through a pipe; write it to a"
                                    + " file first");
        }
    }

    @Test
    void shouldBoundAPage() {
        assertThatThrownBy(() -> context.all(Parquet.read(Others.file("flat-plain.parquet"), Flat.class)
                        .maxPageBytes(500)))
                .hasMessageEndingWith(", row group 0: column 'id': a page has 807 bytes, more than the limit of"
                        + " 500; see maxPageBytes");
    }

    record Word(String word) {}

    record Flag(boolean on) {}

    private <R> byte[] written(Class<R> type, List<R> rows) throws Exception {
        SinkWriter<R> writer = Parquet.write(file.toString(), type)
                .codec(PageCodec.NONE)
                .open(new SinkContext("job", "sink", 0, 1, System.err));
        try {
            for (R row : rows) {
                writer.write(row);
            }
            writer.finish();
        } finally {
            writer.close();
        }
        return Files.readAllBytes(file);
    }

    private List<Word> words() {
        return IntStream.range(0, 100)
                .mapToObj(i -> new Word(i % 2 == 0 ? "even" : "odd"))
                .toList();
    }

    /** The same file, which has one column and one row group, with another header of its first page, and other bytes behind that. */
    private static byte[] changed(byte[] whole, BiConsumer<PageHeader, byte[]> change) throws IOException {
        int length = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getInt(whole.length - 8);
        int end = whole.length - 8 - length;
        FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(whole, end, length));
        ByteArrayInputStream pages = new ByteArrayInputStream(whole, 4, end - 4);
        PageHeader header = Util.readPageHeader(pages);
        byte[] behind = pages.readAllBytes();
        change.accept(header, behind);

        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(whole, 0, 4);
        Util.writePageHeader(header, out);
        out.writeBytes(behind);
        int longer = out.size() - end;
        ColumnMetaData column =
                footer.getRow_groups().get(0).getColumns().get(0).getMeta_data();
        column.setTotal_compressed_size(column.getTotal_compressed_size() + longer);
        if (column.isSetDictionary_page_offset()) {
            column.setData_page_offset(column.getData_page_offset() + longer);
        }
        int at = out.size();
        Util.writeFileMetaData(footer, out);
        out.writeBytes(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(out.size() - at)
                .array());
        out.write(whole, 0, 4);
        return out.toByteArray();
    }

    private void assertUnreadable(byte[] bytes, Class<?> type, String reason) throws IOException {
        Files.write(file, bytes);
        assertThatThrownBy(() -> context.all(Parquet.read(file.toString(), type)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("cannot read " + file)
                .hasMessageContaining(reason)
                .hasMessageNotContainingAny("\n");
    }

    /** The library would allocate an array for all of them. */
    @Test
    void shouldRefuseADictionaryOfMoreValuesThanItsPageCanHold() throws Exception {
        byte[] whole = written(Word.class, words());
        assertUnreadable(
                changed(
                        whole,
                        (header, behind) -> header.getDictionary_page_header().setNum_values(Integer.MAX_VALUE)),
                Word.class,
                "column 'word': a dictionary cannot have 2147483647 values in 15 bytes");
        assertUnreadable(
                changed(
                        whole,
                        (header, behind) -> header.getDictionary_page_header().setNum_values(-1)),
                Word.class,
                "column 'word': a dictionary cannot have -1 values in 15 bytes");
        assertUnreadable(
                changed(whole, (header, behind) -> {
                    header.unsetCrc();
                    behind[0] = 100; // the length of its first value
                }),
                Word.class,
                "column 'word': a dictionary cannot have 2 values in 15 bytes");
    }

    @Test
    void shouldRefuseAPageOfMoreValuesThanItsColumn() throws Exception {
        byte[] whole = written(Flag.class, List.of(new Flag(true), new Flag(false), new Flag(true)));
        assertUnreadable(
                changed(whole, (header, behind) -> header.getData_page_header().setNum_values(Integer.MAX_VALUE)),
                Flag.class,
                "column 'on': a page cannot have 2147483647 values, as there are 3 left of the 3 it should have");
    }

    @Test
    void shouldRefuseAFooterOfMoreColumnsThanItHasBytes() throws Exception {
        byte[] footer = {0x15, 2, 0x19, (byte) 0xfc, -1, -1, -1, -1, 7}; // a version, and two billion columns
        byte[] magic = "PAR1".getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(magic);
        out.writeBytes(footer);
        out.writeBytes(new byte[] {(byte) footer.length, 0, 0, 0});
        out.writeBytes(magic);
        assertUnreadable(out.toByteArray(), Word.class, "cannot read " + file + ": its footer is damaged: ");
    }

    /** The older type beside it says what it is. */
    @Test
    void shouldReadATypeThatIsNewerThanTheLibrary() throws Exception {
        byte[] bytes = written(Word.class, words());
        int at = indexOf(bytes, "L\u001c\0\0"); // the logical type is a text
        bytes[at + 1] = (byte) 0x9c; // of a number that is not given to any
        Files.write(file, bytes);
        assertThat(context.all(Parquet.read(file.toString(), Word.class))).isEqualTo(words());
    }

    /** Without checksums a number may be another one; but the job goes on, or ends with a line. */
    @ParameterizedTest
    @ValueSource(strings = {"none-v1", "none-v2", "plain"})
    void shouldEndWithALine_whicheverBitIsFlipped(String form) throws Exception {
        byte[] whole = bytes("flat-" + form + ".parquet");
        Random random = new Random(9);
        for (int i = 0; i < 1_000; i++) {
            byte[] damaged = whole.clone();
            int at = random.nextInt(whole.length);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            try {
                assertThat(new FakeContext().all(Parquet.read(file.toString(), Flat.class)))
                        .as("rows, bit of byte %d", at)
                        .hasSizeLessThanOrEqualTo(Others.ROWS);
            } catch (ConnectorException e) {
                assertThat(e.getMessage()).startsWith("cannot read " + file).doesNotContain("\n");
            }
        }
    }

    /** Where checksums are, a flipped bit is found or changes nothing that was asked for. */
    @Test
    void shouldNeverGiveOtherRows_whereABitIsFlipped() throws Exception {
        byte[] whole = bytes("flat-checksum.parquet");
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = whole.clone();
            int at = random.nextInt(whole.length);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            FakeContext each = new FakeContext();
            try {
                List<Flat> rows = each.all(Parquet.read(file.toString(), Flat.class));
                assertThat(rows.size() + each.bad.size())
                        .as("rows, bit of byte %d", at)
                        .isEqualTo(Others.ROWS);
            } catch (ConnectorException e) {
                assertThat(e.getMessage()).startsWith("cannot read " + file).doesNotContain("\n");
            }
        }
    }

    @Test
    void shouldNeverEndShort_whereAFileBreaksOff() throws Exception {
        byte[] whole = bytes("flat-groups.parquet");
        Random random = new Random(8);
        for (int i = 0; i < 200; i++) {
            Files.write(file, Arrays.copyOf(whole, random.nextInt(whole.length)));
            assertThatThrownBy(() -> context.all(Parquet.read(file.toString(), Flat.class)))
                    .isInstanceOf(ConnectorException.class);
        }
    }

    private static int indexOf(byte[] bytes, String text) {
        byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length - wanted.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        throw new IllegalArgumentException(text + " does not stand there");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.columnar.FakeContext;
import io.thalweg.columnar.Others;
import io.thalweg.columnar.Others.Flat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor(30, TimeUnit.SECONDS))
                .isTrue();
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

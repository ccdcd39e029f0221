// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Source;
import io.thalweg.testkit.contract.SourceContract;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files a path means, and what is said of those that cannot be read. */
final class InputTest {
    @TempDir
    Path directory;

    private final FakeContext context = new FakeContext();

    @Test
    void shouldReadTheFilesOfADirectoryInOrder() throws Exception {
        write("b.txt", "2\n3");
        write("a.txt", "1\n");
        write("c.txt", "");
        write(".hidden", "no");
        Files.createDirectory(directory.resolve("below"));
        write("below/d.txt", "no");
        assertThat(lines(directory.toString())).containsExactly("1", "2", "3");
        assertThat(lines(directory + "/")).containsExactly("1", "2", "3");
    }

    @Test
    void shouldLeaveOutWhatOthersMarkAsNoData() throws Exception {
        write("_SUCCESS", "no");
        write("_metadata", "no");
        write("._SUCCESS.crc", "no");
        assertThatThrownBy(() -> lines(directory.toString()))
                .isInstanceOf(ConnectorException.class)
                .hasMessageMatching(
                        "cannot read .*: the directory holds no files; .*/_(SUCCESS|metadata) begins with an"
                                + " underscore, which marks what is no data, and must be named by itself");
        write("part-0.txt", "1");
        Files.createDirectories(directory.resolve("_temporary/0"));
        write("_temporary/0/part-1.txt", "no");
        Files.createDirectory(directory.resolve("_day=2"));
        write("_day=2/part-0.txt", "2");
        assertThat(lines(directory.toString())).containsExactly("1");
        assertThat(lines(directory + "/*")).containsExactly("1");
        assertThat(lines(directory + "/**/*.txt")).containsExactly("2", "1");
        assertThat(lines(directory + "/_S*")).containsExactly("no");
        assertThat(lines(directory + "/_SUCCESS")).containsExactly("no");
    }

    @Test
    void shouldReadWhatAGlobMatches() throws Exception {
        write("a1.txt", "1");
        write("a2.txt", "2");
        write("a2.csv", "no");
        Files.createDirectories(directory.resolve("x/y"));
        write("x/a3.txt", "3");
        write("x/y/a4.txt", "4");
        assertThat(lines(directory + "/a*.txt")).containsExactly("1", "2");
        assertThat(lines(directory + "/a[2-9].{txt,json}")).containsExactly("2");
        assertThat(lines(directory + "/*/a?.txt")).containsExactly("3");
        assertThat(lines(directory + "/**/a?.txt")).containsExactly("1", "2", "3", "4");
    }

    @Test
    void shouldMatchFilesRightThereByTwoAsterisks() throws Exception {
        write("x.txt", "1");
        Files.createDirectories(directory.resolve("a/b/.hidden"));
        write("a/x.txt", "2");
        write("a/b/x.txt", "3");
        write("a/b/.hidden/x.txt", "no");
        assertThat(lines(directory + "/**/x.txt")).containsExactlyInAnyOrder("1", "2", "3");
        assertThat(lines(directory + "/**/b/**/*.txt")).containsExactly("3");
        assertThat(lines(directory + "/a/**/**/x.*")).containsExactlyInAnyOrder("2", "3");
        assertThat(lines(directory + "/**/.hidden/*")).containsExactly("no");
    }

    @Test
    void shouldNotGoRoundLoopsOfLinks() throws Exception {
        Files.createDirectories(directory.resolve("data/a"));
        write("data/a/x.txt", "1");
        Files.createSymbolicLink(directory.resolve("data/a/back"), directory.resolve("data"));
        Files.createSymbolicLink(directory.resolve("data/link"), directory.resolve("data/a"));
        Files.createSymbolicLink(directory.resolve("data/nowhere"), directory.resolve("missing"));
        Files.createSymbolicLink(directory.resolve("data/self"), directory.resolve("data/self"));
        assertThat(lines(directory + "/data/**/*.txt")).containsExactly("1");
        Files.createSymbolicLink(directory.resolve("begin"), directory.resolve("data"));
        assertThat(lines(directory + "/begin/**/*.txt"))
                .as("a link before the wildcard")
                .containsExactly("1");
        assertThat(TextLines.read(directory + "/begin/**/x.*").splits(1)).containsExactly(directory + "/begin/a/x.txt");
        assertThat(lines(directory + "/data/link/*.txt")).containsExactly("1");
        assertThat(lines(directory + "/data/*/*.txt")).as("once by each name").containsExactly("1", "1");
        assertThat(lines(directory + "/data/a/back/*/x.txt")).hasSize(2);
        Files.createSymbolicLink(directory.resolve("data/a/self"), Path.of("self"));
        for (String matched : List.of("data/**", "data/a/*", "data/a", "data/**/{x,self}*")) {
            assertThat(lines(directory + "/" + matched))
                    .as("%s, which matches a link to itself", matched)
                    .containsExactly("1");
        }
    }

    @Test
    void shouldTakeAnyNameOfAFile() throws Exception {
        for (String name : List.of("a b.txt", "#1.txt", "50%.txt", "ä € 😀.txt", "new\nline.txt", "-", "~.txt")) {
            write(name, name.substring(0, 1));
        }
        assertThat(lines(directory + "/a b.txt")).containsExactly("a");
        assertThat(lines(directory + "/#*")).containsExactly("#");
        assertThat(lines(directory + "/-")).containsExactly("-");
        assertThat(lines(directory.toString())).hasSize(7);
    }

    /** They were left out without a word: for the JDK's matcher {@code **} ends at a line end. */
    @Test
    void shouldFindFilesBelowADirectory_whateverItsName() throws Exception {
        for (String name : List.of("a", "new\nline", "next\u2028one", "c\rr")) {
            Files.createDirectories(directory.resolve(name).resolve("b"));
            write(name + "/b/x.txt", name.substring(0, 1));
        }
        assertThat(lines(directory + "/**/*.txt")).containsExactlyInAnyOrder("a", "n", "n", "c");
        assertThat(lines(directory + "/new\nline/**/*.txt")).containsExactly("n");
    }

    @Test
    void shouldSayWhichNameIsNoText() throws Exception {
        Process made = new ProcessBuilder(
                        "sh", "-c", "printf x > \"$0/$(printf 'bad\\377.txt')\"", directory.toString())
                .start();
        assumeThat(made.waitFor()).isZero();
        assumeThat(directory.toFile().list()).as("the system takes any bytes").isNotEmpty();
        assertThatThrownBy(() -> lines(directory.toString()))
                .isInstanceOf(ConnectorException.class)
                .hasMessageMatching("cannot read .*bad.*: its name cannot be decoded as .*; rename it, or.*");
    }

    @Test
    void shouldSayWhichDirectoryCannotBeListed() throws Exception {
        Path secret = Files.createDirectories(directory.resolve("a/secret"));
        write("a/x.txt", "1");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
        assumeThat(Files.isReadable(secret)).as("run by the superuser").isFalse();
        assertThatThrownBy(() -> lines(directory + "/**/*.txt"))
                .hasMessage("cannot read " + secret + ": permission denied");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void shouldTakeAFileByItsLettersWhereItIsThere() throws Exception {
        write("a[1].txt", "letters");
        write("a1.txt", "glob");
        assertThat(lines(directory + "/a[1].txt")).containsExactly("letters");
    }

    @Test
    void shouldReadGzipWithAllItsMembers() throws Exception {
        byte[] members = joined(gzip("one\ntw"), gzip(""), gzip("o\nthree\n"));
        assertThat(lines(write("in.gz", members))).containsExactly("one", "two", "three");
        assertThat(lines(write("no-name-of-gzip", members))).hasSize(3);
        assertThat(lines(write("zeros.gz", joined(members, new byte[512])))).hasSize(3);
        assertThat(lines(write("empty.gz", gzip("")))).isEmpty();
        assertThat(lines(write("nothing.gz", new byte[0]))).isEmpty();
        SourceContract.checkReplay(TextLines.read(directory + "/in.gz"));
    }

    /** As one of which the writer ended before its first byte: it was read as no records, without a word. */
    @Test
    void shouldSayThatAnEmptyFileIsNoGzip() throws Exception {
        String nothing = write("nothing.gz", new byte[0]);
        for (String file : List.of(nothing, write("empty.gz", gzip("")), write("nothing.txt", new byte[0]))) {
            assertThat(lines(file)).isEmpty();
        }
        assertThat(context.warnings)
                .containsExactly(
                        nothing + " is empty, which gzip is not even where nothing was packed: it may have been"
                                + " cut off; compare it with its original, or write it again");
    }

    @Test
    void shouldTellOfDamagedGzip() throws Exception {
        byte[] packed = gzip("one\n" + "two\n".repeat(1000));
        for (int length = 3; length < packed.length; length++) {
            String file = write("in.gz", Arrays.copyOf(packed, length));
            assertThatThrownBy(() -> lines(file))
                    .as("cut at " + length)
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageMatching("cannot read \\Q" + file + "\\E after byte \\d+: the gzip data is truncated");
        }
        byte[] flipped = packed.clone();
        flipped[packed.length - 6] ^= 1;
        refused(write("in.gz", flipped), " after byte 4004: the gzip data is damaged: checksum mismatch");
        refused(
                write("in.gz", joined(packed, "more".getBytes(StandardCharsets.UTF_8))),
                " after byte 4004: the gzip data is followed by other data");
        refused(write("in.gz", "plain"), ": the name says gzip, but the content is not gzip");
    }

    /** A job that is started again opens it each time. */
    @Test
    void shouldCloseAFileThatItDoesNotRead() throws Exception {
        Path open = Path.of("/proc/self/fd");
        assumeThat(open).isDirectory();
        Path file = Path.of(write("in.gz", "plain")).toRealPath();

        assertThatThrownBy(() -> lines(file.toString())).isInstanceOf(ConnectorException.class);

        List<Path> still = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(open)) {
            for (Path each : all) {
                try {
                    still.add(Files.readSymbolicLink(each));
                } catch (NoSuchFileException e) {
                    // another thread has closed it meanwhile
                }
            }
        }
        assertThat(still).isNotEmpty().doesNotContain(file);
    }

    @Test
    void shouldTellOfAFileThatIsTruncatedWhileItIsRead() throws Exception {
        record Row(int number) {}
        String rows = "1\n".repeat(1_000_000);
        Path file = Path.of(write("in.csv", "number\n" + rows));
        for (Source<?> source : List.of(
                TextLines.read(file.toString()),
                JsonLines.read(file.toString(), Row.class),
                Csv.read(file.toString(), Row.class))) {
            write("in.csv", "number\n" + rows);
            try (Reading.Split<?> split = new Reading.Split<>(source.open(file.toString(), context))) {
                assertThat(split.reader().finished()).isFalse();
                split.reader().poll();
                split.reader().poll();
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(1_000_001);
                }
                assertThatThrownBy(split::rest)
                        .isInstanceOf(ConnectorException.class)
                        .hasMessageStartingWith(
                                "cannot read " + file
                                        + " after byte 1000001: it was truncated from 2000007 to 1000001 bytes while it was read");
            }
        }
    }

    @Test
    void shouldReadStandardInput() throws Exception {
        for (byte[] bytes : List.of("one\ntwo".getBytes(StandardCharsets.UTF_8), gzip("one\ntwo"))) {
            InputStream before = System.in;
            System.setIn(new Dripping(bytes));
            try {
                Source<String> source = TextLines.read("-");
                assertThat(source.name()).isEqualTo("standard input");
                assertThat(source.blocking()).isTrue();
                assertThat(Reading.all(source, context)).containsExactly("one", "two");
            } finally {
                System.setIn(before);
            }
        }
    }

    @Test
    void shouldBlockForPipesAndDevicesOnly() throws Exception {
        assertThat(TextLines.read(directory + "/missing").blocking()).isFalse();
        assertThat(TextLines.read(directory + "/*.txt").blocking()).isFalse();
        assertThat(TextLines.read(directory.toString()).blocking()).isFalse();
        assertThat(TextLines.read(write("a.txt", "")).blocking()).isFalse();
        assumeThat(Path.of("/dev/null")).exists();
        assertThat(TextLines.read("/dev/null").blocking()).isTrue();
        assertThat(lines("/dev/null")).isEmpty();
    }

    @Test
    void shouldTellInOneLineWhatCannotBeRead() throws Exception {
        refused(directory + "/missing", ": no such file");
        refused(directory + "/*.txt", ": no file matches");
        refused(directory + "/missing/*.txt", ": there is no directory " + directory + "/missing");
        refused(directory.toString(), ": the directory holds no files");
        refused(write("a.txt", "") + "/b.txt", ": no such file");
        Path secret = Files.writeString(directory.resolve("secret.txt"), "x");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
        assumeThat(Files.isReadable(secret)).as("run by the superuser").isFalse();
        refused(secret.toString(), ": permission denied");
    }

    private void refused(String path, String reason) {
        assertThatThrownBy(() -> lines(path))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("cannot read " + path + reason);
    }

    private List<String> lines(String path) throws Exception {
        return new ArrayList<>(Reading.all(TextLines.read(path), context));
    }

    private String write(String name, String text) throws IOException {
        return write(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private String write(String name, byte[] bytes) throws IOException {
        return Files.write(directory.resolve(name), bytes).toString();
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }

    /** Gives a byte at a time, as a pipe may. */
    private static final class Dripping extends ByteArrayInputStream {
        Dripping(byte[] bytes) {
            super(bytes);
        }

        @Override
        public synchronized int read(byte[] bytes, int from, int length) {
            return super.read(bytes, from, Math.min(1, length));
        }
    }
}

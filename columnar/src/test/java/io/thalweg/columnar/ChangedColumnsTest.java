// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.avro.Avro;
import io.thalweg.avro.BlockCodec;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.parquet.Parquet;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole jobs that are stopped in the middle of a Parquet or Avro file and go on when it has changed. */
@Timeout(300)
final class ChangedColumnsTest {
    private static final int ROWS = 1_000;

    record Row(String text) {}

    enum Form {
        PARQUET,
        AVRO;

        Source<Row> read(String path) {
            return this == PARQUET ? Parquet.read(path, Row.class) : Avro.read(path, Row.class);
        }

        /** Of several row groups, or blocks of 64 KiB. */
        Sink<Row> write(String path) {
            return this == PARQUET
                    ? Parquet.write(path, Row.class).codec(PageCodec.NONE).rowGroupBytes(1)
                    : Avro.write(path, Row.class).codec(BlockCodec.NONE);
        }
    }

    @TempDir
    Path folder;

    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

    private String path() {
        return folder.resolve("rows").toString();
    }

    private static List<String> texts(String word, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> word + " " + i + " ".repeat(300))
                .toList();
    }

    private Path write(Form form, List<String> texts, String path) throws Exception {
        SinkWriter<Row> writer = form.write(path).open(new SinkContext("job", "sink", 0, 1, System.err));
        try {
            for (String text : texts) {
                writer.write(new Row(text));
            }
            writer.finish();
        } finally {
            writer.close();
        }
        return Path.of(path);
    }

    private TopologyGraph graph(Source<Row> source) {
        Topology topology = Topology.named("changed");
        topology.from(source)
                .name("source")
                .map(Row::text)
                .to(Sinks.each(seen::add))
                .name("sink");
        return topology.graph();
    }

    private RunSettings settings(UnaryOperator<CheckpointSettings> how) {
        return RunSettings.defaults()
                .withParallelism(1)
                .withThreads(0)
                .withSteps(20, 2, 16)
                .withGuarantee(Guarantee.EXACTLY_ONCE, how.apply(CheckpointSettings.in(folder.resolve("checkpoints"))));
    }

    private void stopAfter(int records, Source<Row> source, UnaryOperator<CheckpointSettings> how) {
        Job job = new EmbeddedRunner(settings(how)).start(graph(source));
        int before = seen.size();
        while (seen.size() < before + records) {
            job.step();
        }
        job.cancel();
        while (job.step()) {
            // to the end
        }
    }

    /** Reads some of the input and stops behind a last checkpoint. */
    private void readSome(Form form) throws Exception {
        write(form, texts("row", 0, ROWS), path());
        stopAfter(ROWS / 2, form.read(path()), now -> now);
        assertThat(seen).hasSizeLessThan(ROWS - 50);
    }

    private void goOn(Source<Row> source, UnaryOperator<CheckpointSettings> how) throws InterruptedException {
        Job job = new EmbeddedRunner(settings(how.andThen(CheckpointSettings::restoringLatest)::apply))
                .start(graph(source));
        while (job.step()) {
            // to the end
        }
        job.await();
    }

    private void shouldBeRefused(Form form, String... words) {
        int before = seen.size();
        assertThatThrownBy(() -> goOn(form.read(path()), now -> now))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining(path())
                .message()
                .doesNotContain("\n")
                .contains(words);
        assertThat(seen).as("records read of an input that is another one").hasSize(before);
    }

    @ParameterizedTest
    @EnumSource
    void shouldGoOn_inTheSameFileAndInACopy(Form form) throws Exception {
        readSome(form);
        Path copy = folder.resolve("copy");
        Files.copy(Path.of(path()), copy);
        Files.move(copy, Path.of(path()), StandardCopyOption.REPLACE_EXISTING);
        for (int stop = 0; stop < 3; stop++) {
            stopAfter(30, form.read(path()), CheckpointSettings::restoringLatest);
            Files.setLastModifiedTime(Path.of(path()), FileTime.fromMillis(stop + 1)); // so that all is compared
        }
        goOn(form.read(path()), now -> now);
        assertThat(seen).containsExactlyInAnyOrderElementsOf(texts("row", 0, ROWS));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAFileThatWasReplaced_unlessTheUserAcceptsIt(Form form) throws Exception {
        readSome(form);
        int read = seen.size();
        Files.delete(Path.of(path()));
        write(form, texts("newer", 0, ROWS), path());
        shouldBeRefused(
                form,
                "topology 'changed', operator 'source'",
                form == Form.PARQUET ? "bytes, and it has" : "have changed (CRC-32C",
                "--accept-changed-input",
                "--discard-state 'source'");
        goOn(form.read(path()), CheckpointSettings::acceptingChangedInput);
        assertThat(seen).as("numbers of rows go on").hasSize(ROWS);
        assertThat(texts("newer", 0, ROWS)).containsAll(seen.subList(read, ROWS));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAFileThatIsShorter(Form form) throws Exception {
        readSome(form);
        write(form, texts("row", 0, 10), path());
        shouldBeRefused(form, form == Form.PARQUET ? "bytes, and it has" : "bytes of it had been read, and it has");
        goOn(form.read(path()), CheckpointSettings::acceptingChangedInput);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAFileThatWasTruncated(Form form) throws Exception {
        readSome(form);
        byte[] bytes = Files.readAllBytes(Path.of(path()));
        Files.write(Path.of(path()), Arrays.copyOf(bytes, bytes.length / 4));
        shouldBeRefused(form, form == Form.PARQUET ? "it is truncated" : "bytes of it had been read, and it has");
        assertThatThrownBy(() -> goOn(form.read(path()), CheckpointSettings::acceptingChangedInput))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("cannot read " + path())
                .hasMessageContaining("it is truncated");
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAnotherPath(Form form) throws Exception {
        readSome(form);
        Path other = folder.resolve("other");
        Files.copy(Path.of(path()), other);
        assertThatThrownBy(() -> goOn(form.read(other.toString()), now -> now))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("it reads " + other)
                .hasMessageContaining(path() + ", which is not part of that");
    }

    @Test
    void shouldRefuseOneByteThatChangedInAnAvroFile() throws Exception {
        readSome(Form.AVRO);
        byte[] bytes = Files.readAllBytes(Path.of(path()));
        bytes[1_000] ^= 1;
        Files.write(Path.of(path()), bytes);
        shouldBeRefused(Form.AVRO, "have changed (CRC-32C");
    }

    @Test
    void shouldGoOn_ifAvroBlocksWereAppended() throws Exception {
        readSome(Form.AVRO);
        Path more =
                write(Form.AVRO, texts("more", 0, 300), folder.resolve("more").toString());
        int header = headerBytes();
        byte[] blocks = Files.readAllBytes(more);
        Files.write(Path.of(path()), Arrays.copyOfRange(blocks, header, blocks.length), StandardOpenOption.APPEND);
        goOn(Form.AVRO.read(path()), now -> now);
        List<String> expected = new ArrayList<>(texts("row", 0, ROWS));
        expected.addAll(texts("more", 0, 300));
        assertThat(seen).isEqualTo(expected);
    }

    /** A file without records is its header. */
    private int headerBytes() throws Exception {
        return (int)
                Files.size(write(Form.AVRO, List.of(), folder.resolve("empty").toString()));
    }

    @Test
    void shouldRefuseAParquetFileOfTheSameSizeWithAnotherFooter() throws Exception {
        readSome(Form.PARQUET);
        changeOneByte("thalweg version");
        shouldBeRefused(Form.PARQUET, "operator 'source'", "its footer has changed (CRC-32C");
    }

    /** What the guide says is not noticed: neither does the footer tell of this byte, nor is its page read again. */
    @Test
    void shouldGoOn_ifOnlyAPageThatWasReadChangedInAParquetFile() throws Exception {
        write(Form.PARQUET, texts("row", 0, ROWS), path());
        stopAfter(ROWS - 100, Form.PARQUET.read(path()), now -> now); // the first row group was read to its end
        changeOneByte("row 3");
        goOn(Form.PARQUET.read(path()), now -> now);
        assertThat(seen).containsExactlyInAnyOrderElementsOf(texts("row", 0, ROWS));
    }

    private void changeOneByte(String of) throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(path()));
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(of);
        bytes[at + 1] ^= 1;
        Files.write(Path.of(path()), bytes);
    }

    @Test
    void shouldCompareUnpackedBytesOfAPackedAvroFile() throws Exception {
        Path plain =
                write(Form.AVRO, texts("row", 0, ROWS), folder.resolve("plain").toString());
        pack(plain);
        stopAfter(ROWS / 2, Form.AVRO.read(path()), now -> now);
        pack(write(Form.AVRO, texts("new", 0, ROWS), plain.toString()));
        shouldBeRefused(Form.AVRO, "bytes, decompressed, have changed");
        pack(write(Form.AVRO, texts("row", 0, ROWS), plain.toString()));
        goOn(Form.AVRO.read(path()), now -> now);
        assertThat(seen).isEqualTo(texts("row", 0, ROWS));
    }

    private void pack(Path file) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(path())))) {
            Files.copy(file, out);
        }
    }
}

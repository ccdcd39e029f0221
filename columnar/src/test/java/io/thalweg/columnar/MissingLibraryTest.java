// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.avro.Avro;
import io.thalweg.avro.BlockCodec;
import io.thalweg.columnar.Others.Flat;
import io.thalweg.parquet.Parquet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Libraries are extracted where temporary files are, which may be impossible there. */
@Timeout(900)
final class MissingLibraryTest {
    @TempDir
    private Path folder;

    /** In a JVM of its own, since a library stays loaded. */
    public static void main(String[] arguments) throws Exception {
        for (String format : List.of("parquet", "avro", "zstd", "read", "read zstd")) {
            try {
                use(format, arguments[0]);
                System.out.println(format + ": done");
            } catch (ConnectorException e) {
                System.out.println(format + ": " + e.getMessage());
            }
        }
    }

    private static void use(String format, String path) throws Exception {
        if (format.startsWith("read")) {
            String file = Others.file(format.equals("read") ? "flat-snappy.avro" : "flat-zstandard.avro");
            new FakeContext().all(Avro.read(file, Flat.class));
            return;
        }
        SinkWriter<Flat> writer = (format.equals("parquet")
                        ? Parquet.write(path, Flat.class)
                        : Avro.write(path, Flat.class)
                                .codec(format.equals("avro") ? BlockCodec.SNAPPY : BlockCodec.ZSTD))
                .open(new SinkContext("job", "sink", 0, 1, System.err));
        try {
            writer.write(Others.flat().get(0));
            writer.finish();
        } finally {
            writer.close();
        }
    }

    @Test
    void shouldSayWhichLibraryCannotBeLoaded() throws Exception {
        Path nowhere = Files.createFile(folder.resolve("file")).resolve("below");
        Path output = folder.resolve("output");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + nowhere,
                        "-cp",
                        System.getProperty("java.class.path"),
                        MissingLibraryTest.class.getName(),
                        folder.resolve("out").toString())
                .redirectOutput(output.toFile())
                .start();
        child.getErrorStream().readAllBytes();
        child.waitFor();

        String end = " cannot be loaded; it is extracted into " + nowhere + ", which must not be mounted noexec";
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(lines.stream().filter(line -> line.contains(": ")).toList())
                .hasSize(5)
                .allMatch(line -> line.endsWith(end));
        assertThat(lines).contains("parquet: the library for snappy" + end, "zstd: the library for zstd" + end);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TelecomFileTest {
    private static final TelecomSettings SETTINGS = TelecomSettings.of(SmallSizes.FOUR_CYCLES)
            .withRecords(1_000)
            .withDisorder(4)
            .withLate(8)
            .withBad(10);

    @TempDir
    private Path folder;

    private static byte[] joined(String header, List<byte[]> lines) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(LineBuffer.ascii(header));
        for (byte[] line : lines) {
            out.write(line);
            out.write('\n');
        }
        return out.toByteArray();
    }

    private static void write(TelecomFile file, List<byte[]> lines) throws Exception {
        SinkWriter<byte[]> writer = file.open(new SinkContext("test", "file", 0, 1, System.out));
        for (byte[] line : lines) {
            writer.write(line);
        }
        writer.finish();
        writer.close();
    }

    @Test
    void shouldHoldTheLinesOfTheSource() throws Exception {
        Path json = folder.resolve("probes.jsonl");
        List<byte[]> lines = Drained.of(TelecomSource.jsonLines(SETTINGS)).values();
        write(TelecomFile.json(json), lines);
        assertThat(Files.readAllBytes(json)).isEqualTo(joined("", lines));
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(json);
        }
    }

    @Test
    void shouldBeginCsvWithAHeader_andCompressWhatEndsInGz() throws Exception {
        Path csv = folder.resolve("probes.csv.gz");
        List<byte[]> lines = Drained.of(TelecomSource.csvLines(SETTINGS)).values();
        write(TelecomFile.csv(csv), lines);
        try (InputStream in = new GZIPInputStream(Files.newInputStream(csv))) {
            assertThat(in.readAllBytes()).isEqualTo(joined(String.join(",", TelecomSource.csvColumns()) + "\n", lines));
        }
    }

    @Test
    void shouldLeaveNothing_whenNotFinished() throws Exception {
        Path path = folder.resolve("probes.jsonl");
        SinkWriter<byte[]> writer = TelecomFile.json(path).open(new SinkContext("test", "file", 0, 1, System.out));
        writer.write(new byte[] {'x'});
        writer.close();
        assertThat(folder).isEmptyDirectory();
        assertThatThrownBy(() ->
                        TelecomFile.json(folder.resolve("no/such")).open(new SinkContext("t", "f", 0, 1, System.out)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("cannot write " + folder.resolve("no/such"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    @Test
    void shouldHoldTheLinesOfTheSource() throws Exception {
        Path json = folder.resolve("new/probes.jsonl");
        TelecomFile.writeJson(json, SETTINGS.withRatePerSecond(3));
        assertThat(Files.readAllBytes(json))
                .isEqualTo(
                        joined("", Drained.of(TelecomSource.jsonLines(SETTINGS)).values()));
        try (var files = Files.list(json.getParent())) {
            assertThat(files).containsExactly(json);
        }
    }

    @Test
    void shouldBeginCsvWithAHeader_andCompressWhatEndsInGz() throws Exception {
        Path csv = folder.resolve("probes.csv.gz");
        TelecomFile.writeCsv(csv, SETTINGS);
        try (InputStream in = new GZIPInputStream(Files.newInputStream(csv))) {
            assertThat(in.readAllBytes())
                    .isEqualTo(joined(
                            String.join(",", TelecomSource.csvColumns()) + "\n",
                            Drained.of(TelecomSource.csvLines(SETTINGS)).values()));
        }
    }

    @Test
    void shouldNeedAnEnd_andAPlace() throws Exception {
        assertThatThrownBy(() ->
                        TelecomFile.writeJson(folder.resolve("endless"), SETTINGS.withRecords(TelecomSettings.ENDLESS)))
                .hasMessage("a file needs an end: say how many records");
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> TelecomFile.writeJson(file.resolve("x"), SETTINGS))
                .hasMessageStartingWith("cannot write " + file.resolve("x"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.files.JsonLines;
import io.thalweg.files.record.MalformedException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JsonFormatTest {
    private static final long SEED = Long.getLong("thalweg.seed", 20_260_728L);

    @TempDir
    Path directory;

    @Test
    void shouldWriteWhatJacksonReadsAsTheSameRecord() throws Exception {
        RandomJson texts = new RandomJson(new Random(SEED));
        JsonReader<Everything> reader = JsonReader.of(Everything.class, 64);
        Path file = directory.resolve("out.jsonl");
        List<Object> expected = new ArrayList<>();
        SinkWriter<Everything> writer = JsonLines.write(file.toString(), Everything.class)
                .open(new SinkContext("test", "out", 0, 1, new PrintStream(new ByteArrayOutputStream())));
        for (int i = 0; i < 1_000; i++) {
            byte[] text = texts.everything();
            try {
                Everything record = reader.read(text, 0, text.length);
                writer.write(record);
                expected.add(Oracle.comparable(record));
            } catch (MalformedException e) {
                // Of no use here.
            }
        }
        writer.finish();
        writer.close();

        assertThat(expected).hasSizeGreaterThan(150);
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSameSizeAs(expected);
        for (int i = 0; i < lines.size(); i++) {
            Oracle.Answer answer = Oracle.read(Everything.class, lines.get(i).getBytes(StandardCharsets.UTF_8));
            if (answer.deliberatelyDifferent()) {
                continue;
            }
            assertThat(answer.value())
                    .as("seed " + SEED + ": " + lines.get(i) + "\n" + answer.refusal())
                    .isEqualTo(expected.get(i));
        }
    }
}

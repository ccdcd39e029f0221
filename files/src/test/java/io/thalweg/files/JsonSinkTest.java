// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.files.record.Name;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JsonSinkTest {
    enum Kind {
        LARGE
    }

    record Empty() {}

    @SuppressWarnings("ArrayRecordComponent") // written, never compared
    record Row(
            @Name("the \"text\"") @Nullable String text,
            @Nullable Integer n,
            double mean,
            @Nullable BigDecimal cost,
            boolean late,
            @Nullable Kind kind,
            @Nullable LocalDate day,
            @Nullable Row inner,
            @Nullable Empty empty,
            @Nullable List<String> names,
            @Nullable Map<String, Integer> counts,
            int @Nullable [] ints,
            byte tiny) {}

    record Mean(String of, double mean) {}

    @TempDir
    Path directory;

    @Test
    void shouldWriteOneObjectALine() throws Exception {
        Row inner = new Row(
                "Größe 🙂 \"\\/\n\t\u0001", null, -0.0, null, false, null, null, null, null, null, null, null, (byte)
                        -1);
        Row row = new Row(
                "",
                7,
                1e10,
                new BigDecimal("1E+3"),
                true,
                Kind.LARGE,
                LocalDate.EPOCH,
                inner,
                new Empty(),
                Arrays.asList("a", null),
                Map.of("b", 1),
                new int[] {1, 2},
                (byte) 3);
        Path file = directory.resolve("out.jsonl");
        Writing.all(JsonLines.write(file.toString(), Row.class), List.of(row, inner));

        String second = """
                {"the \\"text\\"":"Größe 🙂 \\"\\\\/\\n\\t\\u0001","n":null,"mean":-0.0,"cost":null,"late":false,\
                "kind":null,"day":null,"inner":null,"empty":null,"names":null,"counts":null,"ints":null,"tiny":-1}""";
        assertThat(file).hasContent("""
                {"the \\"text\\"":"","n":7,"mean":1.0E10,"cost":1E+3,"late":true,"kind":"LARGE","day":"1970-01-01",\
                "inner":""" + second + """
                ,"empty":{},"names":["a",null],"counts":{"b":1},"ints":[1,2],"tiny":3}
                """ + second + "\n");
    }

    @Test
    void shouldRefuseWhatJsonCannotSay() throws Exception {
        Path file = directory.resolve("out.jsonl");
        SinkWriter<Mean> writer =
                JsonLines.write(file.toString(), Mean.class).open(Writing.context(0, 1, new ByteArrayOutputStream()));
        writer.write(new Mean("a", 1));
        assertThatThrownBy(() -> writer.write(new Mean("b", Double.NaN)))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("JSON has no NaN");
        writer.write(new Mean("half \ud83d a pair", 2));
        writer.finish();
        writer.close();
        assertThat(file).hasContent("{\"of\":\"a\",\"mean\":1.0}\n{\"of\":\"half \\ud83d a pair\",\"mean\":2.0}\n");
    }

    @Test
    void shouldNotWriteAKeyThatIsNullAsAText() throws Exception {
        record Counts(Map<String, Integer> of) {}
        SinkWriter<Counts> writer = JsonLines.write(
                        directory.resolve("out.jsonl").toString(), Counts.class)
                .open(Writing.context(0, 1, new ByteArrayOutputStream()));
        assertThatThrownBy(() -> writer.write(new Counts(Collections.singletonMap(null, 1))))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("JSON has no field without a name, and a key of the map is null");
        writer.close();
    }

    @Test
    void shouldTellOfARecordThatCannotBeWrittenWhenTheSinkIsMade() {
        record Odd(Object thing) {}
        assertThatThrownBy(() -> JsonLines.write("x", Odd.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("record Odd, component 'thing': java.lang.Object cannot be read from JSON");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.thalweg.api.operator.BadRecordException;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TelecomLinesTest {
    private static final JsonFactory JSON = new JsonFactory();

    @ParameterizedTest
    @MethodSource("io.thalweg.workloads.telecom.SmallSizes#all")
    void shouldReadBackFromJson(TelecomSize size) throws Exception {
        TelecomGenerator generator = new TelecomGenerator(size);
        LineEncoder encoder = new LineEncoder(LineFormat.JSON);
        for (long i = 0; i < 2L * size.windowRecords(); i++) {
            String line = new String(generator.line(i, encoder), StandardCharsets.US_ASCII);
            assertThat(fromJson(line, Probe.class)).isEqualTo(generator.probe(i));
        }
    }

    @ParameterizedTest
    @MethodSource("io.thalweg.workloads.telecom.SmallSizes#all")
    void shouldReadBackFromCsv(TelecomSize size) throws Exception {
        TelecomGenerator generator = new TelecomGenerator(size);
        LineEncoder encoder = new LineEncoder(LineFormat.CSV);
        CsvProbe reader = new CsvProbe();
        assertThat(TelecomSource.csvColumns()).isEqualTo(leaves(Probe.class)).hasSize(83);
        for (long i = 0; i < 2L * size.windowRecords(); i++) {
            String line = new String(generator.line(i, encoder), StandardCharsets.US_ASCII);
            List<String> fields = new ArrayList<>(Arrays.asList(line.split(",", -1)));
            assertThat(fields).hasSize(83);
            assertThat(fromCsv(fields, Probe.class)).isEqualTo(generator.probe(i));
            assertThat(fields).isEmpty();
            assertThat(reader.apply(generator.line(i, encoder))).isEqualTo(generator.probe(i));
        }
    }

    @Test
    void shouldBeAsLongAsRealRecords() {
        TelecomGenerator generator = new TelecomGenerator(TelecomSize.TYPICAL);
        for (LineFormat format : LineFormat.values()) {
            LineEncoder encoder = new LineEncoder(format);
            double mean = LongStream.range(0, 10_000)
                    .mapToInt(i -> generator.line(i, encoder).length)
                    .average()
                    .orElseThrow();
            assertThat(mean)
                    .as("%s", format)
                    .isBetween(
                            format == LineFormat.JSON ? 1_350.0 : 390.0, format == LineFormat.JSON ? 1_450.0 : 430.0);
        }
    }

    @Test
    void shouldWriteNumbersAsJavaDoes() {
        LineBuffer buffer = new LineBuffer(4);
        StringBuilder expected = new StringBuilder();
        for (long power = 1; power > 0 && power <= Long.MAX_VALUE / 10; power *= 10) {
            for (long value : new long[] {power - 1, power, power + 1, -power, 7 * power}) {
                buffer.number(value);
                expected.append(value);
            }
        }
        buffer.number(Long.MAX_VALUE);
        expected.append(Long.MAX_VALUE);
        assertThat(new String(buffer.toBytes(), StandardCharsets.US_ASCII)).isEqualTo(expected.toString());
    }

    @Test
    void shouldHaveNoRecordAmongMalformedLines() {
        for (int n = 0; n < MalformedLines.count(LineFormat.JSON); n++) {
            String line = new String(MalformedLines.line(LineFormat.JSON, n), StandardCharsets.ISO_8859_1);
            byte[] bytes = MalformedLines.line(LineFormat.JSON, n);
            assertThatThrownBy(() -> fromJson(JSON.createParser(bytes), Probe.class))
                    .as(line)
                    .isInstanceOf(Exception.class);
        }
        for (int n = 0; n < MalformedLines.count(LineFormat.CSV); n++) {
            String line = new String(MalformedLines.line(LineFormat.CSV, n), StandardCharsets.ISO_8859_1);
            byte[] bytes = MalformedLines.line(LineFormat.CSV, n);
            assertThatThrownBy(() -> new CsvProbe().apply(bytes)).as(line).isInstanceOf(BadRecordException.class);
            assertThat(line).doesNotContain("\"", "\n");
        }
    }

    @Test
    void shouldRefuseAnyFieldOfCsvThatIsNotOfItsType() {
        LineEncoder encoder = new LineEncoder(LineFormat.CSV);
        byte[] line = new TelecomGenerator(TelecomSize.SMALL).line(7 * 4_096, encoder);
        String text = new String(line, StandardCharsets.US_ASCII);
        Probe probe = new CsvProbe().apply(line);
        String[] fields = text.split(",", -1);
        for (int i = 0; i < fields.length; i++) {
            for (String wrong : List.of("\"", "\u00e9", "", "x", "1.5.2", "99999999999", "1e999")) {
                String[] changed = fields.clone();
                changed[i] = wrong;
                if (wrong.equals(fields[i])) {
                    continue; // empty, and may be
                }
                byte[] bytes = String.join(",", changed).getBytes(StandardCharsets.ISO_8859_1);
                try {
                    assertThat(new CsvProbe().apply(bytes)).isNotEqualTo(probe);
                } catch (BadRecordException e) {
                    assertThat(e).hasMessageStartingWith("field " + (i + 1) + " ");
                }
            }
        }
        assertThatThrownBy(() -> new CsvProbe().apply((text + ",").getBytes(StandardCharsets.US_ASCII)))
                .hasMessage("field 84 is one too many");
        assertThatThrownBy(() -> new CsvProbe().apply(new byte[0])).isInstanceOf(BadRecordException.class);
    }

    private static Object fromJson(String line, Class<?> record) throws Exception {
        try (JsonParser parser = JSON.createParser(line)) {
            Object value = fromJson(parser, record);
            assertThat(parser.nextToken()).isNull();
            return value;
        }
    }

    /** Strict: every component once and nothing else, each of its type. */
    private static Object fromJson(JsonParser parser, Class<?> record) throws Exception {
        expect(parser.currentToken() == null ? parser.nextToken() : parser.currentToken(), JsonToken.START_OBJECT);
        Map<String, @Nullable Object> values = new HashMap<>();
        Map<String, RecordComponent> components = new HashMap<>();
        for (RecordComponent component : record.getRecordComponents()) {
            components.put(component.getName(), component);
        }
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            RecordComponent component = components.remove(parser.currentName());
            if (component == null) {
                throw new IOException("a field too many: " + parser.currentName());
            }
            parser.nextToken();
            values.put(component.getName(), valueOf(parser, component.getType()));
        }
        if (!components.isEmpty()) {
            throw new IOException("fields are missing: " + components.keySet());
        }
        return make(record, values);
    }

    private static @Nullable Object valueOf(JsonParser parser, Class<?> type) throws Exception {
        if (type.isRecord()) {
            return fromJson(parser, type);
        }
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_NULL && !type.isPrimitive()) {
            return null;
        }
        if (type == String.class) {
            expect(token, JsonToken.VALUE_STRING);
            return parser.getText();
        }
        if (type == boolean.class) {
            return parser.getBooleanValue();
        }
        expect(
                token,
                type == int.class || type == Integer.class || type == long.class || type == Long.class
                        ? JsonToken.VALUE_NUMBER_INT
                        : JsonToken.VALUE_NUMBER_FLOAT);
        return fromText(parser.getText(), type);
    }

    private static void expect(@Nullable JsonToken token, JsonToken expected) throws IOException {
        if (token != expected) {
            throw new IOException(expected + " expected, not " + token);
        }
    }

    private static Object fromCsv(List<String> fields, Class<?> record) throws Exception {
        Map<String, @Nullable Object> values = new HashMap<>();
        for (RecordComponent component : record.getRecordComponents()) {
            Class<?> type = component.getType();
            if (type.isRecord()) {
                values.put(component.getName(), fromCsv(fields, type));
            } else {
                String text = fields.remove(0);
                values.put(component.getName(), text.isEmpty() ? null : fromText(text, type));
            }
        }
        return make(record, values);
    }

    private static Object fromText(String text, Class<?> type) {
        if (type == int.class || type == Integer.class) {
            return Integer.valueOf(text);
        }
        if (type == long.class || type == Long.class) {
            return Long.valueOf(text);
        }
        if (type == double.class || type == Double.class) {
            return Double.valueOf(text);
        }
        if (type == boolean.class) {
            return Boolean.valueOf(text);
        }
        return type == BigDecimal.class ? new BigDecimal(text) : text;
    }

    private static Object make(Class<?> record, Map<String, @Nullable Object> values) throws Exception {
        RecordComponent[] components = record.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] arguments = Arrays.stream(components)
                .map(component -> values.get(component.getName()))
                .toArray();
        return record.getDeclaredConstructor(types).newInstance(arguments);
    }

    private static List<String> leaves(Class<?> record) {
        List<String> names = new ArrayList<>();
        for (RecordComponent component : record.getRecordComponents()) {
            if (component.getType().isRecord()) {
                names.addAll(leaves(component.getType()));
            } else {
                names.add(component.getName());
            }
        }
        return names;
    }
}

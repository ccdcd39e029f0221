// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TelecomLinePoolTest {
    private static final TelecomLines LINES = new TelecomLines(TelecomSize.SMALL);

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4_095, 4_096, 123_456_789})
    void shouldDifferFromTheGeneratorsLineInTimeAndBytesUpAlone(long n) throws Exception {
        LineEncoder encoder = new LineEncoder(LineFormat.JSON);
        Map<String, String> expected =
                fields(new TelecomGenerator(TelecomSize.SMALL).line(n % TelecomSize.SMALL.slots(), encoder));
        expected.put("time", "" + (TelecomSize.FIRST_WINDOW_MS + n * 300_000 / TelecomSize.SMALL.windowRecords()));
        expected.put("bytesUp", "" + (TelecomLines.BYTES_UP + n));
        assertThat(fields(LINES.line(n))).isEqualTo(expected);
        assertThat(TelecomLines.timeMs(LINES.line(n))).isEqualTo(Long.parseLong(expected.get("time")));
    }

    private static Map<String, String> fields(byte[] line) throws Exception {
        Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(line)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isScalarValue()) {
                    fields.put(parser.currentName(), parser.getText());
                }
            }
        }
        return fields;
    }
}

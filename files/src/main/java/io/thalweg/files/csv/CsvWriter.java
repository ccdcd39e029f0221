// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.api.connector.SinkWriter;
import io.thalweg.files.output.TextOutput;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes rows of CSV. */
public final class CsvWriter<T> implements SinkWriter<T> {
    private final TextOutput output;
    private final List<CsvColumn<T>> columns;
    private final char delimiter;

    public CsvWriter(TextOutput output, List<CsvColumn<T>> columns, char delimiter) {
        this.output = output;
        this.columns = columns;
        this.delimiter = delimiter;
        for (int i = 0; i < columns.size(); i++) {
            separate(i);
            text(columns.get(i).name());
        }
        output.endRow();
    }

    @Override
    public void write(T row) throws Exception {
        try {
            for (int i = 0; i < columns.size(); i++) {
                separate(i);
                value(columns.get(i).value(row));
            }
        } catch (Exception e) {
            output.dropRow();
            throw e;
        }
        output.endRow();
    }

    private void separate(int column) {
        if (column > 0) {
            output.ascii(delimiter);
        }
    }

    private void value(@Nullable Object value) {
        if (value == null) {
            return;
        }
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            output.number(((Number) value).longValue());
        } else if (value instanceof BigDecimal decimal) {
            text(decimal.toPlainString());
        } else if (value instanceof Enum<?> constant) {
            text(constant.name());
        } else {
            text(value.toString());
        }
    }

    private void text(String text) {
        if (!needsQuotes(text)) {
            output.text(text);
            return;
        }
        output.ascii('"');
        output.text(text.replace("\"", "\"\""));
        output.ascii('"');
    }

    private boolean needsQuotes(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == delimiter || c == '"' || c == '\n' || c == '\r') {
                return true;
            }
        }
        return text.isEmpty();
    }

    @Override
    public void finish() {
        output.finish();
    }

    @Override
    public void close() {
        output.close();
    }
}

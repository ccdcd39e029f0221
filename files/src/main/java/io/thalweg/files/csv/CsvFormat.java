// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.files.output.RowFormat;
import io.thalweg.files.output.TextOutput;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes rows of CSV. */
public final class CsvFormat<T> implements RowFormat<T> {
    private final List<CsvColumn<T>> columns;
    private final char delimiter;

    public CsvFormat(List<CsvColumn<T>> columns, char delimiter) {
        this.columns = columns;
        this.delimiter = delimiter;
    }

    @Override
    public void header(TextOutput output) {
        for (int i = 0; i < columns.size(); i++) {
            separate(i, output);
            text(columns.get(i).name(), output);
        }
        output.endRow();
    }

    @Override
    public void row(T row, TextOutput output) throws Exception {
        for (int i = 0; i < columns.size(); i++) {
            separate(i, output);
            value(columns.get(i).value(row), output);
        }
    }

    private void separate(int column, TextOutput output) {
        if (column > 0) {
            output.ascii(delimiter);
        }
    }

    private void value(@Nullable Object value, TextOutput output) {
        if (value == null) {
            return;
        }
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            output.number(((Number) value).longValue());
        } else if (value instanceof BigDecimal decimal) {
            text(decimal.toPlainString(), output);
        } else if (value instanceof Enum<?> constant) {
            text(constant.name(), output);
        } else {
            text(value.toString(), output);
        }
    }

    private void text(String text, TextOutput output) {
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
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.files.output.RowFormat;
import io.thalweg.files.output.TextOutput;
import io.thalweg.files.record.Decimal;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes rows of CSV. */
public final class CsvFormat<T> implements RowFormat<T> {
    /** The characters that they are written with. */
    private static final String NUMBERS_AND_TIMES = "0123456789.-+:TZEINafinty";

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final List<CsvColumn<T>> columns;
    private final char delimiter;
    private final List<@Nullable Object> values = new ArrayList<>();

    /** Characters for the sake of which a field is put in quotes. */
    private final boolean[] marked = new boolean[0x80];

    /** Numbers and times never need quotes. */
    private final boolean quick;

    /** Null if values are collected and looked at one by one. */
    private final @Nullable RowPrinter printer;

    /** An empty row would be lost. */
    private final boolean refusesEmpty;

    /**
     * @param columns from left to right
     * @param delimiter between fields, as {@link Delimiter#check} allows it
     * @param lines whether rows are lines of a file, where readers skip an empty one, and not messages
     */
    public CsvFormat(List<CsvColumn<T>> columns, char delimiter, boolean lines) {
        this.columns = columns;
        refusesEmpty =
                lines && columns.stream().mapToInt(each -> each.names().size()).sum() == 1;
        this.delimiter = delimiter;
        for (char c : new char[] {delimiter, '"', '\n', '\r'}) {
            marked[c] = true;
        }
        quick = NUMBERS_AND_TIMES.indexOf(delimiter) < 0;
        printer = quick && columns.size() == 1 && columns.get(0) instanceof CsvColumn.Components<?> record
                ? RowPrinterGenerator.printer(record.record(), delimiter)
                : null;
    }

    @Override
    public void header(TextOutput output) {
        int number = 0;
        for (CsvColumn<T> column : columns) {
            for (String name : column.names()) {
                separate(number++, output);
                text(name, output);
            }
        }
        output.endRow();
    }

    @Override
    public void row(T row, TextOutput output) throws Exception {
        if (printer != null) {
            printer.print(row, this, output);
        } else {
            print(row, output);
        }
        if (refusesEmpty && output.isRowEmpty()) {
            throw new BadRecordException(
                    "its only column is null, and readers of CSV skip an empty line; add a column, or write JSON lines",
                    String.valueOf(row));
        }
    }

    private void print(T row, TextOutput output) throws Exception {
        values.clear();
        for (CsvColumn<T> column : columns) {
            column.values(row, values);
        }
        for (int i = 0; i < values.size(); i++) {
            separate(i, output);
            value(values.get(i), i, output);
        }
    }

    private void separate(int column, TextOutput output) {
        if (column > 0) {
            output.ascii(delimiter);
        }
    }

    /** A value as it is written, of a column by its number. */
    void value(@Nullable Object value, int column, TextOutput output) {
        if (value == null) {
            return;
        }
        boolean whole =
                value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte;
        if (quick && whole) {
            output.number(((Number) value).longValue());
        } else if (quick && value instanceof Double real) {
            output.number(real.doubleValue());
        } else if (quick && value instanceof Instant instant) {
            output.instant(instant);
        } else if (value instanceof BigDecimal decimal) {
            text(written(decimal), output);
        } else if (value instanceof Enum<?> constant) {
            text(constant.name(), output);
        } else if (value instanceof Optional<?> maybe) {
            value(maybe.orElse(null), column, output);
        } else if (isMadeOfOthers(value)) {
            List<String> names =
                    columns.stream().flatMap(each -> each.names().stream()).toList();
            throw new ConnectorException("column '" + names.get(column) + "': a field of CSV cannot hold a "
                    + value.getClass().getSimpleName() + "; add a column for each of its parts, or write JSON lines");
        } else {
            text(value.toString(), output);
        }
    }

    /** Without an exponent, unless readers would not take so many digits. */
    private static String written(BigDecimal decimal) {
        long most = decimal.precision() + Math.abs((long) decimal.scale()) + 2; // the sign and the point
        return most <= Decimal.MAX_BIG_LENGTH ? decimal.toPlainString() : decimal.toString();
    }

    /** Its text could not be read back. */
    private static boolean isMadeOfOthers(Object value) {
        return value instanceof Record
                || value instanceof Collection<?>
                || value instanceof Map<?, ?>
                || value.getClass().isArray();
    }

    void text(@Nullable String text, TextOutput output) {
        if (text == null || (!text.isEmpty() && output.plain(text, marked))) {
            return;
        }
        if (!needsQuotes(text)) {
            output.text(text);
            return;
        }
        output.ascii('"');
        output.text(text.replace("\"", "\"\""));
        output.ascii('"');
    }

    private boolean needsQuotes(String text) {
        if (text.startsWith(BYTE_ORDER_MARK)) { // readers would take it from the beginning of a file
            return true;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == delimiter || c == '"' || c == '\n' || c == '\r') {
                return true;
            }
        }
        return text.isEmpty();
    }
}

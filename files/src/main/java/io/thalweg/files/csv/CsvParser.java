// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.files.input.LineInput;
import io.thalweg.files.input.LineParser;
import io.thalweg.files.record.MalformedException;
import io.thalweg.files.record.RecordShape;
import io.thalweg.files.record.Utf8;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of rows. A row whose quotes are amiss is bad as far as its first line, and reading goes on with the next
 * line: so a quote that nobody closes costs one line, not all that follow.
 */
public final class CsvParser<R> implements LineParser<R> {
    /** Of a text that is shown in a message. */
    private static final int SHOWN_CHARACTERS = 40;

    private static final int SHOWN_COLUMNS = 50;

    private final RecordShape<R> shape;
    private final CsvValue[] values;
    private final CsvRow row;
    private final boolean header;

    /** Which field a component is read from, and how many there must be. */
    private int[] fields = {};

    private int width;

    private CsvParser(RecordShape<R> shape, char delimiter, boolean header) {
        this.shape = shape;
        this.values = values(shape);
        this.row = new CsvRow(delimiter);
        this.header = header;
    }

    /** @throws IllegalArgumentException where the record has a component that cannot be read */
    public static void check(RecordShape<?> shape) {
        values(shape);
    }

    private static CsvValue[] values(RecordShape<?> shape) {
        CsvValue[] values = new CsvValue[shape.size()];
        for (int i = 0; i < values.length; i++) {
            CsvValue value = CsvValue.of(shape.raw(i));
            if (value == null) {
                throw shape.unreadable(
                        i,
                        shape.raw(i).getTypeName() + " cannot be read from CSV; use a primitive or its wrapper, String,"
                                + " BigDecimal, BigInteger, an enum, Instant or a local class of java.time");
            }
            values[i] = value;
        }
        return values;
    }

    /**
     * Reads the header, if there is to be one.
     *
     * @throws ConnectorException where a component has no column
     */
    public static <R> CsvParser<R> open(LineInput lines, RecordShape<R> shape, char delimiter, boolean header) {
        CsvParser<R> parser = new CsvParser<>(shape, delimiter, header);
        if (header) {
            parser.readHeader(lines);
        } else {
            parser.fields = new int[shape.size()];
            for (int i = 0; i < shape.size(); i++) {
                parser.fields[i] = i;
            }
            parser.width = shape.size();
        }
        return parser;
    }

    private void readHeader(LineInput lines) {
        LineInput.Found found = lines.next();
        while (found == LineInput.Found.NOTHING || (found == LineInput.Found.LINE && lines.from() == lines.to())) {
            found = lines.next();
        }
        if (found == LineInput.Found.END) {
            return;
        }
        if (found == LineInput.Found.TOO_LONG) {
            throw unusable(lines, "its first line is longer than " + lines.maxLineBytes() + " bytes");
        }
        try {
            split(lines);
        } catch (MalformedException e) {
            throw unusable(lines, "the header is malformed: " + e.getMessage());
        }
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            columns.add(String.valueOf(field(lines, i, CsvValue::text)));
        }
        width = columns.size();
        fields = shape.names().stream().mapToInt(columns::indexOf).toArray();
        check(lines, columns);
    }

    private void check(LineInput lines, List<String> columns) {
        List<String> names = shape.names();
        List<String> missing =
                names.stream().filter(name -> !columns.contains(name)).toList();
        if (!missing.isEmpty()) {
            throw unusable(
                    lines,
                    "there is no column " + quoted(missing) + ", which record "
                            + shape.type().getSimpleName() + " needs; the columns are " + quoted(columns));
        }
        for (String name : names) {
            if (columns.indexOf(name) != columns.lastIndexOf(name)) {
                throw unusable(lines, "two columns are named '" + name + "'");
            }
        }
    }

    private static String quoted(List<String> names) {
        List<String> shown = names.stream()
                .limit(SHOWN_COLUMNS)
                .map(name -> "'" + shortened(name) + "'")
                .toList();
        return String.join(", ", shown) + (names.size() > SHOWN_COLUMNS ? ", …" : "");
    }

    private static ConnectorException unusable(LineInput lines, String reason) {
        return new ConnectorException("cannot read " + lines.name() + ": " + reason);
    }

    @Override
    public @Nullable R parse(LineInput lines) {
        if (lines.from() == lines.to()) {
            return null;
        }
        split(lines);
        if (row.size() != width) {
            throw new MalformedException(
                    "the row has " + row.size() + (row.size() == 1 ? " field" : " fields") + ", not " + width
                            + (header
                                    ? " as the header"
                                    : " as record " + shape.type().getSimpleName()),
                    0);
        }
        @Nullable Object[] arguments = new Object[values.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = value(lines, i);
        }
        return shape.make(arguments, e -> new MalformedException(RecordShape.refusal(e), 0));
    }

    private void split(LineInput lines) {
        row.begin();
        try {
            while (!row.read(lines.bytes(), lines.from(), lines.to())) {
                LineInput.Found more = lines.extend();
                if (more == LineInput.Found.END) {
                    throw row.unclosed("before the input ends");
                }
                if (more == LineInput.Found.TOO_LONG) {
                    throw row.unclosed("within " + lines.maxLineBytes() + " bytes");
                }
            }
        } catch (MalformedException e) {
            lines.shrink();
            throw e;
        }
        int invalid = Utf8.firstInvalid(lines.bytes(), lines.from(), lines.to());
        if (invalid >= 0) {
            throw MalformedException.invalidUtf8(invalid - lines.from());
        }
    }

    private @Nullable Object value(LineInput lines, int component) {
        int field = fields[component];
        if (row.isNull(field)) {
            if (shape.raw(component).isPrimitive()) {
                throw new MalformedException(
                        "byte " + row.begin(field) + ", column '"
                                + shape.names().get(component)
                                + "': nothing is there, and its component is a primitive",
                        row.begin(field));
            }
            return null;
        }
        CsvValue value = values[component];
        Object read = field(lines, field, value.parse());
        if (read == null) {
            String found = String.valueOf(field(lines, field, CsvValue::text));
            throw new MalformedException(
                    "byte " + row.begin(field) + ", column '" + shape.names().get(component) + "': " + value.form()
                            + " is expected, found '" + shortened(found) + "'",
                    row.begin(field));
        }
        return read;
    }

    private @Nullable Object field(LineInput lines, int field, CsvValue.Parse parse) {
        byte[] bytes = lines.bytes();
        if (row.isDoubled(field)) {
            byte[] text = row.undoubled(field, bytes, lines.from());
            return parse.value(text, 0, text.length);
        }
        return parse.value(bytes, lines.from() + row.begin(field), lines.from() + row.end(field));
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "…";
    }
}

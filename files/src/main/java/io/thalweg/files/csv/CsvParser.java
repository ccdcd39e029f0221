// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.files.input.LineInput;
import io.thalweg.files.input.LineParser;
import io.thalweg.files.record.MalformedException;
import io.thalweg.files.record.Part;
import io.thalweg.files.record.RecordShape;
import io.thalweg.files.record.Utf8;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of rows. A row whose quotes are amiss is bad as far as its first line, and reading continues with the next
 * line: so a quote that nobody closes costs one line, not all that follow.
 */
public final class CsvParser<R> implements LineParser<R> {
    /** Of a text that is shown in a message. */
    private static final int SHOWN_CHARACTERS = 40;

    private static final int SHOWN_COLUMNS = 50;

    private final Class<R> type;
    private final CsvRecord record;
    private final List<String> names;
    private final CsvRow row;
    private final CsvLayout layout;

    /** Which field a column of the record is read from, and how many there must be. */
    private int[] fields = {};

    private int width;

    /** Of each column of the record. */
    private final CsvValue.Parse[] parses;

    /** For ordinary rows; null if the record is read without. */
    private @Nullable RowReader ordinary;

    /** Number of the record's column that is read next. */
    private int column;

    /** Of each column of the record; used where it is a text. */
    private final ColumnTexts[] texts;

    private CsvParser(Class<R> type, CsvLayout layout, ColumnTexts[] texts) {
        this.type = type;
        this.record = CsvRecord.of(type);
        this.names = record.columns();
        this.row = new CsvRow(layout.delimiter());
        this.layout = layout;
        this.texts = texts;
        List<CsvRecord.Column> columns = record.simple().toList();
        parses = new CsvValue.Parse[columns.size()];
        for (int i = 0; i < parses.length; i++) {
            Part part = columns.get(i).part();
            parses[i] = part.raw() == String.class && part.form() == null
                    ? texts[i]
                    : columns.get(i).value().parse();
        }
    }

    /**
     * Reads what stands before the rows.
     *
     * @throws ConnectorException if a component has no column
     */
    public static <R> CsvParser<R> open(LineInput lines, Class<R> type, CsvLayout layout) {
        ColumnTexts[] texts = new ColumnTexts[CsvRecord.of(type).width()];
        Arrays.setAll(texts, each -> new ColumnTexts());
        CsvParser<R> parser = new CsvParser<>(type, layout, texts);
        for (int skipped = 0; skipped < layout.skipLines(); ) {
            LineInput.Found found = lines.next();
            if (found == LineInput.Found.END) {
                break;
            }
            skipped += found == LineInput.Found.NOTHING ? 0 : 1;
        }
        if (layout.header()) {
            parser.readHeader(lines);
        } else {
            parser.takeColumns(parser.names);
        }
        parser.makeOrdinary();
        return parser;
    }

    /**
     * Reads rows of these columns, which no input names.
     *
     * @param layout says whether messages call them a header
     * @throws IllegalArgumentException if a component has no column, or two columns that it needs have one name
     */
    static <R> CsvParser<R> of(Class<R> type, CsvLayout layout, List<String> columns) {
        ColumnTexts[] texts = new ColumnTexts[CsvRecord.of(type).width()];
        Arrays.setAll(texts, each -> new ColumnTexts());
        CsvParser<R> parser = new CsvParser<>(type, layout, texts);
        String mismatch = parser.mismatch(columns);
        if (mismatch != null) {
            throw new IllegalArgumentException(mismatch);
        }
        parser.takeColumns(columns);
        parser.makeOrdinary();
        return parser;
    }

    private void takeColumns(List<String> columns) {
        width = columns.size();
        fields = names.stream().mapToInt(columns::indexOf).toArray();
    }

    private void makeOrdinary() {
        ordinary = RowReaderGenerator.reader(record, fields, width, layout.delimiter(), texts);
    }

    /** Reads rows of the same file, in another thread. */
    public LineParser<R> another() {
        ColumnTexts[] shared = Arrays.stream(texts).map(ColumnTexts::another).toArray(ColumnTexts[]::new);
        CsvParser<R> parser = new CsvParser<>(type, layout, shared);
        parser.width = width;
        parser.fields = fields;
        parser.makeOrdinary();
        return parser;
    }

    private void readHeader(LineInput lines) {
        LineInput.Found found = lines.next();
        while (found == LineInput.Found.NOTHING || (found == LineInput.Found.LINE && saysNothing(lines))) {
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
        takeColumns(columns);
        String mismatch = mismatch(columns);
        if (mismatch != null) {
            throw unusable(lines, mismatch);
        }
    }

    private @Nullable String mismatch(List<String> columns) {
        List<String> missing =
                names.stream().filter(name -> !columns.contains(name)).toList();
        if (!missing.isEmpty()) {
            return "there is no column " + quoted(missing) + ", which record " + type.getSimpleName()
                    + " needs; the columns are " + quoted(columns);
        }
        for (String name : names) {
            if (columns.indexOf(name) != columns.lastIndexOf(name)) {
                return "two columns are named '" + name + "'";
            }
        }
        return null;
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

    private boolean saysNothing(LineInput lines) {
        int from = lines.from();
        return from == lines.to() || (layout.comments() != 0 && lines.bytes()[from] == layout.comments());
    }

    @Override
    public @Nullable R parseNext(LineInput lines) {
        int from = lines.ahead();
        byte[] bytes = lines.bytes();
        // Behind the last byte that was read, there is room for a word, but for what was not read by a LineInput
        // itself.
        int limit = Math.min(lines.limit(), bytes.length - Long.BYTES + 1);
        if (ordinary == null || from < 0 || from >= limit) {
            return null;
        }
        byte first = bytes[from];
        if (first == '\n' || first == '\r' || (first == layout.comments() && first != 0)) {
            return null;
        }
        Object record = ordinary.read(bytes, from, limit);
        if (record == null || ordinary.end - from > lines.maxLineBytes()) {
            return null;
        }
        lines.found(ordinary.end, ordinary.end + (bytes[ordinary.end] == '\r' ? 2 : 1));
        return type.cast(record);
    }

    @Override
    public @Nullable R parse(LineInput lines) {
        return saysNothing(lines) ? null : row(lines);
    }

    /** Reads the line found last as a row, also if nothing stands in it. */
    R row(LineInput lines) {
        split(lines);
        if (row.size() != width) {
            throw new MalformedException(
                    "the row has " + row.size() + (row.size() == 1 ? " field" : " fields") + ", not " + width
                            + (layout.header() ? " as the header" : " as record " + type.getSimpleName()),
                    0);
        }
        column = 0;
        return type.cast(record(lines, record));
    }

    private Object record(LineInput lines, CsvRecord of) {
        List<CsvRecord.Field> parts = of.fields();
        @Nullable Object[] arguments = new Object[parts.size()];
        for (int i = 0; i < arguments.length; i++) {
            CsvRecord.Field part = parts.get(i);
            arguments[i] = part instanceof CsvRecord.Column simple
                    ? value(lines, simple, column++)
                    : nested(lines, (CsvRecord.Nested) part);
        }
        return of.shape().make(arguments, e -> new MalformedException(RecordShape.refusal(e), 0));
    }

    private @Nullable Object nested(LineInput lines, CsvRecord.Nested nested) {
        Part part = nested.part();
        if (part.required() || anyThing(nested.record().width())) {
            return part.held(record(lines, nested.record()));
        }
        column += nested.record().width();
        return part.absent();
    }

    /** True if one of the columns that come next holds something. */
    private boolean anyThing(int columns) {
        for (int i = column; i < column + columns; i++) {
            if (!row.isNull(fields[i])) {
                return true;
            }
        }
        return false;
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
        if (row.isAscii()) {
            return;
        }
        int invalid = Utf8.firstInvalid(lines.bytes(), lines.from(), lines.to());
        if (invalid >= 0) {
            throw MalformedException.invalidUtf8(invalid - lines.from());
        }
    }

    private @Nullable Object value(LineInput lines, CsvRecord.Column to, int number) {
        int field = fields[number];
        Part part = to.part();
        if (row.isNull(field)) {
            if (part.required()) {
                throw wrong(field, to, "it is empty, and " + part.needed());
            }
            return part.absent();
        }
        CsvValue value = to.value();
        Object read = field(lines, field, parses[number]);
        if (read == null) {
            String found = String.valueOf(field(lines, field, CsvValue::text));
            throw wrong(field, to, value.form() + " is expected, found '" + shortened(found) + "'");
        }
        return part.optional() ? Optional.of(read) : read;
    }

    private MalformedException wrong(int field, CsvRecord.Column to, String reason) {
        return new MalformedException(
                "byte " + row.begin(field) + ", column '" + to.column() + "': " + reason, row.begin(field));
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

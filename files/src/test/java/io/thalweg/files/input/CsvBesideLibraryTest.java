// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CommentStrategy;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.files.csv.CsvLayout;
import io.thalweg.files.csv.CsvParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What FastCSV makes of a file, and what our readers make of it, in one piece and in chunks from one byte up: the same rows, in the
 * same lines, and malformed from the same row on. Three things the library reads that are malformed here: a quote in a field that
 * does not begin with one, and a quote that is open at the end of the file, which are told apart below; and a carriage return
 * alone, which ends a line there, and which no file here has outside quotes.
 */
final class CsvBesideLibraryTest {
    private static final long SEED = Long.getLong("thalweg.seed", new Random().nextLong());
    private static final int FILES = 40;
    private static final int MANY_FILES = 200;
    private static final int MOST_BYTES = 1 << 20;
    /** What the library does not say the line of. */
    private static final long FIRST_ROW = -1;

    private static final char[] DELIMITERS = {',', ',', ';', '\t', '|', ' ', 'x'};
    private static final String[] PIECES = {
        "a",
        "bc",
        "0",
        "ö",
        "€",
        "🙂",
        " ",
        "#",
        "\t",
        "'",
        "\\",
        "\0",
        "longer than eight bytes",
        "\"",
        "\n",
        "\r\n",
        ",",
        ";",
        "|",
        "x"
    };

    record One(@Nullable String a) {}

    record Three(
            @Nullable String a,
            @Nullable String b,
            @Nullable String c) {}

    @TempDir
    Path directory;

    /** How a file is written and to be read. */
    private record Form(char delimiter, boolean header, boolean comments, int width) {
        static Form of(Random random) {
            char delimiter = DELIMITERS[random.nextInt(DELIMITERS.length)];
            return new Form(delimiter, random.nextBoolean(), random.nextInt(3) == 0, random.nextInt(4) == 0 ? 1 : 3);
        }

        CsvLayout layout() {
            CsvLayout layout = CsvLayout.DEFAULT.withDelimiter(delimiter);
            layout = header ? layout : layout.withoutHeader();
            return comments ? layout.withComments('#') : layout;
        }
    }

    // ---- a file

    private static String text(Random random, Form form, boolean damaged) {
        StringBuilder text = new StringBuilder(random.nextInt(4) == 0 ? "\ufeff" : "");
        if (form.header) {
            String names = form.width == 1 ? "a" : "abc";
            text.append(String.join(String.valueOf(form.delimiter), names.split("")))
                    .append(lineEnd(random));
        }
        int rows = random.nextInt(30);
        for (int i = 0; i < rows; i++) {
            if (form.comments && random.nextInt(6) == 0) {
                text.append("#\"\"").append(form.delimiter).append(lineEnd(random));
            }
            row(random, form, damaged && random.nextInt(rows) == 0, text);
            if (i < rows - 1 || random.nextBoolean()) {
                text.append(lineEnd(random));
            }
        }
        return text.toString();
    }

    private static void row(Random random, Form form, boolean damaged, StringBuilder text) {
        int fields = random.nextInt(12) > 0 ? form.width : 1 + random.nextInt(5);
        int wrong = damaged ? random.nextInt(fields) : -1;
        for (int i = 0; i < fields; i++) {
            text.append(i == 0 ? "" : form.delimiter);
            if (i == wrong) {
                text.append(random.nextBoolean() ? "\"open" : "\"closed\"and more");
            } else {
                field(random, form, i == 0, text);
            }
        }
    }

    private static void field(Random random, Form form, boolean first, StringBuilder text) {
        StringBuilder value = new StringBuilder();
        for (int pieces = random.nextInt(random.nextInt(10) == 0 ? 40 : 4); pieces > 0; pieces--) {
            value.append(PIECES[random.nextInt(PIECES.length)].repeat(random.nextInt(2_000) == 0 ? 5_000 : 1));
        }
        String plain = value.toString();
        boolean quotes = plain.chars().anyMatch(c -> c == form.delimiter || c == '"' || c == '\n' || c == '\r')
                || (form.comments && first && plain.startsWith("#"))
                || random.nextInt(3) == 0;
        text.append(quotes ? '"' + plain.replace("\"", "\"\"") + '"' : plain);
    }

    private static String lineEnd(Random random) {
        String end = random.nextBoolean() ? "\n" : "\r\n";
        return end + (random.nextInt(8) == 0 ? end.repeat(1 + random.nextInt(2)) : "");
    }

    // ---- what is made of it

    /** A row, or a bad one, and the line where it begins. */
    private record Row(long line, @Nullable List<@Nullable String> values) {}

    /**
     * Of the library.
     *
     * @param rows up to the first that is malformed, as a bad one
     * @param all none is
     */
    private record Expected(List<Row> rows, boolean all) {}

    private static Expected library(Path file, Form form) throws IOException {
        // The library takes a byte from a file that is shorter than the longest of the marks that it knows.
        String text = Files.readString(file).replaceFirst("^\ufeff", "");
        Expected its = library(text, form);
        // Only if a quote is open, one that follows is not within a field.
        boolean open = its.all && library(text + "\nz\"", form).all;
        if (open) { // the library takes the end of the file for the quote that is missing
            its.rows.add(new Row(its.rows.remove(its.rows.size() - 1).line, null));
        }
        return new Expected(its.rows, its.all && !open);
    }

    private static Expected library(String text, Form form) throws IOException {
        List<Row> rows = new ArrayList<>();
        Fields fields = new Fields();
        try (CsvReader<Row> reader = CsvReader.builder()
                .fieldSeparator(form.delimiter)
                .commentStrategy(form.comments ? CommentStrategy.SKIP : CommentStrategy.NONE)
                .allowExtraFields(true)
                .allowMissingFields(true)
                .build(fields, text)) {
            boolean header = form.header;
            for (Row row : reader) {
                if (!header) {
                    boolean right = row.values.size() == form.width && !fields.stray;
                    rows.add(right ? row : new Row(row.line, null));
                }
                if (fields.stray) {
                    return new Expected(rows, false);
                }
                header = false;
            }
        } catch (CsvParseException e) {
            Matcher line = Pattern.compile("started in line (\\d+)").matcher(String.valueOf(e.getMessage()));
            rows.add(new Row(line.find() ? Long.parseLong(line.group(1)) : FIRST_ROW, null));
            return new Expected(rows, false);
        }
        return new Expected(rows, true);
    }

    /** Of one record. */
    private static final class Fields extends AbstractBaseCsvCallbackHandler<Row> {
        private List<@Nullable String> values = new ArrayList<>();
        private boolean stray;

        @Override
        protected void handleBegin(long line) {
            values = new ArrayList<>();
            stray = false;
        }

        @Override
        protected void handleField(int index, char[] characters, int from, int length, boolean quoted) {
            String value = new String(characters, from, length);
            values.add(quoted || length > 0 ? value : null);
            stray |= !quoted && value.indexOf('"') >= 0;
        }

        @Override
        protected Row buildRecord() {
            return new Row(getStartingLineNumber(), values);
        }
    }

    /** @param chunk 0 to read without chunks */
    private static List<Row> ours(Path file, Form form, int chunk, Random random) throws Exception {
        return form.width == 1
                ? ours(file, form, One.class, chunk, random)
                : ours(file, form, Three.class, chunk, random);
    }

    private static <R> List<Row> ours(Path file, Form form, Class<R> type, int chunk, Random random) throws Exception {
        List<Row> rows = new ArrayList<>();
        ChunkReaderTest.Context context = new ChunkReaderTest.Context(1 + random.nextInt(3), random) {
            @Override
            public void bad(BadRecord record) {
                rows.add(new Row(record.line(), null));
            }
        };
        try (LineInput lines = LineInput.open(file.toString(), MOST_BYTES)) {
            CsvParser<R> parser = CsvParser.open(lines, type, form.layout());
            SplitReader<R> reader = chunk == 0
                    ? new LineReader<>(lines, parser, context)
                    : new ChunkReader<>(lines, parser, parser::another, context, chunk);
            while (!reader.finished()) {
                R record = reader.poll();
                if (record != null) {
                    rows.add(new Row(reader.line(), values(record)));
                } else {
                    context.doOne();
                }
            }
        }
        return rows;
    }

    private static List<@Nullable String> values(Object record) {
        return record instanceof Three three
                ? Arrays.asList(three.a, three.b, three.c)
                : Arrays.asList(((One) record).a);
    }

    // ---- side by side

    @Test
    void shouldReadTheSameRows() throws Exception {
        sameRows(FILES);
    }

    @Test
    @Tag("integration")
    void shouldReadTheSameRows_ofManyFiles() throws Exception {
        sameRows(MANY_FILES);
    }

    private void sameRows(int files) throws Exception {
        int rows = 0;
        int bad = 0;
        for (int number = 0; number < files; number++) {
            Random random = new Random(SEED + number);
            Form form = Form.of(random);
            Path file = Files.writeString(directory.resolve("in.csv"), text(random, form, false));
            Expected expected = library(file, form);
            String as = form + ", -Dthalweg.seed=" + (SEED + number);
            assertThat(expected.all).as(as).isTrue();
            assertThat(inEachWay(file, form, random, as)).as(as).isEqualTo(expected.rows);
            rows += expected.rows.size();
            bad += (int)
                    expected.rows.stream().filter(row -> row.values == null).count();
        }
        assertThat(bad).isBetween(files / 10, rows / 2);
    }

    /** The library goes no further; ours reads on with the next line. */
    @Test
    void shouldReadTheSameRows_upToOneThatIsMalformed() throws Exception {
        sameRowsUpToOneThatIsMalformed(FILES);
    }

    @Test
    @Tag("integration")
    void shouldReadTheSameRows_ofManyFiles_upToOneThatIsMalformed() throws Exception {
        sameRowsUpToOneThatIsMalformed(MANY_FILES);
    }

    private void sameRowsUpToOneThatIsMalformed(int files) throws Exception {
        int malformed = 0;
        for (int number = 0; number < files; number++) {
            Random random = new Random(SEED + number);
            Form form = Form.of(random);
            Path file = Files.writeString(directory.resolve("in.csv"), text(random, form, true));
            Expected expected = library(file, form);
            String as = form + ", -Dthalweg.seed=" + (SEED + number);
            List<Row> rows = inEachWay(file, form, random, as);
            int size = expected.rows.size();
            if (!expected.all) {
                assertThat(rows).as(as).hasSizeGreaterThanOrEqualTo(size);
                rows = rows.subList(0, size);
                if (expected.rows.get(size - 1).line == FIRST_ROW) {
                    expected.rows.set(size - 1, new Row(rows.get(size - 1).line, null));
                }
                malformed++;
            }
            assertThat(rows).as(as).isEqualTo(expected.rows);
        }
        assertThat(malformed).isGreaterThan(files / 10);
    }

    /** In one piece, and in chunks of each size: all the same. */
    private static List<Row> inEachWay(Path file, Form form, Random random, String as) throws Exception {
        List<Row> alone = ours(file, form, 0, random);
        for (int chunk : ChunkReaderTest.CHUNKS) {
            assertThat(ours(file, form, chunk, random))
                    .as(as + ", chunks of " + chunk)
                    .isEqualTo(alone);
        }
        return alone;
    }
}

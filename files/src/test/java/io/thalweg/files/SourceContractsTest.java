// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.Source;
import io.thalweg.testkit.contract.SourceContract;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Each format in one file, packed, in a directory of several, and with bad records between. */
@ParameterizedClass(name = "{0}")
@MethodSource("inputs")
final class SourceContractsTest extends SourceContract<Object> {
    record Place(String name, int height) {}

    private static final List<Place> PLACES = List.of(
            new Place("", -1), new Place("Größe 🙂", 0), new Place("a, b", 1), new Place("c", 1), new Place("c", 1));

    private record Format(
            String extension,
            String header,
            String bad,
            Function<Place, String> row,
            Function<String, Source<?>> source,
            Function<Place, Object> record) {
        String text(List<Place> places, boolean withBad) {
            StringBuilder text = new StringBuilder(header);
            for (Place place : places) {
                text.append(withBad ? bad : "").append(row.apply(place)).append(place.height() == 0 ? "\r\n" : "\n");
            }
            return text.append(withBad ? bad : "").toString();
        }
    }

    private static final Format JSON = new Format(
            ".jsonl",
            "\ufeff",
            "{oops\n\n",
            place -> "{\"height\": " + place.height() + ", \"name\": \"" + place.name() + "\"}",
            path -> JsonLines.read(path, Place.class),
            place -> place);
    private static final Format CSV = new Format(
            ".csv",
            "name,height\n",
            "too,many,fields\n",
            place -> '"' + place.name() + "\"," + place.height(),
            path -> Csv.read(path, Place.class),
            place -> place);
    private static final Format TEXT = new Format(".txt", "", "", Place::name, TextLines::read, Place::name);

    private enum Form {
        FILE,
        PACKED,
        WITH_BAD,
        DIRECTORY
    }

    record Input(Format format, Form form) {
        @Override
        public String toString() {
            return format.extension() + " " + form;
        }
    }

    static Stream<Input> inputs() {
        return Stream.of(JSON, CSV, TEXT)
                .flatMap(format -> Stream.of(Form.values()).map(form -> new Input(format, form)));
    }

    @Parameter
    Input input;

    @TempDir
    Path directory;

    @Override
    protected Source<?> source() throws IOException {
        Format format = input.format();
        String path = directory.resolve("in" + format.extension()).toString();
        switch (input.form()) {
            case FILE -> Files.writeString(Path.of(path), format.text(PLACES, false));
            case WITH_BAD -> Files.writeString(Path.of(path), format.text(PLACES, true));
            case PACKED -> {
                path += ".gz";
                try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(path)))) {
                    out.write(format.text(PLACES, true).getBytes(StandardCharsets.UTF_8));
                }
            }
            case DIRECTORY -> {
                path = directory.toString();
                List<List<Place>> parts = List.of(PLACES.subList(0, 2), List.of(), PLACES.subList(2, 5));
                for (int part = 0; part < parts.size(); part++) {
                    Files.writeString(
                            directory.resolve(part + format.extension()), format.text(parts.get(part), false));
                }
            }
        }
        return format.source().apply(path);
    }

    @Override
    protected List<?> records() {
        return PLACES.stream().map(input.format().record()).toList();
    }

    /** Of the file alone or of the last in a directory. */
    @Override
    protected boolean change(Change how) throws IOException {
        String name = input.form() == Form.DIRECTORY ? "2" : "in";
        Path file = directory.resolve(name + input.format().extension() + (input.form() == Form.PACKED ? ".gz" : ""));
        boolean packed = input.form() == Form.PACKED;
        byte[] before = Files.readAllBytes(file);
        if (packed) {
            try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(before))) {
                before = in.readAllBytes();
            }
        }
        String text = new String(before, StandardCharsets.UTF_8);
        String changed = switch (how) {
            case TRUNCATED -> text.substring(0, text.length() / 2);
            case REPLACED -> text.replace('c', 'C').replace(':', ';').replace('1', '2');
            case ROTATED -> "x".repeat(20) + "\n" + text;
            case GROWN -> text + (text.endsWith("\n") ? "" : "\n") + "more\n";
            case MOVED -> text;
        };
        byte[] bytes = changed.getBytes(StandardCharsets.UTF_8);
        Path other = directory.resolve(".other");
        try (OutputStream plain = Files.newOutputStream(other);
                OutputStream out = packed ? new GZIPOutputStream(plain) : plain) {
            out.write(bytes);
        }
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.cli.UsageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A file that Flux reads. It is read once, so it may be a pipe. */
final class FluxText {
    /** Flux's own, of which it replaces one match in a line: it takes the last beginning, and all up to the last end. */
    private static final Pattern PROPERTY =
            Pattern.compile(".*\\$\\{(?<var>ENV-(?<envVar>.+)|(?<list>.+)\\[(?<listIndex>\\d+)]|.+)}.*");

    /** The time that the pattern takes grows with the square of it. */
    private static final int LONGEST_LINE = 50_000;

    private static final Pattern ANOTHER = Pattern.compile("\\$\\{[^}]+}");

    /**
     * What takes the place of {@code ${NAME}}.
     *
     * @param file that has the properties; null if there is none
     * @param environment whether {@code ${ENV-NAME}} is a variable of the environment
     */
    record Values(Properties properties, @Nullable FluxText file, boolean environment) {}

    private final String name;
    private final byte[] bytes;
    private final boolean file;

    FluxText(String name, byte[] bytes) {
        this(name, bytes, true);
    }

    private FluxText(String name, byte[] bytes, boolean file) {
        this.name = name;
        this.bytes = bytes;
        this.file = file;
    }

    /** What a program wrote, whose lines nobody has seen. */
    static FluxText ofProgram(String name, byte[] bytes) {
        return new FluxText(name, bytes, false);
    }

    static FluxText ofStandardInput() {
        try {
            return new FluxText("standard input", System.in.readAllBytes());
        } catch (IOException e) {
            throw new UsageException("standard input cannot be read: " + e.getMessage());
        }
    }

    /** @param from the option that names it, or the file that includes it */
    static FluxText ofFile(String from, String file) {
        Path path = Path.of(file);
        if (file.isEmpty()) {
            throw new UsageException(from + " names no file: it is empty");
        }
        if (Files.isDirectory(path)) {
            throw new UsageException(from + " takes a file, and " + file + " is a folder");
        }
        try {
            if (!Files.exists(path)) {
                throw new UsageException(from + ": there is no file " + file
                        + (path.isAbsolute() ? "" : " in " + Path.of("").toAbsolutePath()));
            }
            return new FluxText(file, Files.readAllBytes(path));
        } catch (IOException e) {
            throw new UsageException(file + " cannot be read: "
                    + (e instanceof AccessDeniedException ? "you have no permission" : e.getMessage()));
        }
    }

    String name() {
        return name;
    }

    InputStream stream() {
        return new ByteArrayInputStream(bytes);
    }

    Reader reader() {
        return new StringReader(text());
    }

    /** As Flux decodes it. */
    private String text() {
        Charset charset = Charset.defaultCharset();
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new UsageException(name + " is not in " + charset + ", as which Flux reads it here; convert it"
                    + (charset.equals(StandardCharsets.UTF_8) ? "" : ", or set LC_ALL=C.UTF-8"));
        }
    }

    private List<String> lines() {
        return text().lines().toList();
    }

    boolean isBlank() {
        return lines().stream().allMatch(line -> line.isBlank() || comment(line));
    }

    private static boolean comment(String line) {
        return line.stripLeading().startsWith("#");
    }

    String where(int line) {
        return file ? name + ", line " + line : name;
    }

    /** The first line in which this is found; null if there is none. */
    @Nullable String where(Pattern what) {
        List<String> lines = lines();
        for (int i = 0; i < lines.size(); i++) {
            if (!comment(lines.get(i)) && what.matcher(lines.get(i)).find()) {
                return where(i + 1);
            }
        }
        return null;
    }

    Properties properties() {
        Properties properties = new Properties();
        try (InputStream in = stream()) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException(name + " is no properties file: " + e.getMessage());
        }
        return properties;
    }

    /** Refuses what Flux would leave as it is, with a warning at most: {@code ${topic}} as the name of a topic, for instance. */
    void check(Values values) {
        List<String> lines = lines();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).length() > LONGEST_LINE) {
                throw new UsageException(where(i + 1) + ": it has over " + LONGEST_LINE
                        + " characters, in which Flux would look for ${…} for minutes; write several lines");
            }
            if (comment(lines.get(i))) {
                continue;
            }
            String wrong = wrong(lines.get(i), values);
            if (wrong != null) {
                throw new UsageException(where(i + 1) + ": " + wrong);
            }
        }
    }

    private static @Nullable String wrong(String line, Values values) {
        Matcher found = PROPERTY.matcher(line);
        if (!found.find()) {
            return null;
        }
        String name = found.group("var");
        if (ANOTHER.matcher(line.substring(0, found.start("var") - 2)).find()) {
            return "there are two ${…}, and Flux replaces one in a line; write the other one in a line of its own";
        }
        if (name.indexOf('}') >= 0) {
            return "Flux takes all up to the last } of the line for the name of a property, " + name
                    + "; write the ${…} in a line of its own";
        }
        return missing(found, name, values);
    }

    private static @Nullable String missing(Matcher found, String name, Values values) {
        Properties given = values.properties();
        String variable = found.group("envVar");
        if (variable != null && values.environment()) {
            return System.getenv(variable) == null ? "the environment variable " + variable + " is not set" : null;
        }
        String where = values.file() == null
                ? "; add --filter FILE with a line " + name + "=VALUE"
                : "; add it to " + values.file().name();
        String of = found.group("list");
        if (of != null) {
            String list = given.getProperty(of);
            return list == null
                    ? "the property " + of + " is not given" + where.replace(name, of)
                    : missingElement(of, list, found.group("listIndex"));
        }
        if (given.getProperty(name) != null) {
            return null;
        }
        return variable == null
                ? "the property " + name + " is not given" + where
                : "${" + name + "} is a variable of the environment; add --env-filter";
    }

    /** As Flux reads lists: {@code ["a", "b"]}. */
    private static @Nullable String missingElement(String name, String list, String index) {
        if (!list.startsWith("[") || !list.endsWith("]")) {
            return "the property " + name + " is no list such as [\"a\", \"b\"]: " + list;
        }
        int elements = list.split(",").length;
        return index.length() < 6 && Integer.parseInt(index) < elements
                ? null
                : "the property " + name + " has " + elements + " elements, and none of number " + index
                        + "; the first one is " + name + "[0]";
    }
}

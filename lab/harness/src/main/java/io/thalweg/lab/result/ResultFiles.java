// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Results as JSON, with names in snake_case; compressed where the name ends in {@code .gz}. */
public final class ResultFiles {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private ResultFiles() {}

    public static String toJson(Results results) {
        try {
            return MAPPER.writeValueAsString(results);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A file is replaced as a whole: a call that is killed meanwhile leaves the results that it had written before.
     *
     * @throws IOException if it cannot be written; the message names it
     */
    public static void write(Results results, Path file) throws IOException {
        try {
            if (canBeReplaced(file)) {
                replace(results, file, Files.exists(file) ? file.toRealPath() : file);
            } else {
                write(results, file, file);
            }
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    private static void replace(Results results, Path name, Path target) throws IOException {
        Path next = target.resolveSibling(target.getFileName() + ".new");
        try {
            write(results, name, next);
            Files.move(next, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(next); // half of it, on a full disk
            throw e;
        }
    }

    /** In a line that names the file: the messages of some exceptions are its name alone, and those of others lack it. */
    public static IOException unwritable(Path file, IOException problem) {
        return new IOException("cannot write " + file + ": " + reason(problem), problem);
    }

    private static String reason(IOException problem) {
        if (problem instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (problem instanceof AccessDeniedException) {
            return "permission denied";
        }
        String reason = problem instanceof FileSystemException its ? its.getReason() : problem.getMessage();
        return reason == null ? problem.toString() : reason;
    }

    private static void write(Results results, Path name, Path to) throws IOException {
        boolean compressed = String.valueOf(name.getFileName()).endsWith(".gz");
        try (OutputStream file = Files.newOutputStream(to);
                OutputStream out = compressed ? new GZIPOutputStream(file) : file) {
            MAPPER.writeValue(out, results);
        }
    }

    /** Whether results may be written there again and again, as to a pipe they may not. */
    public static boolean canBeReplaced(Path file) {
        return Files.isRegularFile(file) || Files.notExists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * @throws IOException if the file cannot be read or holds something else; the message names it
     */
    public static Results read(Path file) throws IOException {
        Results results;
        try {
            results = MAPPER.readValue(plain(Files.readAllBytes(file)), Results.class);
        } catch (JsonProcessingException e) {
            throw none(file, e.getOriginalMessage(), e);
        } catch (ZipException | EOFException e) {
            throw new IOException(file + " is damaged: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException("cannot read " + file + ": " + reason(e), e);
        }
        if (results != null && results.schema() != Results.SCHEMA && results.schema() != Results.BEFORE) {
            throw new IOException(file + " is of schema " + results.schema() + ", and this version reads "
                    + Results.BEFORE + " and " + Results.SCHEMA);
        }
        String missing = missing("results", results);
        if (results == null || missing != null) {
            throw none(file, "there is no " + missing, null);
        }
        return new Results(
                Results.SCHEMA,
                results.machine(),
                results.asked(),
                results.memoryGbPerS(),
                results.studies(),
                results.cells());
    }

    private static IOException none(Path file, String problem, @Nullable Exception cause) {
        return new IOException(file + " holds no results of the lab: " + problem, cause);
    }

    /** Where there is nothing and something must be; null if nowhere. */
    private static @Nullable String missing(String where, @Nullable Object of) {
        if (of == null) {
            return where;
        }
        String missing = null;
        if (of instanceof List<?> list) {
            for (int i = 0; i < list.size() && missing == null; i++) {
                missing = missing(where + "[" + i + "]", list.get(i));
            }
        } else if (of instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> each : map.entrySet()) {
                missing = missing == null ? missing(where + "." + each.getKey(), each.getValue()) : missing;
            }
        } else if (of instanceof Record) {
            for (RecordComponent each : of.getClass().getRecordComponents()) {
                Object value = value(each, of);
                boolean may = each.getAnnotatedType().isAnnotationPresent(Nullable.class);
                missing =
                        missing == null && !(may && value == null) ? missing(where + "." + name(each), value) : missing;
            }
        }
        return missing;
    }

    private static String name(RecordComponent component) {
        JsonProperty named = component.getAccessor().getAnnotation(JsonProperty.class);
        return named == null
                ? PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE.translate(component.getName())
                : named.value();
    }

    private static @Nullable Object value(RecordComponent component, Object of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** To the checksum at the end, if it is compressed. It is read whole before: of a pipe, the stream does not know what is available. */
    private static byte[] plain(byte[] bytes) throws IOException {
        if (bytes.length < 2 || bytes[0] != 0x1f || bytes[1] != (byte) 0x8b) {
            return bytes;
        }
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        }
    }
}

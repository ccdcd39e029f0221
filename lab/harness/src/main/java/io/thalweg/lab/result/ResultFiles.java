// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/** Results as JSON, with names in snake_case; compressed where the name ends in {@code .gz}. */
public final class ResultFiles {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private ResultFiles() {}

    public static String toJson(Results results) {
        try {
            return MAPPER.writeValueAsString(results);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A file is replaced as a whole: a call that is killed meanwhile leaves the results that it had written before. */
    public static void write(Results results, Path file) throws IOException {
        if (!canBeReplaced(file)) {
            write(results, file, file);
            return;
        }
        Path target = Files.exists(file) ? file.toRealPath() : file;
        Path next = target.resolveSibling(target.getFileName() + ".new");
        write(results, file, next);
        Files.move(next, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
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
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
                InputStream in = startsAsGzip(raw) ? new GZIPInputStream(raw) : raw) {
            results = MAPPER.readValue(in.readAllBytes(), Results.class); // to the checksum at the end
        } catch (JsonProcessingException e) {
            throw new IOException(file + " holds no results of the lab: " + e.getOriginalMessage(), e);
        } catch (ZipException | EOFException e) {
            throw new IOException(file + " is damaged: " + e.getMessage(), e);
        } catch (NoSuchFileException e) {
            throw new IOException("cannot read " + file + ": no such file", e);
        } catch (AccessDeniedException e) {
            throw new IOException("cannot read " + file + ": permission denied", e);
        } catch (IOException e) {
            throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
        }
        if (results.schema() != Results.SCHEMA && results.schema() != Results.BEFORE) {
            throw new IOException(file + " is of schema " + results.schema() + ", and this version reads "
                    + Results.BEFORE + " and " + Results.SCHEMA);
        }
        return new Results(Results.SCHEMA, results.machine(), results.asked(), results.studies(), results.cells());
    }

    private static boolean startsAsGzip(InputStream in) throws IOException {
        in.mark(2);
        boolean is = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return is;
    }
}

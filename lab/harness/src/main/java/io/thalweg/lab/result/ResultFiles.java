// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Results as JSON, with names in snake_case. */
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
            Files.writeString(file, toJson(results));
            return;
        }
        Path target = Files.exists(file) ? file.toRealPath() : file;
        Path next = target.resolveSibling(target.getFileName() + ".new");
        Files.writeString(next, toJson(results));
        Files.move(next, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
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
            results = MAPPER.readValue(file.toFile(), Results.class);
        } catch (JsonProcessingException e) {
            throw new IOException(file + " holds no results of the lab: " + e.getOriginalMessage(), e);
        }
        if (results.schema() != Results.SCHEMA && results.schema() != Results.BEFORE) {
            throw new IOException(file + " is of schema " + results.schema() + ", and this version reads "
                    + Results.BEFORE + " and " + Results.SCHEMA);
        }
        return new Results(Results.SCHEMA, results.machine(), results.asked(), results.studies(), results.cells());
    }
}

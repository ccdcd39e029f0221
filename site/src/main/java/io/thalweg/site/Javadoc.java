// SPDX-License-Identifier: Apache-2.0
package io.thalweg.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the Javadoc page of a type that a document names. */
final class Javadoc {
    private static final Pattern NAMED = Pattern.compile("@?([A-Z]\\w*)(?:\\.\\w+)?(?:\\(.*\\))?");
    private static final String SOURCES = "/src/main/java/";

    private final Path folder;
    private final Map<String, Path> bySimpleName = new HashMap<>();

    Javadoc(Path folder) throws IOException {
        this.folder = folder;
        Set<String> ambiguous = new HashSet<>();
        try (Stream<Path> pages = Files.walk(folder.resolve("io"))) {
            pages.filter(page -> String.valueOf(page.getFileName()).matches("[A-Z]\\w*\\.html"))
                    .forEach(page -> {
                        String name = String.valueOf(page.getFileName()).replace(".html", "");
                        if (bySimpleName.put(name, page) != null) {
                            ambiguous.add(name);
                        }
                    });
        }
        bySimpleName.keySet().removeAll(ambiguous);
    }

    /** The page of the type in {@code Windows} or {@code Windows.tumbling}; null if there is none, or more than one. */
    @Nullable Path named(String code) {
        Matcher matcher = NAMED.matcher(code);
        return matcher.matches() ? bySimpleName.get(matcher.group(1)) : null;
    }

    /** The page of a source, as {@code api/src/main/java/…/Stream.java}; null if it is not documented. */
    @Nullable Path of(String source) {
        int from = source.replace('\\', '/').indexOf(SOURCES);
        if (from < 0 || !source.endsWith(".java")) {
            return null;
        }
        Path page = folder.resolve(source.substring(from + SOURCES.length()).replaceFirst("\\.java$", ".html"));
        return Files.exists(page) ? page : null;
    }
}

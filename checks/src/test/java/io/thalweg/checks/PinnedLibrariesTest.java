// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The lab refuses an engine whose libraries are not those that are pinned, so a build that resolves others breaks the lab. */
final class PinnedLibrariesTest {

    static List<Path> pinned() {
        return Repository.filesEndingIn("lib.sha256");
    }

    @ParameterizedTest
    @MethodSource("pinned")
    void shouldBeThoseThatTheBuildResolves(Path pinned) throws Exception {
        Path folder = pinned.resolveSibling("target/dist/lib");
        assumeThat(folder).as("what the phase 'package' fills").isDirectory();

        assertThat(Repository.read(pinned).lines().filter(line -> line.contains("  ")))
                .as("%s; if an earlier build left jars, run ./mvnw clean", Repository.name(pinned))
                .containsExactlyInAnyOrderElementsOf(checksums(folder));
    }

    /** As {@code sha256sum} prints them, without Thalweg's own jars. */
    private static List<String> checksums(Path folder) throws Exception {
        List<String> lines = new ArrayList<>();
        for (Path jar : jars(folder)) {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
            lines.add(HexFormat.of().formatHex(sum) + "  " + jar.getFileName());
        }
        return lines;
    }

    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(jar -> jar.toString().endsWith(".jar"))
                    .filter(jar -> !jar.getFileName().toString().startsWith("thalweg-"))
                    .toList();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JobLibrariesTest {
    private static final String NAMES = "META-INF/thalweg/libraries";

    @TempDir
    Path folder;

    @Test
    void shouldTakeModulesAndTheLibrariesThatTheyName() throws Exception {
        Path connector = jar("my-connector-1.jar", "# what it needs\n\n client-lib \nzip\n");
        Path client = jar("client-lib-4.3.1.jar", null);
        Path zip = jar("zip-2.jar", null);
        Path others = jar("zip-java-2.jar", null);
        Path zipper = jar("zipper-2.jar", null);
        Path longer = jar("client-lib-tests-4.3.1.jar", null);
        Path commandLine = jar("thalweg-cli-0.1.jar", null);
        Path missing = folder.resolve("gone.jar");
        Path folderOfClasses = Files.createDirectories(folder.resolve("classes"));
        Files.createDirectories(folderOfClasses.resolve(NAMES).getParent());
        Files.writeString(folderOfClasses.resolve(NAMES), "");
        Path plainFolder = Files.createDirectories(folder.resolve("others"));

        assertThat(JobLibraries.on(Stream.of(
                                client,
                                zip,
                                others,
                                zipper,
                                longer,
                                connector,
                                commandLine,
                                missing,
                                folderOfClasses,
                                plainFolder,
                                connector)
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator))))
                .containsExactly(client, zip, connector, folderOfClasses);
    }

    @Test
    void shouldTakeNothingOfAnEmptyClassPath() {
        assertThat(JobLibraries.on("")).isEmpty();
    }

    private Path jar(String name, @Nullable String libraries) throws Exception {
        Path jar = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            entries.putNextEntry(new JarEntry("some/Class.class"));
            if (libraries != null) {
                entries.putNextEntry(new JarEntry(NAMES));
                entries.write(libraries.getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }
}

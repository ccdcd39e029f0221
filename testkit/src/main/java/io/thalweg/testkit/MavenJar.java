// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A jar that a test wants and the build does not: the wrapper of Maven, in a folder above, copies it from the repository. */
public final class MavenJar {
    /** An older version, which does not ask for the jar's parent pom: that of some was not published. */
    private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:2.10:copy";

    private static final int LIMIT_SECONDS = 500;

    private MavenJar() {}

    /**
     * Copies the jar, without what it needs.
     *
     * @param artifact {@code group:name:version}
     * @param folder for the jar, and what Maven says
     * @return the jar
     * @throws IOException if Maven fails; the message is what it said
     */
    public static Path copy(String artifact, Path folder) throws IOException, InterruptedException {
        Path said = folder.resolve("maven.txt");
        Process maven = new ProcessBuilder(
                        wrapper().toString(),
                        "-B",
                        "-q",
                        PLUGIN,
                        "-Dartifact=" + artifact,
                        "-DoutputDirectory=" + folder)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            if (!maven.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || maven.exitValue() != 0) {
                throw new IOException(artifact + " was not copied: " + Files.readString(said, StandardCharsets.UTF_8));
            }
        } finally {
            maven.destroyForcibly();
        }
        String[] parts = artifact.split(":", -1);
        return folder.resolve(parts[1] + "-" + parts[2] + ".jar");
    }

    private static Path wrapper() throws IOException {
        for (Path each = Path.of("").toAbsolutePath(); each != null; each = each.getParent()) {
            if (Files.exists(each.resolve("mvnw"))) {
                return each.resolve("mvnw");
            }
        }
        throw new IOException("there is no mvnw above " + Path.of("").toAbsolutePath());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;

/** Topologies that others wrote, from Maven's repository. */
final class FetchedJar {
    /** The newest there of storm-starter and storm-perf. */
    static final String VERSION = "1.2.2";

    private FetchedJar() {}

    /** Puts the jar of an artifact of Storm's into a folder. */
    static Path of(String artifact, Path folder) throws Exception {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("mvnw"))) {
            root = root.getParent();
        }
        Process maven = new ProcessBuilder(
                        root.resolve("mvnw").toString(),
                        "-B",
                        "-q",
                        "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy",
                        "-Dartifact=org.apache.storm:" + artifact + ":" + VERSION,
                        "-DoutputDirectory=" + folder)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        CommandLine.limit(maven, 500);
        String said = CommandLine.text(maven.getInputStream());
        assertThat(maven.waitFor()).as(said).isZero();
        return folder.resolve(artifact + "-" + VERSION + ".jar");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What a program that runs a job over files in a JVM is told: {@code JOB INPUT OUTPUT THREADS TIMES}. */
public record FileProgramArguments(FileJob job, Path input, Path output, int threads, Path times) {
    public static FileProgramArguments of(String[] words) {
        if (words.length != 5) {
            throw new IllegalArgumentException("JOB INPUT OUTPUT THREADS TIMES are expected");
        }
        return new FileProgramArguments(
                FileJob.valueOf(words[0].replace('-', '_').toUpperCase(Locale.ROOT)),
                Path.of(words[1]),
                Path.of(words[2]),
                Integer.parseInt(words[3]),
                Path.of(words[4]));
    }

    /** Tells the lab how long the job took, once it has ended well. */
    public void tell(long elapsedNs, String version) throws IOException {
        Files.writeString(times, "{\"elapsedNs\": " + elapsedNs + ", \"version\": \"" + version + "\"}\n");
    }
}

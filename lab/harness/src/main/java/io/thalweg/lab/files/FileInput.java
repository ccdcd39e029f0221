// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A file that a job reads, and what the job must make of it. */
public final class FileInput {
    private final Path path;
    private final long records;
    private final Supplier<Answer> answer;

    FileInput(Path path, long records, Supplier<Answer> answer) {
        this.path = path;
        this.records = records;
        this.answer = answer;
    }

    public Path path() {
        return path;
    }

    /** How many it has. */
    public long records() {
        return records;
    }

    /**
     * What came out of a run.
     *
     * @param rows how many
     * @param problem why that is not what must come out; null if it is
     */
    public record Found(long rows, @Nullable String problem) {}

    /** Looks at each row that a run has written. */
    public Found check(Path output) throws IOException {
        Answer looking = answer.get();
        try {
            return new Found(Rows.read(output, looking), looking.problem());
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return new Found(0, "a row that came out cannot be read: " + e.getMessage());
        }
    }
}

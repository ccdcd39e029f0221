// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds what a job is to continue from. */
public final class Restore {
    private Restore() {}

    /**
     * The newest checkpoint of a directory that is whole; null if there is none at all. The directory removes those that are
     * passed over as soon as it has a newer one.
     *
     * @param warnings hears of each that is passed over
     * @throws ConnectorException if there are some, and all are damaged
     */
    public static @Nullable SavedState latest(CheckpointDirectory directory, Consumer<String> warnings) {
        try {
            List<CheckpointDirectory.Entry> entries = directory.entries();
            List<String> damaged = new ArrayList<>();
            for (int i = entries.size() - 1; i >= 0; i--) {
                Path path = entries.get(i).path();
                try {
                    SavedState saved = SavedState.read(path);
                    damaged.forEach(each -> warnings.accept(each + "; going on from " + path.getFileName()));
                    return saved;
                } catch (IOException e) {
                    damaged.add(path + " cannot be used: " + e.getMessage());
                    directory.passOver(path);
                }
            }
            if (!entries.isEmpty()) {
                throw new ConnectorException("no checkpoint in " + directory.path() + " is whole: "
                        + String.join("; ", damaged) + "; to begin again, give an empty directory");
            }
            return null;
        } catch (IOException e) {
            throw new ConnectorException(
                    "cannot look for checkpoints in " + directory.path() + ": " + e.getMessage(), e);
        }
    }

    /** @throws ConnectorException if the file is missing or damaged */
    public static SavedState from(Path path) {
        try {
            return SavedState.read(path);
        } catch (NoSuchFileException e) {
            throw new ConnectorException("there is no checkpoint " + path, e);
        } catch (IOException e) {
            throw new ConnectorException("cannot go on from " + path + ": " + e.getMessage(), e);
        }
    }
}

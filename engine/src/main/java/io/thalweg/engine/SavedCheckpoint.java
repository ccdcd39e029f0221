// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.engine.checkpoint.CheckpointDirectory;
import io.thalweg.engine.checkpoint.SavedState;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint in a directory, whole or damaged.
 *
 * @param stats null if the file is damaged
 * @param formats descriptions of its operators and states, by operator and by {@code operator: state}
 * @param damage what is wrong with it; null if it is whole
 */
public record SavedCheckpoint(
        Path path,
        long bytes,
        @Nullable CheckpointStats stats,
        Map<String, String> formats,
        @Nullable String damage) {
    /** What the tasks of a sink saved. */
    public record Written(String operator, List<byte[]> tasks) {}

    /** The saved output of all sinks with two-phase commit. */
    public List<Written> written() throws IOException {
        List<Written> written = new ArrayList<>();
        SavedState.read(path).writers().forEach((operator, tasks) -> written.add(new Written(operator, tasks)));
        return written;
    }

    /** The checkpoints of a directory, oldest first; each is read completely to find out whether it is damaged. */
    public static List<SavedCheckpoint> in(Path directory) throws IOException {
        List<SavedCheckpoint> all = new ArrayList<>();
        for (CheckpointDirectory.Entry entry : CheckpointDirectory.entries(directory)) {
            try {
                CheckpointDirectory.Contents contents = CheckpointDirectory.contents(entry.path());
                all.add(new SavedCheckpoint(entry.path(), entry.bytes(), contents.stats(), contents.formats(), null));
            } catch (NoSuchFileException e) {
                // a job that runs has deleted it, as it has newer ones
            } catch (IOException | ConnectorException e) {
                all.add(new SavedCheckpoint(entry.path(), entry.bytes(), null, Map.of(), e.getMessage()));
            }
        }
        return all;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.Fetcher;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.SavedPosition;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The splits that a task reads through the one reader of a {@link LiveSource}. */
public final class LiveSplits {
    /**
     * Which tasks read the splits of a source.
     *
     * @param all splits that the source listed before the job started, or that are in the checkpoint
     * @param restored they are in the checkpoint
     */
    public record Sharing(List<String> all, int task, int parallelism, boolean restored) {}

    private final String operator;
    private final Fetcher<Object> fetcher;
    private final boolean looks;

    /** The last confirmed positions, in a job without checkpoints. */
    private final Map<String, Long> confirmed = new HashMap<>();

    LiveSplits(String thread, String operator, LiveSource<Object> source, Sharing sharing, SourceContext context) {
        this.operator = operator;
        looks = source.discovery().toNanos() > 0;
        fetcher = new Fetcher<>(
                thread,
                source,
                new Fetcher.Share(sharing.all(), sharing.task(), sharing.parallelism(), sharing.restored()),
                context);
    }

    /** True if the source discovers splits while running, so that the input never ends. */
    boolean looks() {
        return looks;
    }

    /** The splits discovered for this task since the last call. */
    List<String> found() throws OperatorException {
        try {
            return looks ? fetcher.found() : List.of();
        } catch (Exception e) {
            throw new OperatorException(operator, "", 0, e);
        }
    }

    SplitReader<Object> openFound(String split) {
        SavedPosition from = SplitProgress.unknown(Fetcher.FOUND);
        return fetcher.read(split, from, reader -> reader.addFound(split));
    }

    SplitReader<Object> open(String split, @Nullable SplitProgress progress, @Nullable Restored restored) {
        if (progress == null || restored == null || progress.position() == Fetcher.NOT_BEGUN) {
            return fetcher.read(split, null, reader -> reader.add(split));
        }
        return progress.position() == Fetcher.FOUND
                ? openFound(split)
                : fetcher.read(split, progress.at(), reader -> resume(reader, split, progress, restored.saved()));
    }

    private void resume(LiveReader<Object> reader, String split, SplitProgress progress, SavedState from)
            throws Exception {
        progress.at()
                .resume(
                        Fetcher.resuming(reader, split),
                        from.info().topology(),
                        operator,
                        split,
                        from.acceptsChangedInput());
    }

    /** The positions that a checkpoint will hold. */
    void onSaved(long checkpoint, List<SplitProgress> all) {
        Map<String, Long> positions = new HashMap<>();
        all.forEach(each -> positions.put(each.split(), each.position()));
        fetcher.onSaved(checkpoint, positions);
    }

    /** All checkpoints up to this one are complete. */
    void onSafe(long completed) {
        fetcher.onSafe(completed);
    }

    /** All records of a split before this position are done. */
    void confirm(String split, long position) {
        Long before = confirmed.put(split, position);
        if (before == null || before != position) {
            fetcher.confirm(split, position);
        }
    }

    void close() {
        fetcher.close();
    }
}

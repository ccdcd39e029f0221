// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.codec.ByteReader;
import java.util.List;

/** A task's share of a saved state. */
public record Restored(SavedState saved, int task, int parallelism) {
    /** The state of the keys that this task owns, in pieces of consecutive entries. */
    public List<SavedState.Piece> keyed(StateName name, StateFormat format) {
        return saved.keyed(name, format, task, parallelism);
    }

    /** The operator state of each former task. */
    public List<ByteReader> whole(StateName name, String format) {
        return saved.whole(name, format);
    }

    /** This task's share of {@link #whole}: each former task's state is taken over by exactly one task, round-robin. */
    public List<ByteReader> share(StateName name, String format) {
        List<ByteReader> all = whole(name, format);
        List<ByteReader> own = new java.util.ArrayList<>();
        for (int i = task; i < all.size(); i += parallelism) {
            own.add(all.get(i));
        }
        return own;
    }
}

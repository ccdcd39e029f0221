// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.codec.ByteReader;
import java.util.List;

/** A task's share of a saved state. */
public record Restored(SavedState saved, int task, int parallelism) {
    /** What is remembered of the keys that this task owns, in pieces of one entry after the other. */
    public List<SavedState.Piece> keyed(StateName name, StateFormat format) {
        return saved.keyed(name, format, task, parallelism);
    }

    /** What each of the former tasks wrote whole. */
    public List<ByteReader> whole(StateName name, String format) {
        return saved.whole(name, format);
    }

    /** Those of {@link #whole} that fall to this task, if each is to be taken over by one: the n-th by the n-th. */
    public List<ByteReader> share(StateName name, String format) {
        List<ByteReader> all = whole(name, format);
        List<ByteReader> own = new java.util.ArrayList<>();
        for (int i = task; i < all.size(); i += parallelism) {
            own.add(all.get(i));
        }
        return own;
    }
}

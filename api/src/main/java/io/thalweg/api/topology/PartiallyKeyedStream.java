// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.WindowVisitor;

/**
 * A stream whose keys are aggregated in several parts; see {@link Stream#partialKeyBy(MapFunction, int)}.
 *
 * @param <K> keys
 * @param <T> records
 */
public final class PartiallyKeyedStream<K, T> {
    private final Stream<T> stream;
    private final KeySpec key;
    private final int parts;

    PartiallyKeyedStream(Stream<T> stream, KeySpec key, int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("partialKeyBy needs at least one part of each key, not " + parts);
        }
        this.stream = stream;
        this.key = key;
        this.parts = parts;
    }

    /**
     * Divides the records into windows.
     *
     * @param window tumbling, or the whole input
     * @throws IllegalArgumentException if it is any other window, because a record could then be late for one part of a
     *     window that is still open
     */
    public WindowedStream<K, T> window(WindowSpec window) {
        if (!window.accept(new EndsAtOnce())) {
            throw new IllegalArgumentException("partialKeyBy cannot aggregate in windows of " + window
                    + ", because a record may be late for a part of one that is still open; it can in tumbling windows and"
                    + " over the whole input; use keyBy for others");
        }
        return new WindowedStream<>(stream, key, window, parts);
    }

    /** Whether all parts of a window end when it does. */
    private static final class EndsAtOnce implements WindowVisitor<Boolean> {
        @Override
        public Boolean aligned(WindowSpec.Aligned spec) {
            return spec.sizeMs() == spec.stepMs();
        }

        @Override
        public Boolean session(WindowSpec.Session spec) {
            return false;
        }

        @Override
        public Boolean count(WindowSpec.Count spec) {
            return false;
        }

        @Override
        public Boolean whole(WindowSpec.Whole spec) {
            return true;
        }
    }
}

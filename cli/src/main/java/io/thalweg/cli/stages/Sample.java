// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came to an operator, in its order. Not thread-safe. */
final class Sample {
    /** Of records and watermarks together. */
    static final int MOST = 200_000;

    /**
     * A record or a watermark.
     *
     * @param input of the task
     * @param value of the record; null for a watermark
     * @param time of the record, or the watermark
     */
    record Item(int input, @Nullable Object value, long time, long stamp) {}

    private final List<Item> items = new ArrayList<>();
    private long records;
    private long kept;

    void add(Item item) {
        records += item.value() == null ? 0 : 1;
        if (items.size() < MOST) {
            items.add(item);
            kept += item.value() == null ? 0 : 1;
        }
    }

    /** All that came, including those that were not kept. */
    long records() {
        return records;
    }

    long kept() {
        return kept;
    }

    List<Item> items() {
        return items;
    }
}

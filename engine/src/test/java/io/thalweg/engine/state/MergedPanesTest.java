// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class MergedPanesTest {
    private static final String KEY = "key";

    /** A late record makes a pane before the end of a window that has been merged, when no other pane is left. */
    @Test
    void shouldTakeALatePaneAfterAWindowWithoutPanes() throws Exception {
        Layout layout = new Layout(counting());
        MergedPanes merged = new MergedPanes(layout, KeyHash.PLAIN);
        TreeMap<Long, KeyTable> panes = new TreeMap<>();
        merged.begin(0, 10, panes);

        assertThat(merged.tookPane(5)).isTrue();
        merged.clear();
        KeyTable late = new KeyTable(layout);
        late.restore(KEY, KeyHash.PLAIN.of(KEY), restored(layout));
        panes.put(5L, late);
        merged.begin(1, 11, panes);

        assertThat(merged.limit()).isEqualTo(1);
        assertThat(merged.merge(0)).isEqualTo(KEY);
    }

    /** The accumulator of no records. */
    private static Object restored(Layout layout) {
        KeyTable empty = new KeyTable(layout);
        return empty.read(empty.add(KEY, KeyHash.PLAIN.of(KEY)));
    }

    @SuppressWarnings("unchecked") // the layout holds records as Object
    private static Aggregate<Object, Object, Object> counting() {
        return (Aggregate<Object, Object, Object>) (Aggregate<?, ?, ?>) Aggregates.count();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import io.thalweg.api.operator.BroadcastState;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Broadcast state of one task, as a map. */
final class OneMap<F, V> implements BroadcastState<F, V> {
    private final Map<F, V> entries = new HashMap<>();

    @Override
    public @Nullable V get(F field) {
        return entries.get(field);
    }

    @Override
    public void put(F field, V value) {
        entries.put(field, value);
    }

    @Override
    public void remove(F field) {
        entries.remove(field);
    }

    @Override
    public void clear() {
        entries.clear();
    }

    @Override
    public Iterator<Map.Entry<F, V>> iterator() {
        return entries.entrySet().iterator();
    }
}

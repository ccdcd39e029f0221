// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Rows that wait while an earlier row of their key, and so its state, is with a process. Those of a key are taken together. */
final class ByKey implements Waiting {
    /** Keys are added until a batch has so many bytes of state. */
    private static final int ENOUGH = 1 << 20;

    /** Keys with rows, and none of them with a process. */
    private final ArrayDeque<KeyRows> ready = new ArrayDeque<>();

    /** All keys with rows that wait. */
    private final Set<KeyRows> keys = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Rows of those that are ready. */
    private int size;

    @Override
    public void add(Call call) {
        KeyRows key = call.key();
        key.waiting.add(call);
        if (key.waiting.size() == 1) {
            keys.add(key);
            if (!key.underWay) {
                ready.add(key);
            }
        }
        if (!key.underWay) {
            size++;
        }
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public List<Call> take(int most) {
        List<Call> taken = new ArrayList<>();
        long bytes = 0;
        while (!ready.isEmpty() && taken.size() < most && bytes < ENOUGH) {
            KeyRows key = ready.remove();
            bytes += key.state == null ? 0 : key.state.length;
            size -= key.waiting.size();
            key.underWay = true;
            while (!key.waiting.isEmpty() && taken.size() < most) {
                taken.add(key.waiting.remove());
            }
            if (key.waiting.isEmpty()) {
                keys.remove(key);
            }
        }
        return taken;
    }

    /** A key with no row in the batch is free again. */
    @Override
    public void notSent(Batch taken, Packed packed) {
        List<Call> left = packed.left();
        for (int i = left.size() - 1; i >= 0; i--) {
            KeyRows key = left.get(i).key();
            key.waiting.addFirst(left.get(i));
            keys.add(key);
        }
        Set<KeyRows> sent = Collections.newSetFromMap(new IdentityHashMap<>());
        packed.batch().calls().forEach(call -> sent.add(call.key()));
        taken.calls().stream().map(Call::key).filter(key -> !sent.contains(key)).forEach(this::release);
    }

    @Override
    public void answered(Batch batch) {
        batch.calls().forEach(call -> release(call.key()));
    }

    private void release(KeyRows key) {
        if (!key.underWay) {
            return;
        }
        key.underWay = false;
        if (!key.waiting.isEmpty()) {
            ready.add(key);
            size += key.waiting.size();
        }
    }

    @Override
    public List<Call> clear() {
        List<Call> all = new ArrayList<>();
        keys.forEach(key -> {
            all.addAll(key.waiting);
            key.waiting.clear();
        });
        keys.clear();
        ready.clear();
        size = 0;
        return all;
    }
}

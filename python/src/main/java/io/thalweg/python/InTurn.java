// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Rows that go in the order in which they came. */
final class InTurn implements Waiting {
    private final ArrayDeque<Call> waiting = new ArrayDeque<>();

    @Override
    public void add(Call call) {
        waiting.add(call);
    }

    @Override
    public int size() {
        return waiting.size();
    }

    @Override
    public List<Call> take(int most) {
        int size = Math.min(waiting.size(), most);
        List<Call> taken = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            taken.add(waiting.remove());
        }
        return taken;
    }

    /** They wait again, before all others. */
    @Override
    public void notSent(Batch taken, Packed packed) {
        List<Call> left = packed.left();
        for (int i = left.size() - 1; i >= 0; i--) {
            waiting.addFirst(left.get(i));
        }
    }

    @Override
    public void answered(Batch batch) {}

    @Override
    public List<Call> clear() {
        List<Call> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }
}

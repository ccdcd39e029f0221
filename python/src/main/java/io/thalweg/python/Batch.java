// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows that are sent together.
 *
 * @param number the process repeats it with the results
 */
record Batch(long number, List<Call> calls) {
    /** A key, and its rows. */
    record OfKey(KeyRows key, List<Call> calls) {}

    /** The keys of the rows, in their order; those of one key stand together. */
    List<OfKey> keys() {
        List<OfKey> keys = new ArrayList<>();
        for (int first = 0, next; first < calls.size(); first = next) {
            KeyRows key = calls.get(first).key();
            next = first + 1;
            while (next < calls.size() && calls.get(next).key() == key) {
                next++;
            }
            keys.add(new OfKey(key, calls.subList(first, next)));
        }
        return keys;
    }

    void fail(Throwable failure) {
        calls.forEach(call -> call.fail(failure));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.util.List;

/**
 * Rows that are sent together.
 *
 * @param number the process repeats it with the results
 */
record Batch(long number, List<Call> calls) {
    void fail(Throwable failure) {
        calls.forEach(call -> call.completeExceptionally(failure));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.util.List;

/** The rows of one task that no process has yet. Used with the lock of the {@link Exchange}. */
interface Waiting {
    void add(Call call);

    /** How many may be taken. */
    int size();

    /** Removes up to so many. */
    List<Call> take(int most);

    /**
     * Some rows of a batch are not sent with it.
     *
     * @param taken the batch as it was taken
     * @param packed what is sent of it, and what is left for another one
     */
    void notSent(Batch taken, Packed packed);

    /** The rows of a batch were answered, and their results handed on. */
    void answered(Batch batch);

    /** Removes all, also those that may not be taken yet. */
    List<Call> clear();
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import org.jspecify.annotations.Nullable;

/**
 * Is told the hashes of some of the keys that go along keyed edges, so that somebody can say how keys divide the records. It gets no key
 * and no record.
 */
@FunctionalInterface
public interface KeyListener {
    /** Nobody wants to know; nothing is added to the path of a record. */
    KeyListener NONE = (from, to, task) -> null;

    /**
     * Whom to tell of an edge. Called from the thread that starts the job, again after each restart.
     *
     * @param from name of the operator that emits
     * @param to name of the operator that receives
     * @param task of the operator that emits, from 0
     * @return null if nobody wants to know
     */
    @Nullable Samples along(String from, String to, int task);

    /** Called by the task, whose time it takes; by no two threads at a time, unless two edges have the same ends and one object. */
    @FunctionalInterface
    interface Samples {
        /**
         * A key was looked at.
         *
         * @param hash what the key's codec says; {@link io.thalweg.api.codec.StableHash} makes a task of it
         * @param records that it stands for: itself and those that were not looked at, on average
         */
        void add(int hash, long records);
    }
}

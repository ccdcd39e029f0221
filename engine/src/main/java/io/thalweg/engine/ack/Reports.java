// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.ack;

/** The way back to the task that read a record. */
public interface Reports {
    /** Of the tree of {@code root}, the records with these ids, combined by XOR, have come into being or are done. */
    void report(long root, long ids);

    /** The tree is not to be completed: its root is to be read again. */
    void fail(long root, String operator, String reason);
}

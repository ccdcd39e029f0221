// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.ack;

/** Reports to the task that read a record. */
public interface Reports {
    /** Records in the tree of {@code root} were created or are done; {@code ids} is the XOR of their ids. */
    void report(long root, long ids);

    /** The tree has failed: its root must be retried. */
    void fail(long root, String operator, String reason);

    /** The trees of records that are derived from several. */
    default JoinedTrees joints() {
        throw new IllegalStateException("no record is derived from several here");
    }
}

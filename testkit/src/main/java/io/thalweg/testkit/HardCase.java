// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

/** Conditions that make a run in a test harder than most runs in production. All are on unless switched off. */
public enum HardCase {
    /**
     * Batches of one record, queues of two batches, one record in each run of a task: every queue is always full
     * (backpressure).
     */
    SMALL_BATCHES,
    /** Sources occasionally have nothing between two records, without having ended. */
    EMPTY_POLLS,
    /** The graph with all its functions is serialized and deserialized by Java before it runs. */
    SERIALIZED,
    /** Each record is encoded and decoded on each edge, compared with the original, and continues as the copy. */
    CODECS,
    /** No split of a source is read further while another one is behind it (watermark alignment). */
    ALIGNED
}

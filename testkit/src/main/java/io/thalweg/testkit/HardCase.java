// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

/** What makes a run in a test harder than most runs in production; all of it is on unless switched off. */
public enum HardCase {
    /** Batches of one record, queues of two batches, one record a turn: every queue is full all the time. */
    SMALL_BATCHES,
    /** Sources have nothing now and then, between records, without being at their end. */
    EMPTY_POLLS,
    /** The graph with all functions in it is written and read with Java's serialization before it runs. */
    SERIALIZED,
    /** Each record is encoded and decoded on each edge, compared with itself, and goes on as the copy. */
    CODECS,
    /** No split of a source is read on while another one is behind it. */
    ALIGNED
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

/** What a source does if the offset to continue from is no longer, or not yet, in the topic. */
public enum OutOfRange {
    /** Fails the job; the message says which offsets the partition has. */
    FAIL,
    /** Continues with the oldest existing message, and warns of what was skipped. */
    EARLIEST,
    /** Continues with new messages, and warns of what was skipped. */
    LATEST
}

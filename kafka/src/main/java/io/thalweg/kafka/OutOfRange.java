// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

/**
 * What a source does if the offset to continue from is no longer, or not yet, in the topic; or if the topic has lost
 * messages that were read, so that other ones may have their offsets.
 */
public enum OutOfRange {
    /** Fails the job; the message says which offsets the partition has. */
    FAIL,
    /** Continues with the oldest existing message that was not read, and warns of what was lost. */
    EARLIEST,
    /** Continues with new messages, and warns of what was skipped. */
    LATEST
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

/** What a source does if the offset that it is to go on from is not in the topic any more, or not yet. */
public enum OutOfRange {
    /** The job fails and says which offsets the partition has. */
    FAIL,
    /** Goes on with the oldest message that is there, and says in a line what was left out. */
    EARLIEST,
    /** Goes on with what comes, and says in a line what was left out. */
    LATEST
}

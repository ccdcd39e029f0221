// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

/**
 * What became of the source records of a job with the guarantee {@code acked}. On Storm, tuples of spouts are counted, those that timed
 * out as failed, and {@code timedOut}, {@code givenUp} and {@code complete} are zero.
 *
 * @param pending emitted, and not yet acked
 * @param acked completely processed: the record and everything derived from it
 * @param failed how often a function threw {@link io.thalweg.api.operator.RecordFailedException}; a record may count
 *     several times
 * @param timedOut how often a record was not acked within the timeout; a record may count several times
 * @param givenUp failed or timed out after all retries, and now counted among the bad records
 * @param complete time from when a record was due until it was acked
 */
public record AckStats(long pending, long acked, long failed, long timedOut, long givenUp, LatencyStats complete) {
    /** All zero: a job that is not acked. */
    public static final AckStats NONE = new AckStats(0, 0, 0, 0, 0, LatencyStats.NONE);
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

/**
 * What became of the records of all sources, in a job that is acked.
 *
 * @param pending sent, and not done
 * @param acked all that came of them is done
 * @param failed a function threw {@link io.thalweg.api.operator.RecordFailedException}; counted each time
 * @param timedOut not done within the timeout; counted each time
 * @param givenUp failed or timed out as often as is allowed, and now among the bad records
 * @param complete how long it took from when a record was due until all that came of it was done
 */
public record AckStats(long pending, long acked, long failed, long timedOut, long givenUp, LatencyStats complete) {
    public static final AckStats NONE = new AckStats(0, 0, 0, 0, 0, LatencyStats.NONE);
}

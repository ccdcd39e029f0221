// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.time;

/**
 * The rules for sessions. A record is a span of time from its event time to that plus the gap. Which sessions it joins must not
 * depend on which path was faster, so records are applied in the order of their stamps, each once the watermark has reached
 * its stamp: nothing with a lower stamp can come any more. First the sessions that are closed by that stamp are removed; the
 * record joins those that it touches, and they become one.
 */
public final class SessionRules {
    private SessionRules() {}

    /** Whether two spans are parts of one session. Both ends are exclusive. */
    public static boolean touch(long start, long end, long otherStart, long otherEnd) {
        return start <= otherEnd && otherStart <= end;
    }

    /**
     * Whether a session that a record has joined is emitted at once, with the stamp of the record, because its result has
     * changed. Otherwise it fires when it is complete, even if a part of it has fired before.
     *
     * @param joinsFired a session that has become a part of it had fired
     * @param end of the session, with the record
     */
    public static boolean firesAgain(boolean joinsFired, long end, long stamp) {
        return joinsFired && WindowTimes.complete(end) <= stamp;
    }
}

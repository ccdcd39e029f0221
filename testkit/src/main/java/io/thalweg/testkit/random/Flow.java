// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.api.topology.Stream;

/**
 * A stream of a random topology, with the properties that decide which operators have a deterministic result on it.
 *
 * @param timed it has event time
 * @param steady each record has the same event time on every run, which is its own {@link Event#time()}
 * @param punctual no record is later than its stamp
 * @param broadcast it holds copies for every task
 */
record Flow(Stream<Event> stream, String name, boolean timed, boolean steady, boolean punctual, boolean broadcast) {
    Flow to(Stream<Event> next, String nextName) {
        return new Flow(next, nextName, timed, steady, punctual, broadcast);
    }

    /** Which record of several has passed, or which result goes with which, depends on chance. */
    Flow unsteady() {
        return new Flow(stream, name, timed, false, false, broadcast);
    }

    Flow with(boolean nowTimed, boolean nowPunctual) {
        return new Flow(stream, name, nowTimed, true, nowPunctual, broadcast);
    }

    boolean windowable() {
        return timed && steady;
    }
}

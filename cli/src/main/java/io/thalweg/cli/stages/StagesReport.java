// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of the operators of a job, each alone on one thread.
 *
 * @param version of this format: {@link #VERSION}
 * @param topology its name
 * @param records that sources read for it
 * @param recordsBad bad records among them, and those that could not be read
 * @param complete the input had no more than these
 * @param cores that this process may use
 * @param passingNs that it takes to give a record to an operator that does nothing, and to take it back; part of every
 *     operator's time
 * @param sourceNs of one core that all operators together take for a record of a source
 * @param balancedRate records of sources per second at which the operators keep all cores busy; null if no operator was timed
 * @param wantedRate records of sources per second that were asked for; null if none were
 * @param stages the operators that were timed, in the order of the job
 * @param untimed the others
 */
public record StagesReport(
        int version,
        String topology,
        long records,
        long recordsBad,
        boolean complete,
        int cores,
        double passingNs,
        double sourceNs,
        @Nullable Double balancedRate,
        @Nullable Double wantedRate,
        List<Stage> stages,
        List<Untimed> untimed) {
    /** The version that this code writes. */
    public static final int VERSION = 1;

    public StagesReport {
        stages = List.copyOf(stages);
        untimed = List.copyOf(untimed);
    }

    /**
     * An operator that was timed.
     *
     * @param operator its name
     * @param kind {@code map}, {@code window}
     * @param recordsIn that came to it
     * @param recordsOut that it emitted for them
     * @param selectivity records that it emits for each that comes
     * @param recordsPerSecond that it processes, half of the rounds were faster
     * @param slowest round, in records per second
     * @param fastest round, in records per second
     * @param onCore share of this time in which it was on a core; otherwise it stood still in calls
     * @param crowded share of all time in which it was ready and others had the cores, which is left out; null if unknown
     * @param rising it was still getting faster
     * @param sourceNs of one core for each record of a source
     * @param share of what all operators take
     * @param balancedTasks with which it keeps up when all cores are busy
     * @param wantedTasks with which it keeps up with the wanted rate; null if none was given
     * @param notes what to know about the figures
     */
    public record Stage(
            String operator,
            String kind,
            long recordsIn,
            long recordsOut,
            double selectivity,
            double recordsPerSecond,
            double slowest,
            double fastest,
            double onCore,
            @Nullable Double crowded,
            boolean rising,
            double sourceNs,
            double share,
            long balancedTasks,
            @Nullable Long wantedTasks,
            List<String> notes) {
        public Stage {
            notes = List.copyOf(notes);
        }
    }

    /**
     * An operator that was not timed.
     *
     * @param operator its name
     * @param kind {@code source}
     * @param why in a few words
     */
    public record Untimed(String operator, String kind, String why) {}
}

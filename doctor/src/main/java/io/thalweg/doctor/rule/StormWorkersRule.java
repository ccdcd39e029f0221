// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.StormError;
import io.thalweg.doctor.observation.StormTopology;
import java.util.ArrayList;
import java.util.List;

/** Executors of a topology of Storm run nowhere, or report errors. */
final class StormWorkersRule implements Rule {
    private static final double NOT_RUNNING = 0.97;
    private static final double ERRORS = 0.7;

    /** An error that is older than this and has not come again is over. Storm's first window has the same length. */
    private static final long RECENT_SECONDS = 600;

    @Override
    public List<Finding> findings(Facts facts) {
        StormTopology storm = facts.observation().storm();
        List<Finding> found = new ArrayList<>();
        if (storm == null) {
            return found;
        }
        List<StormError> recent = storm.errors().stream()
                .filter(error -> error.secondsAgo() <= RECENT_SECONDS)
                .toList();
        if (storm.silentExecutors() > 0) {
            found.add(notRunning(storm, recent));
        } else if (!recent.isEmpty() && facts.observation().restarts().times() == 0) {
            found.add(errors(new StormFacts(facts, storm), recent));
        }
        return found;
    }

    private static Finding notRunning(StormTopology storm, List<StormError> recent) {
        String scheduling = storm.scheduling();
        String why = !recent.isEmpty()
                ? text(recent.get(0))
                : scheduling != null && !scheduling.isEmpty()
                        ? "the scheduler says: " + scheduling
                        : "their workers do not start, or end before they tell anything, and no error was reported";
        return Findings.of("not-running")
                .figure("executors that tell nothing", storm.silentExecutors(), "")
                .figure("workers", storm.workers().size(), "")
                .why("a part of the topology does not run: " + why)
                .remedy(
                        "look at the worker.log of these workers and at the supervisor.log of their machine; a heap that"
                                + " the machine has no room for (topology.worker.max.heap.size.mb, worker.childopts) and too few"
                                + " slots (supervisor.slots.ports) are common causes")
                .made(NOT_RUNNING, null, "the topology was submitted a moment ago, and its workers are still starting");
    }

    private static Finding errors(StormFacts facts, List<StormError> recent) {
        StormError newest = recent.get(0);
        return Findings.of("errors")
                .operator(newest.component())
                .figure("errors in ten minutes", recent.size(), "")
                .figure("since the newest", newest.secondsAgo(), "s")
                .why(text(newest))
                .remedy("repair the cause; "
                        + (facts.runsHere()
                                ? "the newest ten errors of each component are kept"
                                : "Storm keeps the newest errors of each component only, and few of a burst"))
                .made(ERRORS, null, "no further error is reported");
    }

    static String text(StormError error) {
        return "'" + error.component() + "' in " + error.worker() + ": " + error.text();
    }
}

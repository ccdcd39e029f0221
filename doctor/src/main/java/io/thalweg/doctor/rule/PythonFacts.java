// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.observation.PythonWork;

/**
 * Where the time of an operator's Python processes went.
 *
 * @param facts of the observation
 * @param work what they did
 */
record PythonFacts(Facts facts, PythonWork work) {
    private long cpuNs() {
        Long known = work.cpuNs();
        return known == null ? 0 : known;
    }

    /** In the function; that of the whole process if it does not tell. */
    private long functionNs() {
        Long known = work.functionNs();
        return known == null ? cpuNs() : known;
    }

    /** Without a core, too, if they tell how long they waited for rows. */
    private double busyNs() {
        Long waited = work.waitedNs();
        long busy = waited == null ? Math.max(cpuNs(), functionNs()) : work.observedNs() - waited;
        return Math.max(1, busy);
    }

    /** Of the time of the processes, that in which they had something to do. */
    double busy() {
        return Math.min(1, busyNs() / Math.max(1, work.observedNs()));
    }

    /** Of the time of the processes. */
    double inFunction() {
        return Math.min(1, (double) functionNs() / Math.max(1, work.observedNs()));
    }

    /** Of the busy time, that outside of the function: they unpack rows and pack results. */
    double serializing() {
        return work.functionNs() == null ? 0 : Math.max(0, 1 - functionNs() / busyNs());
    }

    /** Of the time in the function, that in which it did not compute: it waited for something, or for a core. */
    double standing() {
        return work.cpuNs() == null || functionNs() == 0
                ? 0
                : Math.max(0, functionNs() - cpuNs()) / (double) functionNs();
    }

    /** CPU time of the threads that talk to the processes, in cores. */
    double talking() {
        Long known = work.threadsNs();
        return known == null ? 0 : known / lengthNs();
    }

    /** CPU time of the processes, in cores. */
    double cores() {
        return cpuNs() / lengthNs();
    }

    private double lengthNs() {
        return Math.max(1, (double) work.observedNs() / Math.max(1, work.processes()));
    }

    boolean takesRows() {
        return work.takes().equals("rows");
    }

    boolean takesColumns() {
        return work.takes().equals("arrow");
    }

    boolean packsInPython() {
        return work.packing().equals("built in");
    }

    double rowsPerBatch() {
        return (double) work.rows() / Math.max(1, work.batches());
    }

    double microsPerRow() {
        return functionNs() / 1e3 / Math.max(1, work.rows());
    }

    /** How much faster the job could be, if its other tasks were all that limits it. */
    double roomOfOthers() {
        return facts.chains().stream()
                .filter(chain -> chain.busyThreads() > 0)
                .mapToDouble(chain -> chain.tasks().size() / chain.busyThreads())
                .min()
                .orElse(Double.MAX_VALUE);
    }

    /** The same for the cores, if those that others use now are free for it. */
    double roomBesideOthers() {
        return facts.cores() / Math.max(0.01, facts.usedCores() + cores());
    }

    /** The same for the cores: what others use stays theirs. */
    double roomOnCores() {
        return Math.min(facts.roomOnCores(), roomBesideOthers());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

/**
 * The model of DS2 (Kalavri et al., OSDI 2018): a task's true rate is what it processes in a second of useful time, and
 * true rates with the parallelism of each operator say what a job could process. Beyond it, tasks share threads: the
 * useful time of all of them is no more than what the threads have.
 */
final class Capacity {
    private final Facts facts;

    Capacity(Facts facts) {
        this.facts = facts;
    }

    /**
     * How much faster the job would be with another number of tasks for one chain. What tasks do for a source record stays
     * the same.
     */
    double gain(ChainFacts chain, int parallelism) {
        return limit(chain, parallelism) / limit(chain, chain.tasks().size());
    }

    /** How often in the observed time the job could have processed what it processed in it. */
    private double limit(ChainFacts changed, int parallelism) {
        double shared = 0;
        double limit = Double.MAX_VALUE;
        for (ChainFacts chain : facts.chains()) {
            double busy = chain.busyThreads();
            int tasks = chain.info().number() == changed.info().number()
                    ? parallelism
                    : chain.tasks().size();
            limit = busy > 0 ? Math.min(limit, tasks / busy) : limit;
            shared += chain.sharesThreads() ? busy : 0;
        }
        if (facts.haveOwnThreads()) {
            return Math.min(limit, facts.roomOnWorkers());
        }
        int threads = Math.min(facts.workers(), facts.cores());
        return shared > 0 ? Math.min(limit, threads / shared) : limit;
    }

    /** The fewest tasks of a chain with which something else limits the job. */
    int impliedParallelism(ChainFacts chain) {
        int tasks = chain.tasks().size();
        while (tasks < facts.mostTasks(chain) && gain(chain, tasks + 1) > gain(chain, tasks) * 1.01) {
            tasks++;
        }
        return tasks;
    }
}

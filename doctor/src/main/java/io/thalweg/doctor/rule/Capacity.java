// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.observation.KeyShares;
import io.thalweg.doctor.observation.TaskSpan;

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
     * the same, and all records of a key go to one task.
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
            double tasks = chain.tasks().size();
            if (chain.info().number() == changed.info().number()) {
                tasks *= worth(chain, parallelism) / worth(chain, chain.tasks().size());
            }
            limit = busy > 0 ? Math.min(limit, tasks / busy) : limit;
            shared += chain.sharesThreads() ? busy : 0;
        }
        if (facts.haveOwnThreads()) {
            return Math.min(limit, facts.roomOnWorkers());
        }
        int threads = Math.min(facts.workers(), facts.cores());
        return shared > 0 ? Math.min(limit, threads / shared) : limit;
    }

    /** How much faster the job could be at most with any number of tasks for a chain: until one does nothing but the hottest key. */
    double mostGain(ChainFacts chain) {
        KeyShares keys = facts.keys(chain, facts.dominant(chain));
        return keys == null || keys.hottestShare() == 0
                ? Double.MAX_VALUE
                : 1 / keys.hottestShare() / worth(chain, chain.tasks().size());
    }

    /** How many tasks that get equally much would do as much as these, of which one gets the hottest key. */
    private double worth(ChainFacts chain, int tasks) {
        KeyShares keys = facts.keys(chain, facts.dominant(chain));
        return keys == null ? tasks : Math.min(tasks, 1 / keys.largestPart(tasks));
    }

    /**
     * How much faster the job could be if no task had to stop for its state to be saved: until a task is busy all the time with
     * records, or all threads are, or the sources have no more. What records surely take now, they take then, too.
     *
     * @param stopped share of the time for which tasks with state stop; 0 to ask what room there is as it is
     */
    double roomWithoutStops(double stopped) {
        if (facts.keepsUp()) {
            return 1;
        }
        double room = Double.MAX_VALUE;
        double busy = 0;
        double useful = 0;
        for (ChainFacts chain : facts.chains()) {
            double less = facts.savesState(chain) ? stopped : 0;
            boolean shares = chain.sharesThreads() || facts.haveOwnThreads();
            for (TaskSpan task : chain.tasks()) {
                double rest = Math.max(0, chain.busy(task) - less);
                room = rest > 0 ? Math.min(room, 1 / rest) : room;
                useful += shares ? rest : 0;
            }
            busy += shares ? chain.busyThreads() : 0;
        }
        useful = Math.max(useful, facts.recordShare() * (busy - facts.blockedWorkers()));
        double threads =
                facts.haveOwnThreads() ? facts.roomOnWorkers() * busy : Math.min(facts.workers(), facts.cores());
        return Math.max(1, useful > 0 ? Math.min(room, threads / useful) : room);
    }

    /** The fewest tasks of a chain with which something else limits the job. */
    int impliedParallelism(ChainFacts chain) {
        int best = chain.tasks().size();
        double gain = 1;
        for (int tasks = best + 1;
                tasks <= facts.mostTasks(chain);
                tasks++) { // hot keys may meet with one more, and part with two
            double more = gain(chain, tasks);
            if (more > gain * 1.01) {
                best = tasks;
                gain = more;
            }
        }
        return best;
    }
}

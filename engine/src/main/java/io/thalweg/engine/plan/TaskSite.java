// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.chain.FailureHistory;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.LoopPart;
import io.thalweg.engine.chain.PoisonRecords;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.work.TurnLimit;
import org.jspecify.annotations.Nullable;

/**
 * The task that is being built: its place in the job, and what its operators share.
 *
 * @param index of the task among those of its chain
 * @param number of the task among all of the job
 * @param wakeUp wakes the thread of the task
 * @param loop its part in the loop that it is within; null if it is in none
 */
record TaskSite(
        JobBuild job,
        Chain chain,
        int index,
        int number,
        Runnable wakeUp,
        Frame frame,
        Specialiser specialiser,
        @Nullable LoopPart loop) {
    static TaskSite of(JobBuild job, Chain chain, int index, int number, Runnable wakeUp) {
        BuildSettings settings = job.settings();
        Frame frame = new Frame(job.badRecords());
        frame.connections = operator -> settings.lost().of(operator, index);
        FailureHistory failureHistory = settings.failureHistory();
        if (failureHistory.tries() > 0) {
            frame.poisonRecords = new PoisonRecords(frame, failureHistory, settings.clock());
        }
        Specialiser specialiser = new Specialiser(
                settings.specialise(), settings.stages(), chain.head().name());
        LoopPart loop = null;
        if (job.links() instanceof JobBuild.Local local) {
            frame.turn = new TurnLimit(settings.clock());
            loop = local.loops().partOf(chain, index);
        }
        return new TaskSite(job, chain, index, number, wakeUp, frame, specialiser, loop);
    }

    TopologyGraph graph() {
        return job.plan().graph();
    }

    int parallelism() {
        return chain.parallelism();
    }

    boolean isHead(Node node) {
        return chain.head().id() == node.id();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.graph.ProcessingTimers;
import io.thalweg.engine.HostedPlan;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;

/** How a topology runs on Storm, for a person to read. */
final class Explanation {
    private Explanation() {}

    static String of(HostedPlan plan, RunSettings settings) {
        StringBuilder text = new StringBuilder("topology ")
                .append(plan.graph().name())
                .append(" on Storm: ")
                .append(count(plan.parts().size(), "component"))
                .append(", ")
                .append(count(plan.tasks(), "task"))
                .append(", and the watch bolt\n\n");
        for (HostedPlan.Part part : plan.parts()) {
            text.append("  ")
                    .append(TaskHost.component(part.number()))
                    .append(part.reads() ? ": spout, " : ": bolt, ")
                    .append(count(part.parallelism(), "task"))
                    .append(": ")
                    .append(String.join(" + ", part.operators()))
                    .append('\n');
        }
        text.append("\nedges between them\n");
        for (HostedPlan.Link link : plan.links()) {
            text.append("  ")
                    .append(link.name())
                    .append(": ")
                    .append(link.grouping())
                    .append(", ")
                    .append(link.codecText())
                    .append(link.timed() ? ", event time" : "")
                    .append("; ")
                    .append(link.reason())
                    .append('\n');
        }
        if (plan.links().isEmpty()) {
            text.append("  none\n");
        }
        return text.append(ProcessingTimers.marks(plan.graph()))
                .append("\nguarantee ")
                .append(settings.guarantee().words())
                .append(": ")
                .append(promise(settings))
                .append('\n')
                .toString();
    }

    private static String promise(RunSettings settings) {
        CheckpointSettings checkpoints = settings.checkpoints();
        if (checkpoints != null) {
            return "a checkpoint every " + checkpoints.interval().toMillis() + " ms in " + checkpoints.directory()
                    + ", which all machines must see under that name; if a worker dies, all tasks restart from the last"
                    + " one, and sinks get some rows again: the last of each window and key counts";
        }
        AckSettings acks = settings.acks();
        return acks == null
                ? "Storm's at-most-once; the job fails if a worker dies"
                : "Storm's acks: at most " + acks.maxPending()
                        + " tuples of a spout task are pending, and a tuple that failed or was not acked after "
                        + acks.timeout().toMillis() + " ms is replayed from the spout's memory";
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}

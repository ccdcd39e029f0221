// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.FlinkVertex;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.TaskSpan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Tasks of Flink that have no slot; or that have records, and whose event time stands still, since a task of a source has none. */
final class FlinkTasksRule implements Rule {
    private static final double NOT_RUNNING = 0.97;

    /** Of the looks: with one half of them, the other is there to see that it moves. */
    private static final double STILL = 0.5;

    /** Watermarks of Flink's sources come five times a second (pipeline.auto-watermark-interval is 200 ms): so many are missing. */
    private static final double LEAST_SECONDS = 3;

    /** As that of a split of Thalweg's own sources; but whether somebody waits for event time there, Flink does not tell. */
    private static final double IDLE = 0.6;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        FlinkFacts.of(facts).ifPresent(of -> {
            Long waiting = of.flink().waitingForSlots();
            if (waiting != null && facts.observation().restarts().times() == 0) {
                found.add(notRunning(facts, waiting));
            }
            for (FlinkVertex vertex : of.flink().vertices()) {
                Double still = vertex.watermarkStill();
                Long watermark = vertex.watermark();
                if (watermark != null
                        && still != null
                        && still >= STILL
                        && still * of.seconds() >= LEAST_SECONDS
                        && watermark < Long.MAX_VALUE
                        && recordsIn(facts, vertex.vertex()) > 0) {
                    idle(facts, vertex, watermark, still * of.seconds(), found);
                }
            }
        });
        return found;
    }

    private static Finding notRunning(Facts facts, long waiting) {
        int most = facts.plan().operators().stream()
                .mapToInt(PlanInfo.Operator::parallelism)
                .max()
                .orElse(0);
        return Findings.of("not-running")
                .figure("tasks without a slot", waiting, "")
                .figure("slots that the job needs, at least", most, "")
                .figure("slots of the cluster", facts.slots(), "")
                .why(
                        "no task of the job runs: they wait for slots, which the cluster has not, or which other jobs have")
                .remedy(
                        "give the job a smaller parallelism, which one slot for each task of its widest vertex is enough for; or the"
                                + " cluster more TaskManagers, or more slots (taskmanager.numberOfTaskSlots); after slot.request.timeout"
                                + " the job fails")
                .made(NOT_RUNNING, null, "the job was submitted a moment ago, or TaskManagers are still starting");
    }

    /** That came in the newer half, in which event time stands still. */
    private static long recordsIn(Facts facts, Predicate<TaskSpan> tasks) {
        List<Span> spans = facts.observation().spans();
        return spans.subList(spans.size() / 2, spans.size()).stream()
                .flatMap(span -> span.tasks().stream())
                .filter(tasks)
                .mapToLong(TaskSpan::recordsIn)
                .sum();
    }

    private static long recordsIn(Facts facts, String vertex) {
        return recordsIn(facts, task -> task.operators().contains(vertex));
    }

    private static void idle(Facts facts, FlinkVertex vertex, long watermark, double seconds, List<Finding> found) {
        for (ChainFacts source : facts.chains()) {
            List<String> silent = source.tasks().stream()
                    .map(TaskSpan::task)
                    .filter(task -> recordsIn(facts, each -> each.task().equals(task)) == 0)
                    .toList();
            boolean told = found.stream().anyMatch(each -> source.head().equals(each.operator()));
            if (facts.startsWithSource(source)
                    && facts.leads(source.head(), vertex.vertex())
                    && !silent.isEmpty()
                    && !told) {
                found.add(Findings.of("idle-split")
                        .operator(source.head())
                        .task(silent.get(0))
                        .figure(
                                "tasks of the source without a record",
                                silent.size(),
                                "of " + source.tasks().size())
                        .figure("the watermark of '" + vertex.vertex() + "' stood still for, at least", seconds, "s")
                        .figure("records that came to it meanwhile", recordsIn(facts, vertex.vertex()), "")
                        .why("event time stands still in '" + vertex.vertex() + "', at "
                                + Instant.ofEpochMilli(watermark)
                                + ", though records come: it is that of the input that is least far, and '"
                                + source.head()
                                + "' has none to tell a later one by, so windows and timers behind it do not fire")
                        .remedy("add .withIdleness(…) to the watermark strategy of '" + source.head()
                                + "': a source, or a split, without records then no longer counts; those that it gets later may be"
                                + " late")
                        .made(
                                IDLE,
                                null,
                                "nothing behind it goes by event time; or the source gets a record, and windows fire"));
            }
        }
    }
}

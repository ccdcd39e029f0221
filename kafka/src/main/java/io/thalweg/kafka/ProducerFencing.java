// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.SinkContext;
import java.util.List;
import java.util.Map;

/**
 * Outputs with this job's prefix of transactional ids that must not be written any more: those of another job, and
 * those of an earlier
 * run with more tasks. Outputs in the checkpoint are left to {@link Takeover}, because other tasks may be handling them.
 *
 * @param lineage which run was the first of those of which each was restored from a checkpoint of the one before; empty if this task
 *     does not know, because it took over no former task
 * @param forAll true in one task of the job, or in none
 */
record ProducerFencing(SinkSettings sink, SinkContext context, OutputName own, String lineage, boolean forAll) {
    static ProducerFencing of(SinkSettings sink, SinkContext context, OutputName own, List<SavedOutput> saved) {
        boolean known = context.checkpoint() == 0 || !saved.isEmpty();
        String lineage = known ? context.run() : "";
        boolean forAll = known && context.task() == 0;
        List<SavedOutput> former = saved.stream()
                .filter(output -> output.name().prefix().equals(own.prefix()))
                .toList();
        if (!former.isEmpty()) {
            lineage = former.stream()
                    .map(output -> output.last().lineage())
                    .filter(each -> !each.isEmpty())
                    .findFirst()
                    .orElse("");
            forAll = former.stream().anyMatch(output -> output.name().task() == 0);
        }
        return new ProducerFencing(sink, context, own, lineage, forAll && !lineage.isEmpty());
    }

    /** Outputs of unknown lineage count as related: if they belonged to another job, its other tasks would fail by fencing. */
    private boolean related(OutputNumbers.Entry entry) {
        return entry.lineage().isEmpty() || entry.lineage().equals(lineage);
    }

    /**
     * Fences them; the ids of this task's output are fenced already.
     *
     * @throws io.thalweg.api.connector.ConnectorException if one of them has committed messages from after the restored
     *     checkpoint
     */
    void end(OutputNumbers numbers) throws InterruptedException {
        for (Map.Entry<OutputName, OutputNumbers.Entry> each :
                numbers.under(own.prefix(), sink.topic()).entrySet()) {
            OutputName name = each.getKey();
            boolean mine = name.equals(own);
            boolean related = related(each.getValue());
            if (!mine && (!forAll || ours(name) || (related && !later(name)))) {
                continue;
            }
            if (!mine) {
                Sender.fence(sink, name);
            }
            numbers.awaitEnded(name, sink.topic());
            if (related) {
                OutputNumbers.Entry now = numbers.of(name.toString(), sink.topic());
                if (now != null && now.number() > 0) {
                    throw Takeover.tooOld(sink, context, own.prefix());
                }
            }
        }
    }

    /** Another task of this run takes these ids itself, and may have done so, with a number that is still another job's. */
    private boolean ours(OutputName name) {
        return name.checkpoint() == context.checkpoint() && name.task() < context.parallelism();
    }

    /** True for the output of a run with more tasks from the same checkpoint, or from a later one. */
    private boolean later(OutputName name) {
        return name.checkpoint() > context.checkpoint()
                || (name.checkpoint() == context.checkpoint() && name.task() >= context.parallelism());
    }
}

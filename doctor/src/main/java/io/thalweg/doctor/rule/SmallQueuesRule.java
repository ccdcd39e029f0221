// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.whatif.Network;
import java.util.List;

/** The job was given smaller queues or batches than the default ones, and spends its cores on handing records over. */
final class SmallQueuesRule implements Rule {
    /** Of all samples; as for an edge that need not be there. */
    private static final double MIN_SHARE = 0.05;

    /** What is left of the cost with full batches: an estimate. */
    private static final double LEFT = 0.25;

    @Override
    public List<Finding> findings(Facts facts) {
        long queue = facts.queueBatches();
        long batch = facts.batchRecords();
        boolean small = (queue > 0 && queue < Network.QUEUE_BATCHES) || (batch > 0 && batch < Network.BATCH_RECORDS);
        double share = facts.handOverShare();
        if (!small || share < MIN_SHARE || facts.keepsUp() || !(facts.isMachineFull() || facts.waitsForHandOver())) {
            return List.of();
        }
        double busy = Math.min(1, facts.busyWorkers() / Math.min(facts.workers(), facts.cores()));
        Findings finding = Findings.of("small-queues");
        if (queue > 0) {
            finding.figure("room of a queue", queue, "batches of " + Network.QUEUE_BATCHES);
        }
        if (batch > 0) {
            finding.figure("records of a full batch", batch, "of " + Network.BATCH_RECORDS);
        }
        return finding.share("of all samples in handing records over", share)
                .figure("threads busy", facts.busyWorkers(), "of " + facts.workers())
                .figure("cores used", facts.usedCores(), "of " + facts.cores())
                .why("each batch is handed over and looked for by itself, and holds few records")
                .remedy("take larger ones; the default is " + Network.QUEUE_BATCHES + " batches of "
                        + Network.BATCH_RECORDS
                        + " records, and of Storm's topologies what topology.producer.batch.size says")
                .throughput(
                        1 / (Math.max(0.1, busy) * (1 - share * (1 - LEFT))),
                        "the job is as fast with the default ones");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.FlinkSamples;
import io.thalweg.doctor.observation.ProcessSpan;
import java.util.ArrayList;
import java.util.List;

/** State of Flink is kept in the wrong place: small state that is serialized at each access, or so much that the heap is full of it. */
final class FlinkStateRule implements Rule {
    /** Of the time of the tasks, as for Kryo and copies, if the state could be elsewhere. */
    private static final double MIN_SHARE = 0.1;

    /** The same, if it has to stay: then most of what the tasks do is to reach it. */
    private static final double MOST_OF_THE_TIME = 0.5;

    /** Of the time in the backend, on the heap instead: Flink's manual calls it an order of magnitude slower than the heap. */
    private static final double MOST_SAVED = 0.9;

    /** The same at least: an estimate, for keys and values that are small and in RocksDB's cache. */
    private static final double LEAST_SAVED = 0.5;

    /** What an entry takes as objects, beside what it takes serialized in a checkpoint: an estimate. */
    private static final double AS_OBJECTS = 4;

    /** Of the heap, for state that is to be kept there. */
    private static final double ROOM = 0.5;

    /** Of the heap, for state as it is serialized in a checkpoint: as objects it takes more. */
    private static final double MUCH = 0.4;

    /** Of the time in collections; below it, the heap is large enough. */
    private static final double MIN_COLLECTING = 0.05;

    private static final double SEVERITY = 0.3;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        FlinkFacts.of(facts).ifPresent(of -> {
            for (ChainFacts chain : facts.chains()) {
                FlinkSamples samples = of.samples(chain.head());
                if (samples != null && of.limits(chain)) {
                    found.addAll(offHeap(of, chain, samples));
                }
            }
            found.addAll(onHeap(of));
        });
        return found;
    }

    private static List<Finding> offHeap(FlinkFacts facts, ChainFacts chain, FlinkSamples samples) {
        double share = FlinkFacts.ofTime((double) samples.state() / samples.all(), chain);
        if (share < MIN_SHARE) {
            return List.of();
        }
        Findings finding = finding(facts)
                .operator(chain.head())
                .share("of the time of its tasks in reaching its state", share)
                .share("busy", FlinkFacts.busy(chain))
                .why(facts.why(chain)
                        + ", and each access to its state serializes the key and the value, and may read from disk");
        long state = bytes(facts);
        if (state > 0 && state * AS_OBJECTS <= ROOM * heap(facts)) {
            return finding.remedy("keep it on the heap, which has room for it")
                    .option("state.backend.type: hashmap")
                    .throughput(
                            facts.gainWithout(chain, share * LEAST_SAVED),
                            facts.gainWithout(chain, share * MOST_SAVED),
                            "the state grows beyond the heap; or the job is as fast with it there");
        }
        if (share < MOST_OF_THE_TIME) {
            return List.of();
        }
        return List.of(finding.remedy(
                        "reach it less often for each record, give it more memory (taskmanager.memory.managed.fraction) and a local"
                                + " disk (state.backend.rocksdb.localdir); on the heap it is faster, if there is room for it")
                .made(SEVERITY, null, "with a function that reaches no state the job is as slow"));
    }

    private static List<Finding> onHeap(FlinkFacts facts) {
        String backend = facts.flink().stateBackend();
        double collecting = facts.facts().gcShare();
        if (backend == null
                || !backend.contains("HashMap")
                || collecting < MIN_COLLECTING
                || bytes(facts) < MUCH * Math.max(1, heap(facts))) {
            return List.of();
        }
        return List.of(finding(facts)
                .share("of the time in collections", collecting)
                .why("all state is on the heap, which is full of it, and each checkpoint writes all of it")
                .remedy(
                        "keep it on disk, where checkpoints can be incremental, if functions reach it seldom; or give the TaskManagers"
                                + " a larger heap")
                .option("state.backend.type: rocksdb")
                .made(SEVERITY, null, "what fills the heap is something else"));
    }

    private static Findings finding(FlinkFacts facts) {
        Findings finding = Findings.of("state-backend");
        List<CheckpointStats> taken = facts.facts().observation().checkpoints();
        if (!taken.isEmpty()) {
            finding.figure("state, in a checkpoint", bytes(facts) / 1e6, "MB")
                    .figure("the checkpoint took", taken.get(taken.size() - 1).tookMs(), "ms");
        }
        return finding.figure("heap of all TaskManagers, at most", heap(facts) / 1e6, "MB");
    }

    /** Of all state in the newest checkpoint; 0 if there is none. */
    private static long bytes(FlinkFacts facts) {
        List<CheckpointStats> taken = facts.facts().observation().checkpoints();
        return taken.isEmpty()
                ? 0
                : taken.get(taken.size() - 1).states().stream()
                        .mapToLong(CheckpointStats.StateSize::bytes)
                        .sum();
    }

    /** Of all TaskManagers; 0 if they do not tell. */
    private static long heap(FlinkFacts facts) {
        long bytes = 0;
        for (ProcessSpan process : facts.facts().newest()) {
            Long most = process.heapMaxBytes();
            bytes += most == null ? 0 : most;
        }
        return bytes;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.observation.FlinkDetails;
import io.thalweg.doctor.observation.FlinkSamples;
import io.thalweg.doctor.observation.FlinkVertex;
import io.thalweg.doctor.observation.Span;
import io.thalweg.doctor.observation.TaskSpan;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the rules for Flink ask of an observation besides.
 *
 * @param facts of the observation
 * @param flink what Flink told
 */
record FlinkFacts(Facts facts, FlinkDetails flink) {
    private static final double NS = 1e9;

    /** Empty on other engines. */
    static Optional<FlinkFacts> of(Facts facts) {
        FlinkDetails flink = facts.observation().flink();
        return flink == null ? Optional.empty() : Optional.of(new FlinkFacts(facts, flink));
    }

    /** All spans: what Flink tells of buffers is of all of them. */
    double seconds() {
        return facts.observation().spans().stream().mapToLong(Span::lengthNs).sum() / NS;
    }

    /** Records that the tasks of a vertex took, over all spans. */
    double recordsIn(String vertex) {
        return facts.observation().spans().stream()
                .flatMap(span -> span.tasks().stream())
                .filter(task -> task.operators().contains(vertex))
                .mapToLong(TaskSpan::recordsIn)
                .sum();
    }

    @Nullable FlinkVertex vertex(String name) {
        return flink.vertices().stream()
                .filter(each -> each.vertex().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** With fewer, a half of them is known no better than by a fifth of all. */
    private static final long FEWEST_SAMPLES = 25;

    /** Of the stacks of its tasks; null if there are too few. */
    @Nullable FlinkSamples samples(String name) {
        FlinkVertex vertex = vertex(name);
        FlinkSamples samples = vertex == null ? null : vertex.samples();
        return samples == null || samples.all() < FEWEST_SAMPLES ? null : samples;
    }

    /** Of the time of the tasks of a vertex in which they do not wait: in the writer of a sink that is chained there. */
    private static final double MOSTLY = 0.5;

    /** Share of the time of the tasks of a vertex in which they do not wait, in writers of sinks; 0 if nobody looked. */
    double writing(ChainFacts chain) {
        FlinkSamples samples = samples(chain.head());
        Long writing = samples == null ? null : samples.writing();
        return samples == null || writing == null ? 0 : (double) writing / samples.all();
    }

    /** What a vertex is waited for is a sink, whatever else is chained to it. */
    boolean mostlyWrites(ChainFacts chain) {
        return writing(chain) >= MOSTLY;
    }

    /** Of the time of the tasks of a vertex, also of that in which they wait. */
    static double ofTime(double ofSamples, ChainFacts chain) {
        return ofSamples * busy(chain);
    }

    @Nullable ChainFacts chain(String vertex) {
        return facts.chains().stream()
                .filter(each -> each.head().equals(vertex))
                .findFirst()
                .orElse(null);
    }

    static double busy(ChainFacts chain) {
        return chain.busy(chain.busiest());
    }

    /** The job would be faster if its tasks had less to do: others wait for them, or the cores are full. */
    boolean limits(ChainFacts chain) {
        return !facts.keepsUp() && (busy(chain) >= Facts.SATURATED || facts.areWorkersFull());
    }

    /** The same, in words. */
    String why(ChainFacts chain) {
        return (facts.areWorkersFull() ? "the cores are full, also with '" : "the job waits for '") + chain.head()
                + "'";
    }

    /** Edges between two vertices that lead into one. */
    List<PlanInfo.Edge> into(String vertex) {
        return facts.plan().edges().stream()
                .filter(edge -> edge.to().equals(vertex))
                .toList();
    }

    /** Edges that lead out of a vertex. */
    List<PlanInfo.Edge> outOf(String vertex) {
        return facts.plan().edges().stream()
                .filter(edge -> edge.from().equals(vertex))
                .toList();
    }

    /**
     * How much faster the job would be if the tasks of a vertex did without something: until another task is busy all the time. Where
     * the cores are full, tasks count as busy while they wait for one, so what counts is how much of all that they do is saved.
     *
     * @param share of their time, between 0 and 1
     */
    double gainWithout(ChainFacts chain, double share) {
        double others = 0;
        double all = 0;
        for (ChainFacts each : facts.chains()) {
            others = each.equals(chain) ? others : Math.max(others, busy(each));
            all += each.busyThreads();
        }
        if (facts.areWorkersFull()) {
            return gain(all, all - share * chain.tasks().size());
        }
        return gain(Math.max(busy(chain), others), Math.max(busy(chain) - share, others));
    }

    /**
     * The same of what several vertices do, as both ends of an edge do in serializing records.
     *
     * @param share of the time of the tasks of each
     */
    double gainWithout(ToDoubleFunction<ChainFacts> share) {
        double slowest = 0;
        double then = 0;
        double all = 0;
        double saved = 0;
        for (ChainFacts each : facts.chains()) {
            double less = share.applyAsDouble(each);
            slowest = Math.max(slowest, busy(each));
            then = Math.max(then, busy(each) - less);
            all += each.busyThreads();
            saved += less * each.tasks().size();
        }
        return facts.areWorkersFull() ? gain(all, all - saved) : gain(slowest, then);
    }

    /** No prediction is better than this. */
    private static final double MOST_GAIN = 5;

    /** How much more can be done if what takes so much time takes less. */
    static double gain(double before, double after) {
        return before <= 0 ? 1 : Math.min(MOST_GAIN, before / Math.max(after, before / MOST_GAIN));
    }
}

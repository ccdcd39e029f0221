// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.FlinkSamples;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the stacks of tasks of Flink that others wait for show: copies of records that go from one chained operator to the next,
 * Kryo, and sinks that are chained to what is before them. How dear these are depends on the records, of which nothing else is known, so without stacks nothing is found.
 */
final class FlinkStacksRule implements Rule {
    /** Of the time of the tasks. Less gains less than two runs of the same job differ by ({@link Facts#MIN_GAIN}). */
    private static final double MIN_SHARE = 0.1;

    /**
     * Of the time in Kryo, with a serializer of Flink's. Flink's "Serialization Tuning" (flink.apache.org, April 2020) measures a job
     * that does nothing but hand records over: with Kryo it has a quarter of the throughput of POJOs, and of other serializers about
     * half of it and less.
     */
    private static final double LEAST_SAVED = 0.5;

    private static final double MOST_SAVED = 0.75;

    /** How Flink names a vertex of several operators. */
    private static final String CHAINED = " -> ";

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        FlinkFacts.of(facts).ifPresent(of -> {
            for (ChainFacts chain : facts.chains()) {
                FlinkSamples samples = of.samples(chain.head());
                if (samples != null && of.limits(chain)) {
                    found.addAll(copies(of, chain, samples));
                    found.addAll(kryo(of, chain, samples));
                    found.addAll(sinks(of, chain));
                }
            }
        });
        return found;
    }

    /** Of a vertex that is a sink only, its time says so without stacks. */
    private static List<Finding> sinks(FlinkFacts of, ChainFacts chain) {
        Facts facts = of.facts();
        if (!of.mostlyWrites(chain)
                || facts.operator(chain.head()).kind().equals("sink")
                || !facts.hasIdleWorker()
                || chain.leastBusy() < Facts.SATURATED) {
            return List.of();
        }
        Capacity capacity = new Capacity(facts);
        int tasks = capacity.impliedParallelism(chain);
        return Findings.of("slow-sink")
                .operator(chain.head())
                .share("of the time of its tasks in the writer of a sink", FlinkFacts.ofTime(of.writing(chain), chain))
                .share("busy", FlinkFacts.busy(chain))
                .why(of.why(chain) + ", and most of its time is in the sink at its end")
                .remedy("write several records with one call; or give the sink .setParallelism(" + tasks
                        + "), with .rebalance() before it if the source has fewer splits")
                .throughput(capacity.gain(chain, tasks), "with a sink that discards everything the job is as slow");
    }

    private static List<Finding> copies(FlinkFacts facts, ChainFacts chain, FlinkSamples samples) {
        double share = FlinkFacts.ofTime((double) samples.copying() / samples.all(), chain);
        if (share < MIN_SHARE
                || Boolean.TRUE.equals(facts.flink().objectReuse())
                || !chain.head().contains(CHAINED)) {
            return List.of();
        }
        return Findings.of("object-reuse")
                .operator(chain.head())
                .share("of the time of its tasks in copying records", share)
                .share("busy", FlinkFacts.busy(chain))
                .figure("records", chain.recordsIn() * 1e9 / chain.lengthNs(), "/s")
                .why(facts.why(chain)
                        + ", and every record that goes from one of its operators to the next is copied, because object"
                        + " reuse is off")
                .remedy("switch it on, if no function keeps or changes a record that it was given or has emitted")
                .option("pipeline.object-reuse: true")
                .throughput(facts.gainWithout(chain, share), "the job is as fast with it; or its results are others");
    }

    private static double kryo(ChainFacts chain, @Nullable FlinkSamples samples) {
        return samples == null ? 0 : FlinkFacts.ofTime((double) samples.kryo() / samples.all(), chain);
    }

    private static List<Finding> kryo(FlinkFacts facts, ChainFacts chain, FlinkSamples samples) {
        double share = kryo(chain, samples);
        if (share < MIN_SHARE) {
            return List.of();
        }
        return Findings.of("generic-serialization")
                .operator(chain.head())
                .share("of the time of its tasks in Kryo", share)
                .share("busy", FlinkFacts.busy(chain))
                .figure("records", chain.recordsIn() * 1e9 / chain.lengthNs(), "/s")
                .why(facts.why(chain)
                        + ", and Flink knows no serializer for some of its records or state: it leaves them to Kryo, which finds"
                        + " out for each object what it is")
                .remedy(
                        "make their classes POJOs (public, with a constructor without parameters, and fields that are public or have"
                                + " getters and setters), or name their type with .returns(…); with pipeline.generic-types: false the"
                                + " job refuses to start and names the first class that is left")
                .throughput(
                        facts.gainWithout(each -> kryo(each, facts.samples(each.head())) * LEAST_SAVED),
                        facts.gainWithout(each -> kryo(each, facts.samples(each.head())) * MOST_SAVED),
                        "the job is as fast with records of Flink's own types");
    }
}

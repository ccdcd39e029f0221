// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.FlinkSamples;
import java.util.ArrayList;
import java.util.List;

/**
 * What the stacks of tasks of Flink that others wait for show: copies of records that go from one chained operator to the next, and
 * Kryo. How dear these are depends on the records, of which nothing else is known, so without stacks nothing is found.
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
                }
            }
        });
        return found;
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

    private static List<Finding> kryo(FlinkFacts facts, ChainFacts chain, FlinkSamples samples) {
        double share = FlinkFacts.ofTime((double) samples.kryo() / samples.all(), chain);
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
                        facts.gainWithout(chain, share * LEAST_SAVED),
                        facts.gainWithout(chain, share * MOST_SAVED),
                        "the job is as fast with records of Flink's own types");
    }
}

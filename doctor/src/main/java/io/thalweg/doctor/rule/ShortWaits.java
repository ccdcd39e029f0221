// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.observation.OperatorProfile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Time in which operators stood still in calls that are too short to be recorded one by one, such as a query or a forced
 * write of half a millisecond: their tasks were busy and used no core, while cores were idle.
 *
 * @param byOperator nanoseconds, over the steady part
 */
record ShortWaits(Map<String, Double> byOperator) {
    /** Between two samples of a thread; see the profiler. */
    private static final double SAMPLE_NS = 20e6;

    /** Of one thread's time: less may be how busy times and CPU times are measured. */
    private static final double MIN_THREADS = 0.1;

    /** Of a chain's busy time or samples, in one operator: then it is taken to be the one that waits. */
    private static final double CLEAR = 0.5;

    /** Of a chain's busy time in calls that were recorded: what waits briefly most of the time waits longer now and then. */
    private static final double MIN_RECORDED = 0.01;

    ShortWaits {
        byOperator = Map.copyOf(byOperator);
    }

    double ns(String operator) {
        return byOperator.getOrDefault(operator, 0.0);
    }

    /** None where nobody sampled, where tasks have no thread in common, and where busy tasks may have waited for a core. */
    static ShortWaits of(Facts facts) {
        Map<String, Double> waits = new HashMap<>();
        if (!facts.knowsCores()
                || facts.observation().operators().isEmpty()
                || facts.haveOwnThreads()
                || facts.isMachineFull()) {
            return new ShortWaits(waits);
        }
        ChainFacts most = null;
        double unknown = -facts.usedCores() * facts.lengthNs();
        for (ChainFacts chain : facts.chains()) {
            unknown += chain.busyNs() - recordedNs(facts, chain);
            unknown -= facts.gcShare() * chain.busyNs(); // stopped for the collector, which a task does not see
            most = most == null || unsampledNs(facts, chain) > unsampledNs(facts, most) ? chain : most;
        }
        if (most != null && unknown > MIN_THREADS * facts.lengthNs()) {
            String operator = operator(facts, most);
            if (facts.profile(operator) != null) {
                waits.put(operator, Math.min(unknown, Math.max(0, unsampledNs(facts, most))));
            }
        }
        return new ShortWaits(waits);
    }

    private static double recordedNs(Facts facts, ChainFacts chain) {
        double recorded =
                chain.info().operators().stream().mapToDouble(facts::recordedNs).sum();
        return Math.min(recorded, (double) chain.busyNs());
    }

    /** In which its tasks were busy, and neither computed nor stood still in a call that was recorded. */
    private static double unsampledNs(Facts facts, ChainFacts chain) {
        double samples = chain.info().operators().stream()
                .mapToDouble(facts::steadySamples)
                .sum();
        return chain.busyNs() - recordedNs(facts, chain) - samples * SAMPLE_NS;
    }

    /** The operator of a chain that waits, as far as anything tells; empty if nothing does. */
    private static String operator(Facts facts, ChainFacts chain) {
        List<String> operators = chain.info().operators();
        String longest = operators.get(0);
        String sampled = operators.get(0);
        double samples = 0;
        for (String operator : operators) {
            longest = facts.recordedNs(operator) > facts.recordedNs(longest) ? operator : longest;
            sampled = facts.steadySamples(operator) > facts.steadySamples(sampled) ? operator : sampled;
            samples += facts.steadySamples(operator);
        }
        OperatorProfile profile = facts.profile(longest);
        if (operators.size() == 1 || (profile != null && facts.recordedNs(longest) > MIN_RECORDED * chain.busyNs())) {
            return longest;
        }
        return facts.steadySamples(sampled) > CLEAR * samples ? sampled : "";
    }
}

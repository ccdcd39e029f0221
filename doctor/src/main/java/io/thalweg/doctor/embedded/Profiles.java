// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.embedded;

import io.thalweg.doctor.observation.BlockedCall;
import io.thalweg.doctor.observation.HotSpot;
import io.thalweg.doctor.observation.KafkaFetches;
import io.thalweg.doctor.observation.KafkaSends;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.PythonWork;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up what was recorded, by operator. */
final class Profiles {
    /** Of each operator; what comes after them are single samples. */
    private static final int MOST_PLACES = 12;

    /** A method, and what it called. */
    private record Place(String method, String call) {}

    private static final class Taken {
        long samples;
        long times;
        long totalNs;
        long longestNs;
        final Map<String, Long> lines = new HashMap<>();

        String line() {
            return lines.entrySet().stream()
                    .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .map(Map.Entry::getKey)
                    .orElse("");
        }
    }

    private static final class OfOperator {
        long samples;
        long handOverSamples;
        long ackSamples;
        long copySamples;
        long blockedNs;
        long allocatedBytes;
        final Map<Place, Taken> hot = new HashMap<>();
        final Map<Place, Taken> blocked = new HashMap<>();
    }

    private final Map<String, OfOperator> operators = new TreeMap<>();
    private long tracked;

    private OfOperator of(Stack stack) {
        return operators.computeIfAbsent(stack.operator(), name -> new OfOperator());
    }

    private static Taken at(Map<Place, Taken> places, Stack stack) {
        Taken taken = places.computeIfAbsent(new Place(stack.method(), stack.call()), place -> new Taken());
        taken.lines.merge(stack.line(), 1L, Long::sum);
        return taken;
    }

    void sampled(Stack stack) {
        OfOperator operator = of(stack);
        if (stack.acks()) {
            operator.ackSamples++;
            return;
        }
        operator.copySamples += stack.copies() ? 1 : 0;
        if (stack.handsOver()) {
            operator.handOverSamples++;
        } else {
            operator.samples++;
            at(operator.hot, stack).samples++;
        }
    }

    /** A thread tracked which records are done, and called no operator. */
    void tracked() {
        tracked++;
    }

    void allocated(Stack stack, long bytes) {
        of(stack).allocatedBytes += bytes;
    }

    void blocked(Stack stack, long tookNs) {
        OfOperator operator = of(stack);
        operator.blockedNs += tookNs;
        Taken taken = at(operator.blocked, stack);
        taken.times++;
        taken.totalNs += tookNs;
        taken.longestNs = Math.max(taken.longestNs, tookNs);
    }

    /**
     * What was recorded of each operator.
     *
     * @param python what processes in Python did, by operator
     * @param kafka what Kafka's clients did
     */
    List<OperatorProfile> all(Map<String, PythonWork> python, KafkaClients kafka) {
        Map<String, KafkaFetches> fetches = kafka.fetches();
        Map<String, KafkaSends> sends = kafka.sends();
        for (Map<String, ?> told : List.of(python, fetches, sends)) {
            told.keySet().forEach(operator -> operators.computeIfAbsent(operator, name -> new OfOperator()));
        }
        operators.values().stream()
                .filter(operator -> operator.ackSamples > 0)
                .max(Comparator.comparingLong(operator -> operator.ackSamples))
                .ifPresent(most -> {
                    most.ackSamples += tracked;
                    tracked = 0;
                });
        return operators.entrySet().stream()
                .map(each -> profile(
                        each.getKey(),
                        each.getValue(),
                        python.get(each.getKey()),
                        fetches.get(each.getKey()),
                        sends.get(each.getKey())))
                .toList();
    }

    private static OperatorProfile profile(
            String name,
            OfOperator operator,
            @Nullable PythonWork python,
            @Nullable KafkaFetches fetches,
            @Nullable KafkaSends sends) {
        List<HotSpot> hot = operator.hot.entrySet().stream()
                .map(each -> new HotSpot(
                        each.getKey().method(),
                        each.getValue().line(),
                        each.getKey().call(),
                        each.getValue().samples))
                .sorted(Comparator.comparingLong(HotSpot::samples)
                        .reversed()
                        .thenComparing(HotSpot::method)
                        .thenComparing(HotSpot::call))
                .limit(MOST_PLACES)
                .toList();
        List<BlockedCall> blocked = operator.blocked.entrySet().stream()
                .map(each -> new BlockedCall(
                        each.getKey().method(),
                        each.getValue().line(),
                        each.getKey().call(),
                        each.getValue().times,
                        each.getValue().totalNs,
                        each.getValue().longestNs))
                .sorted(Comparator.comparingLong(BlockedCall::totalNs)
                        .reversed()
                        .thenComparing(BlockedCall::method)
                        .thenComparing(BlockedCall::call))
                .limit(MOST_PLACES)
                .toList();
        return new OperatorProfile(
                name,
                operator.samples,
                operator.handOverSamples,
                operator.ackSamples,
                operator.copySamples,
                operator.blockedNs,
                operator.allocatedBytes,
                hot,
                blocked,
                python,
                fetches,
                sends);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Generator;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.BroadcastOperator;
import io.thalweg.api.operator.BroadcastState;
import io.thalweg.api.operator.KeyedBroadcastOperator;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules of broadcast state, for any runner. */
@SuppressWarnings("NullAway") // like user code without null checks
@Timeout(900)
public abstract class BroadcastRulesContract {
    private static final long READINGS = 400;
    private static final long LIMITS = 30;
    private static final int KEYS = 7;
    private static final int TASKS = 2;

    /** A way to run topologies; at a parallelism of more than one it tests more. */
    protected abstract TestRunner road();

    record Reading(long key, long value) implements Serializable {}

    record Limit(String name, long value) implements Serializable {}

    private final Topology topology = Topology.named("limits");

    private Stream<Reading> readings() {
        return topology.from(
                Sources.generate(READINGS, i -> new Reading(i % KEYS, i)).splitInto(3));
    }

    /** The last one of each name is the one that stays; the first is taken back. */
    private Stream<Limit> limits() {
        return limits(topology);
    }

    private static Stream<Limit> limits(Topology topology) {
        return topology.from(Sources.generate(LIMITS, i -> new Limit("n" + i % 5, i)));
    }

    private static Map<String, Long> expectedLimits() {
        Map<String, Long> limits = new TreeMap<>();
        for (long i = LIMITS - 5; i < LIMITS; i++) {
            limits.put("n" + i % 5, i);
        }
        limits.remove("n0");
        return limits;
    }

    private static void change(BroadcastState<String, Long> limits, Limit limit) {
        if (limit.value() == 13) {
            throw new BadRecordException("an unlucky limit", limit.name());
        }
        limits.put(limit.name(), limit.value());
        if (limit.value() == LIMITS - 5) {
            limits.remove(limit.name());
        }
    }

    private static Map<String, Long> copy(BroadcastState<String, Long> limits) {
        Map<String, Long> copy = new TreeMap<>();
        limits.forEach(entry -> copy.put(entry.getKey(), entry.getValue()));
        return copy;
    }

    /** Emits at the end what was broadcast to it, once for each task. */
    static final class Told implements BroadcastOperator<Reading, Limit, String> {
        private BroadcastState<String, Long> limits;

        @Override
        public void open(OperatorContext context) {
            limits = context.broadcastState("limits", Type.of(String.class), Type.of(Long.class));
        }

        @Override
        public void process(Reading reading, Output<String> output) {
            output.emit("reading " + reading.value());
        }

        @Override
        public void processBroadcast(Limit limit, Output<String> output) {
            change(limits, limit);
            output.emit("limit " + limit.value());
        }

        @Override
        public void finish(Output<String> output) {
            output.emit("end " + copy(limits));
        }
    }

    /** Emits for each key at the end what came by it, and all limits. */
    static final class ByKey implements KeyedBroadcastOperator<Long, Reading, Limit, String> {
        private KeyedContext context;
        private ValueState<Long> sum;
        private BroadcastState<String, Long> limits;

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            sum = opened.state("limits", Type.of(Long.class)); // a name of its own, for all that the other has the same
            limits = opened.broadcastState("limits", Type.of(String.class), Type.of(Long.class));
        }

        @Override
        public void process(Long key, Reading reading, Output<String> output) {
            Long before = sum.get();
            sum.set(reading.value() + (before == null ? 0 : before));
            context.setTimer(Long.MAX_VALUE - 1);
        }

        @Override
        public void processBroadcast(Limit limit, Output<String> output) {
            change(limits, limit);
        }

        @Override
        public void onTimer(Long key, long time, Output<String> output) {
            output.emit(key + ": " + sum.get() + " " + copy(limits) + " " + limits.contains("n0"));
        }
    }

    /**
     * For a job that continues from a checkpoint: its limits are there at once, so that all are before the checkpoint.
     *
     * @param rate readings per second; infinity for as fast as they are read
     */
    protected static Stream<String> byKey(Topology topology, double rate) {
        Generator<Reading> readings = Sources.generate(READINGS, i -> new Reading(i % KEYS, i));
        return topology.from((Double.isInfinite(rate) ? readings : readings.rate(rate)).splitInto(3))
                .name("readings by key")
                .keyBy(Reading::key)
                .withBroadcast(limits(topology).name("limits by key"))
                .process(ByKey::new)
                .name("by key");
    }

    /** What the keyed operator emits if no record is lost or repeated: one text for each key. */
    protected static List<String> expectedByKey() {
        List<String> byKey = new ArrayList<>();
        for (long key = 0; key < KEYS; key++) {
            long sum = 0;
            for (long i = key; i < READINGS; i += KEYS) {
                sum += i;
            }
            byKey.add(key + ": " + sum + " " + expectedLimits() + " false");
        }
        return byKey;
    }

    /** More records than there are limits: a job that has read so many has read some readings, too. */
    protected static long limitsAndSome() {
        return LIMITS + 10;
    }

    @Test
    void shouldHandEachTaskAllThatIsBroadcast() throws Exception {
        readings()
                .withBroadcast(limits())
                .process(Told::new)
                .parallelism(TASKS)
                .name("told")
                .to(Sinks.discard())
                .name("told records");
        byKey(topology, Double.POSITIVE_INFINITY)
                .parallelism(TASKS)
                .to(Sinks.discard())
                .name("by key records");

        Outcome outcome = road().run(topology.graph());

        List<Object> told = new ArrayList<>();
        for (long i = 0; i < READINGS; i++) {
            told.add("reading " + i);
        }
        for (int task = 0; task < TASKS; task++) {
            for (long i = 0; i < LIMITS; i++) {
                if (i != 13) {
                    told.add("limit " + i);
                }
            }
            told.add("end " + expectedLimits());
        }
        assertThat(outcome.sink("told records")).containsExactlyInAnyOrderElementsOf(told);
        assertThat(outcome.sink("by key records"))
                .containsExactlyInAnyOrderElementsOf(List.<Object>copyOf(expectedByKey()));
        assertThat(outcome.bad()).as("the bad limit, in each task of both").isEqualTo(2 * TASKS);
    }

    /** What an operator may do wrong. */
    protected enum Mistake {
        CHANGED_BY_A_RECORD(
                "broadcast state 'limits' is changed outside of processBroadcast; it would no longer be the same"),
        REMOVED_BY_A_RECORD(
                "broadcast state 'limits' is changed outside of processBroadcast; it would no longer be the same"),
        KEYED_STATE_OF_NO_KEY("state and timers belong to a key, and there is no current key"),
        TIMER_OF_NO_KEY("state and timers belong to a key, and there is no current key"),
        NULL("null"),
        DECLARED_LATE("state 'late' is declared too late: do it in open"),
        DECLARED_TWICE("broadcast state 'limits' is declared twice");

        private final String message;

        Mistake(String message) {
            this.message = message;
        }
    }

    /** Makes one mistake. */
    static final class Mistaken implements KeyedBroadcastOperator<Long, Reading, Limit, String> {
        private final Mistake mistake;
        private KeyedContext context;
        private ValueState<Long> sum;
        private BroadcastState<String, Long> limits;

        Mistaken(Mistake mistake) {
            this.mistake = mistake;
        }

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            sum = opened.state("sum", Type.of(Long.class));
            limits = declare("limits");
            if (mistake == Mistake.DECLARED_TWICE) {
                limits = declare("limits");
            }
        }

        private BroadcastState<String, Long> declare(String name) {
            return context.broadcastState(name, Type.of(String.class), Type.of(Long.class));
        }

        @Override
        public void process(Long key, Reading reading, Output<String> output) {
            switch (mistake) {
                case CHANGED_BY_A_RECORD -> limits.put("a", 1L);
                case REMOVED_BY_A_RECORD -> limits.remove("a");
                case DECLARED_LATE -> limits = declare("late");
                default -> sum.set(1L);
            }
        }

        @Override
        public void processBroadcast(Limit limit, Output<String> output) {
            switch (mistake) {
                case KEYED_STATE_OF_NO_KEY -> sum.set(1L);
                case TIMER_OF_NO_KEY -> context.setTimer(1);
                case NULL -> limits.put("a", null);
                default -> limits.put(limit.name(), limit.value());
            }
        }
    }

    /** A user's operator that breaks the rules of broadcast state ends the job, with a message that says what is wrong. */
    @ParameterizedTest
    @EnumSource(Mistake.class)
    protected void shouldFailAtAMistakeAndSayWhatIsWrong(Mistake mistake) {
        readings()
                .keyBy(Reading::key)
                .withBroadcast(limits())
                .process(() -> new Mistaken(mistake))
                .as(String.class)
                .name("mistaken")
                .to(Sinks.discard());

        assertThatThrownBy(() -> road().run(topology.graph()))
                .hasMessageContaining("operator 'mistaken'")
                .hasMessageContaining(mistake.message);
    }
}

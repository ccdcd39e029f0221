// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.CheckpointedOperator;
import io.thalweg.api.operator.KeyedAsyncContext;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.TimeToLive;
import io.thalweg.api.operator.ValueState;
import io.thalweg.testkit.random.Functions.Pair;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The user's operators of random topologies; they check what their context tells them. */
final class Operators {
    /** Further on than any time that sources, windows and alarms give. */
    static final long FAR = 1_000_000;

    static final SideOutput<Event> ODD = SideOutput.of("odd", Event.class);

    private Operators() {}

    static void check(boolean holds, String rule, Object found) {
        if (!holds) {
            throw new IllegalStateException(rule + ", but it is " + found);
        }
    }

    static void checkTime(OperatorContext context, Event event, boolean timed, boolean punctual) {
        long expected = timed ? event.time() : OperatorContext.NO_TIME;
        check(context.eventTime() == expected, "the current event time is " + expected, context.eventTime());
        check(
                !timed || !punctual || context.watermark() < event.time(),
                "the watermark has not reached " + event,
                context.watermark());
        check(timed || context.watermark() == OperatorContext.NO_TIME, "there is no watermark", context.watermark());
    }

    /** Emits some records several times, some to the side, and knows their times. */
    static final class Sorter implements Operator<Event, Event> {
        private final boolean checks;
        private final boolean timed;
        private final boolean punctual;
        private @Nullable OperatorContext context;

        Sorter(boolean checks, boolean timed, boolean punctual) {
            this.checks = checks;
            this.timed = timed;
            this.punctual = punctual;
        }

        @Override
        public void open(OperatorContext opened) {
            context = opened;
            check(opened.task() >= 0 && opened.task() < opened.parallelism(), "tasks are numbered", opened.task());
        }

        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(ODD);
        }

        @Override
        public void process(Event event, Output<Event> output) {
            for (long i = 0; i <= Math.floorMod(event.value(), 3L); i++) {
                if (checks && context != null) {
                    checkTime(context, event, timed, punctual);
                }
                output.emit(event.withValue(event.value() + i));
                if ((event.value() & 1) == 1) {
                    output.emit(ODD, event);
                }
            }
        }
    }

    /** Checks that records came to the task that they name. */
    static final class Addressee implements Operator<Functions.Sent, Event> {
        private int task;
        private int tasks;

        @Override
        public void open(OperatorContext opened) {
            task = opened.task();
            tasks = opened.parallelism();
        }

        @Override
        public void process(Functions.Sent sent, Output<Event> output) {
            check(sent.task() == task && task < tasks, "the record is for task " + sent.task(), task);
            output.emit(sent.event());
        }
    }

    /** Emits at the end how many records there were; for one task. */
    static final class Counter implements CheckpointedOperator<Event, Event> {
        private long count;

        @Override
        public byte[] save() {
            return new byte[] {(byte) count, (byte) (count >> 8), (byte) (count >> 16)};
        }

        @Override
        public void restore(List<byte[]> saved) {
            for (byte[] each : saved) {
                count += (each[0] & 0xff) | (each[1] & 0xff) << 8 | (each[2] & 0xff) << 16;
            }
        }

        @Override
        public void process(Event event, Output<Event> output) {
            count++;
        }

        @Override
        public void finish(Output<Event> output) {
            for (int i = 0; i < 20; i++) {
                output.emit(new Event("count", i, count));
            }
        }
    }

    /** Emits with each record its number among the records of its key. */
    static final class Numbering<K> implements KeyedOperator<K, Event, Event> {
        private final @Nullable TimeToLive live;
        private @Nullable ValueState<Long> count;

        /** @param live longer than any run takes; null for ever */
        Numbering(@Nullable TimeToLive live) {
            this.live = live;
        }

        @Override
        public void open(KeyedContext context) {
            count = live == null
                    ? context.state("count", Type.of(Long.class))
                    : context.state("count", Type.of(Long.class), live);
        }

        @Override
        public void process(K key, Event event, Output<Event> output) {
            ValueState<Long> state = count;
            if (state == null) {
                throw new IllegalStateException("not open");
            }
            Long before = state.get();
            state.set(before == null ? 1 : before + 1);
            output.emit(new Event(String.valueOf(key), 0, before == null ? 1 : before + 1));
        }
    }

    /** Numbers the records of a key that have an answer. */
    static final class Asking implements KeyedAsyncOperator<Long, Event, Long, Event> {
        private @Nullable ValueState<Long> count;

        @Override
        public void open(KeyedAsyncContext context) {
            count = context.state("count", Type.of(Long.class));
        }

        @Override
        public CompletionStage<Long> apply(Long key, Event event) {
            return Functions.lookUp(event);
        }

        @Override
        public @Nullable Event answered(Long key, Event event, @Nullable Long answer) {
            ValueState<Long> state = count;
            if (state == null) {
                throw new IllegalStateException("not open");
            }
            if (answer == null) {
                return null;
            }
            Long before = state.get();
            state.set(before == null ? 1 : before + 1);
            return new Event(String.valueOf(key), 0, before == null ? 1 : before + 1);
        }
    }

    /** Emits each sum by key, once and at the end; keeps it as a value, as a list and as a map, which must agree. */
    static final class Total<K> implements KeyedOperator<K, Event, Event> {
        private final long end;
        private @Nullable KeyedContext context;
        private @Nullable ValueState<Long> sum;
        private @Nullable ListState<Event> parts;
        private @Nullable MapState<Long, Long> byRest;
        private @Nullable ValueState<String> cleared;

        /** @param end a time that no record has, nor any watermark but the last */
        Total(long end) {
            this.end = end;
        }

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            sum = opened.state("sum", Type.of(Long.class));
            parts = opened.listState("parts", Type.of(Event.class));
            byRest = opened.mapState("by rest", Type.of(Long.class), Type.of(Long.class));
            cleared = opened.state("cleared", Type.of(String.class));
        }

        @Override
        public void process(K key, Event event, Output<Event> output) {
            if (context == null || sum == null || parts == null || byRest == null || cleared == null) {
                throw new IllegalStateException("not open");
            }
            check(cleared.get() == null, "what was cleared is gone", "there");
            cleared.set(event.key());
            cleared.clear();
            Long before = sum.get();
            sum.set(event.value() + (before == null ? 0 : before));
            parts.add(event);
            long rest = Math.floorMod(event.value(), 3L);
            Long ofRest = byRest.get(rest);
            byRest.put(rest, event.value() + (ofRest == null ? 0 : ofRest));
            context.setTimer(end);
            context.setTimer(end + 1);
            context.cancelTimer(end + 1);
        }

        @Override
        public void onTimer(K key, long time, Output<Event> output) {
            if (sum == null || parts == null || byRest == null) {
                throw new IllegalStateException("not open");
            }
            Long total = sum.get();
            long ofParts = 0;
            for (Event part : parts) {
                ofParts += part.value();
            }
            long ofRests = 0;
            Iterator<Map.Entry<Long, Long>> rests = byRest.iterator();
            while (rests.hasNext()) {
                ofRests += rests.next().getValue();
                rests.remove();
            }
            check(
                    total != null && total == ofParts && total == ofRests,
                    "the sum is " + total,
                    ofParts + ", " + ofRests);
            check(byRest.isEmpty() && !byRest.contains(0L), "the map is empty", "not");
            output.emit(new Event(String.valueOf(key), time, ofParts));
            parts.clear();
            check(parts.isEmpty(), "the list is empty", "not");
        }
    }

    /**
     * Counts the records of a key, which all have one time and are not late, in states that live for a while; says after a while
     * what is left.
     */
    static final class Fading implements KeyedOperator<Pair, Event, Event> {
        private final long liveMs;
        private final long afterMs;
        private @Nullable KeyedContext context;
        private @Nullable ValueState<Long> count;
        private @Nullable ListState<Long> values;
        private @Nullable MapState<Long, Long> byRest;

        Fading(long liveMs, long afterMs) {
            this.liveMs = liveMs;
            this.afterMs = afterMs;
        }

        @Override
        public void open(KeyedContext opened) {
            TimeToLive live = TimeToLive.ofEventTime(Duration.ofMillis(liveMs));
            context = opened;
            count = opened.state("count", Type.of(Long.class), live);
            values = opened.listState("values", Type.of(Long.class), live);
            byRest = opened.mapState("by rest", Type.of(Long.class), Type.of(Long.class), live);
        }

        @Override
        public void process(Pair key, Event event, Output<Event> output) {
            if (context == null || count == null || values == null || byRest == null) {
                throw new IllegalStateException("not open");
            }
            Long before = count.get();
            count.set(before == null ? 1 : before + 1);
            values.add(event.value());
            byRest.put(Math.floorMod(event.value(), 3L), 1L);
            context.setTimer(event.time() + afterMs);
            output.emit(new Event(key.toString(), event.time(), before == null ? 1 : before + 1));
        }

        @Override
        public void onTimer(Pair key, long time, Output<Event> output) {
            if (count == null || values == null || byRest == null) {
                throw new IllegalStateException("not open");
            }
            Long counted = count.get();
            long sum = 0;
            for (long value : values) {
                sum += value;
            }
            long rests = 0;
            for (Map.Entry<Long, Long> rest : byRest) {
                rests += 10 + rest.getKey();
            }
            check((counted == null) == (rests == 0), "all fades at once: " + counted, rests);
            output.emit(new Event(key.toString(), time, (counted == null ? -1 : counted) * 1_000 + sum + rests));
        }
    }

    /** Rings once for each key and twenty milliseconds in which there was a record; without event time, at the end. */
    static final class Alarm<K> implements KeyedOperator<K, Event, Event> {
        private final boolean timed;
        private @Nullable KeyedContext context;

        Alarm(boolean timed) {
            this.timed = timed;
        }

        @Override
        public void open(KeyedContext opened) {
            context = opened;
        }

        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(ODD);
        }

        @Override
        public void process(K key, Event event, Output<Event> output) {
            if (context == null) {
                throw new IllegalStateException("not open");
            }
            checkTime(context, event, timed, timed);
            long from = timed ? event.time() : Math.floorMod(event.value(), 100L);
            context.setTimer(Math.floorDiv(from, 20L) * 20 + 20);
            if ((event.value() & 1) == 0) {
                output.emit(ODD, event);
            }
        }

        @Override
        public void onTimer(K key, long time, Output<Event> output) {
            if (context == null) {
                throw new IllegalStateException("not open");
            }
            check(time <= context.watermark(), "a timer is due", time);
            output.emit(new Event(String.valueOf(key), time, 1));
            output.emit(new Event(String.valueOf(key), time, 2));
        }
    }
}

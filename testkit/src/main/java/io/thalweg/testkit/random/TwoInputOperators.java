// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import static io.thalweg.testkit.random.Operators.FAR;
import static io.thalweg.testkit.random.Operators.ODD;
import static io.thalweg.testkit.random.Operators.check;
import static io.thalweg.testkit.random.Operators.checkTime;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.BroadcastOperator;
import io.thalweg.api.operator.BroadcastState;
import io.thalweg.api.operator.CheckpointedTwoInputOperator;
import io.thalweg.api.operator.KeyedBroadcastOperator;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.operator.TwoInputOperator;
import io.thalweg.api.operator.ValueState;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The user's operators with two inputs of random topologies; what they emit does not depend on which input comes first. */
final class TwoInputOperators {
    private TwoInputOperators() {}

    private static <T> T opened(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not open");
        }
        return part;
    }

    /** Makes events of notes, so that the result shows which input a record came from; checks event times. */
    static final class Merge implements TwoInputOperator<Event, Note, Event> {
        private final boolean checks;
        private final boolean timed;
        private final boolean punctual;
        private @Nullable OperatorContext context;

        Merge(boolean checks, boolean timed, boolean punctual) {
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
        public void processFirst(Event event, Output<Event> output) {
            emit(event, event.value() * 2, output);
        }

        @Override
        public void processSecond(Note note, Output<Event> output) {
            emit(note.event(), note.number() * 3 + 1, output);
        }

        private void emit(Event event, long value, Output<Event> output) {
            if (checks) {
                checkTime(opened(context), event, timed, punctual);
            }
            output.emit(event.withValue(value));
            if ((event.value() & 1) == 1) {
                output.emit(ODD, event);
            }
        }
    }

    /** Emits at the end how many records each input had; for one task. */
    static final class Counts implements CheckpointedTwoInputOperator<Event, Note, Event> {
        private long first;
        private long second;

        @Override
        public byte[] save() {
            return ByteBuffer.allocate(16).putLong(first).putLong(second).array();
        }

        @Override
        public void restore(List<byte[]> saved) {
            for (byte[] each : saved) {
                ByteBuffer counts = ByteBuffer.wrap(each);
                first += counts.getLong();
                second += counts.getLong();
            }
        }

        @Override
        public void processFirst(Event event, Output<Event> output) {
            first++;
        }

        @Override
        public void processSecond(Note note, Output<Event> output) {
            second++;
        }

        @Override
        public void finish(Output<Event> output) {
            output.emit(new Event("first", 0, first));
            output.emit(new Event("second", 1, second));
        }
    }

    private static void count(BroadcastState<Long, Long> counts, Note note) {
        Long before = counts.get(Note.few(note));
        counts.put(Note.few(note), before == null ? 1 : before + 1);
    }

    /** Counts notes by their numbers modulo five, in state that is the same in every task; each task emits it at the end. */
    static final class Rules implements BroadcastOperator<Event, Note, Event> {
        private @Nullable BroadcastState<Long, Long> counts;

        @Override
        public void open(OperatorContext opened) {
            counts = opened.broadcastState("counts", Type.of(Long.class), Type.of(Long.class));
        }

        @Override
        public List<SideOutput<?>> sideOutputs() {
            return List.of(ODD);
        }

        @Override
        public void process(Event event, Output<Event> output) {
            output.emit(event);
            if ((event.value() & 1) == 1) {
                output.emit(ODD, event);
            }
        }

        @Override
        public void processBroadcast(Note note, Output<Event> output) {
            count(opened(counts), note);
        }

        @Override
        public void finish(Output<Event> output) {
            for (Map.Entry<Long, Long> each : opened(counts)) {
                output.emit(new Event("note " + each.getKey(), 0, each.getValue()));
            }
        }
    }

    /** Emits for each key, at the end, what came by it and what was broadcast. */
    static final class Ruled<K> implements KeyedBroadcastOperator<K, Event, Note, Event> {
        private final long end;
        private @Nullable KeyedContext context;
        private @Nullable ValueState<Long> total;
        private @Nullable BroadcastState<Long, Long> counts;

        /** @param end a time that no record has, nor any watermark but the last */
        Ruled(long end) {
            this.end = end;
        }

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            total = opened.state("total", Type.of(Long.class));
            counts = opened.broadcastState("counts", Type.of(Long.class), Type.of(Long.class));
        }

        @Override
        public void process(K key, Event event, Output<Event> output) {
            Long before = opened(total).get();
            opened(total).set(event.value() + (before == null ? 0 : before));
            opened(context).setTimer(end);
        }

        @Override
        public void processBroadcast(Note note, Output<Event> output) {
            count(opened(counts), note);
        }

        @Override
        public void onTimer(K key, long time, Output<Event> output) {
            Long sum = opened(total).get();
            check(sum != null, "there is a total for key " + key, time);
            output.emit(new Event(String.valueOf(key), time, sum == null ? 0 : sum));
            for (Map.Entry<Long, Long> each : opened(counts)) {
                output.emit(new Event(key + " note " + each.getKey(), time, each.getValue()));
            }
            opened(total).clear();
        }
    }

    /**
     * Emits for each key, once and at the end, what both inputs brought. Both write to one value, one list and one map; what the
     * one wrote the other reads.
     */
    static final class Balance<K> implements KeyedTwoInputOperator<K, Event, Note, Event> {
        private final long end;
        private @Nullable KeyedContext context;
        private @Nullable ValueState<Long> balance;
        private @Nullable ListState<Event> parts;
        private @Nullable MapState<String, Long> counts;

        /** @param end a time that no record has, nor any watermark but the last */
        Balance(long end) {
            this.end = end;
        }

        @Override
        public void open(KeyedContext opened) {
            context = opened;
            balance = opened.state("balance", Type.of(Long.class));
            parts = opened.listState("parts", Type.of(Event.class));
            counts = opened.mapState("counts", Type.of(String.class), Type.of(Long.class));
        }

        @Override
        public void processFirst(K key, Event event, Output<Event> output) {
            add(event.value(), event, "first");
        }

        @Override
        public void processSecond(K key, Note note, Output<Event> output) {
            add(-2 * note.number(), note.event(), "second");
        }

        private void add(long change, Event part, String input) {
            Long before = opened(balance).get();
            opened(balance).set(change + (before == null ? 0 : before));
            opened(parts).add(part.withValue(change));
            Long count = opened(counts).get(input);
            opened(counts).put(input, count == null ? 1 : count + 1);
            opened(context).setTimer(end);
        }

        @Override
        public void onTimer(K key, long time, Output<Event> output) {
            Long total = opened(balance).get();
            long ofParts = 0;
            long number = 0;
            for (Event part : opened(parts)) {
                ofParts += part.value();
                number++;
            }
            check(total != null && total == ofParts, "the balance is " + total, ofParts);
            long counted = 0;
            for (Map.Entry<String, Long> each : opened(counts)) {
                counted += each.getValue();
                output.emit(new Event(each.getKey() + " " + key, time, each.getValue()));
            }
            check(counted == number, "there are parts of both inputs: " + number, counted);
            output.emit(new Event(String.valueOf(key), time, ofParts));
            opened(balance).clear();
            opened(parts).clear();
            opened(counts).clear();
        }
    }

    /** Rings once for each key and twenty milliseconds in which either input had a record; without event time, at the end. */
    static final class Bell<K> implements KeyedTwoInputOperator<K, Event, Note, Event> {
        /** No bell is set for such a time. */
        private static final long TAKEN_BACK = FAR + 7;

        private final boolean timed;
        private @Nullable KeyedContext context;

        Bell(boolean timed) {
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
        public void processFirst(K key, Event event, Output<Event> output) {
            set(event);
            opened(context).setTimer(TAKEN_BACK);
            opened(context).cancelTimer(TAKEN_BACK);
            if ((event.value() & 1) == 0) {
                output.emit(ODD, event);
            }
        }

        @Override
        public void processSecond(K key, Note note, Output<Event> output) {
            set(note.event());
            opened(context).cancelTimer(TAKEN_BACK);
        }

        private void set(Event event) {
            checkTime(opened(context), event, timed, timed);
            long from = timed ? event.time() : Math.floorMod(event.value(), 100L);
            opened(context).setTimer(Math.floorDiv(from, 20L) * 20 + 20);
        }

        @Override
        public void onTimer(K key, long time, Output<Event> output) {
            check(time <= opened(context).watermark(), "a timer is due", time);
            check(time != TAKEN_BACK, "a timer that was taken back does not fire", time);
            output.emit(new Event(String.valueOf(key), time, 3));
        }
    }
}

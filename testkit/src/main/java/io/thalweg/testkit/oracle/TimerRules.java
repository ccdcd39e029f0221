// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.KeyedAsyncMap;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.BroadcastState;
import io.thalweg.api.operator.KeyedAsyncContext;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.KeyedBroadcastOperator;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedLifecycle;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.ListState;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.TimeToLive;
import io.thalweg.api.operator.ValueState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs a user's keyed operator over all records in the order of their stamps, with a watermark that keeps up with those
 * stamps: the latest watermark that a run may have.
 */
final class TimerRules implements KeyedContext, KeyedAsyncContext {
    private final Node node;
    private final int parallelism;
    private final Ports out;
    private final TreeMap<Long, Set<Object>> timers = new TreeMap<>();
    private final Set<String> states = new LinkedHashSet<>();
    private boolean open;
    private long watermark = NO_TIME;
    private Object key = "";
    private Element inHand = Element.untimed("", -1);

    TimerRules(Node node, int parallelism, Ports out) {
        this.node = node;
        this.parallelism = parallelism;
        this.out = out;
    }

    /** What the operator does with one record. */
    private interface Call {
        void process(Object key, Object value, Output<Object> output) throws Exception;
    }

    /**
     * A record, with what its input does with it.
     *
     * @param key null if records of this input have none
     */
    private record Arrival(Element element, @Nullable KeySpec key, Call call) {
        Object readKey() throws Exception {
            return key == null ? "" : SequentialInterpreter.keyOf(key, element);
        }

        long stamp() {
            return element.stamp();
        }
    }

    void apply(NodeSpec.KeyedProcess process, List<Element> input) {
        KeyedOperator<Object, Object, Object> operator = process.supplier().get();
        run(operator, arrivals(input, process.key(), operator::process));
    }

    void apply(NodeSpec.KeyedConnect connect, List<Element> first, List<Element> second) {
        KeyedTwoInputOperator<Object, Object, Object, Object> operator =
                connect.supplier().get();
        List<Arrival> both = arrivals(first, connect.first(), operator::processFirst);
        both.addAll(arrivals(second, connect.second(), operator::processSecond));
        run(operator, both);
    }

    /** Of several tasks, the first has all keys, and each all that is broadcast. */
    void apply(NodeSpec.KeyedBroadcast broadcast, List<Element> first, List<Element> second) {
        for (int t = 0; t < parallelism; t++) {
            KeyedBroadcastOperator<Object, Object, Object, Object> operator =
                    broadcast.supplier().get();
            List<Arrival> both = new ArrayList<>();
            second.forEach(element -> both.add(
                    new Arrival(element, null, (none, value, output) -> operator.processBroadcast(value, output))));
            if (t == 0) {
                both.addAll(arrivals(first, broadcast.key(), operator::process));
            }
            states.clear();
            open = false;
            watermark = NO_TIME;
            run(operator, both);
        }
    }

    /** One request after the other, in the order of the records. */
    void apply(KeyedAsyncMap async, List<Element> input) {
        KeyedAsyncOperator<Object, Object, Object, Object> operator =
                async.supplier().get();
        out.run(operator, each -> each.open(this));
        open = true;
        out.each(input, each -> {
            key = SequentialInterpreter.keyOf(async.key(), each);
            inHand = each;
            Object answer = OperatorRules.answer(operator.apply(key, each.value()));
            Object emitted = operator.answered(key, each.value(), answer);
            if (emitted != null) {
                out.emit(each.with(emitted));
            }
        });
        out.run(operator, KeyedAsyncOperator::close);
    }

    private static List<Arrival> arrivals(List<Element> input, KeySpec key, Call call) {
        List<Arrival> arrivals = new ArrayList<>();
        input.forEach(element -> arrivals.add(new Arrival(element, key, call)));
        return arrivals;
    }

    private void run(KeyedLifecycle<Object, Object> operator, List<Arrival> input) {
        List<Arrival> byStamp = new ArrayList<>(input);
        byStamp.sort(Comparator.comparingLong(Arrival::stamp));
        out.run(operator, each -> each.open(this));
        open = true;
        out.each(byStamp, each -> {
            Object of = each.readKey();
            if (node.timed()) {
                advance(operator, each.stamp());
            }
            inHand = each.element();
            key = of;
            each.call().process(of, each.element().value(), out.inheriting(each.element()));
        });
        advance(operator, Long.MAX_VALUE);
        out.run(operator, KeyedLifecycle::close);
    }

    private void advance(KeyedLifecycle<Object, Object> operator, long to) {
        watermark = Math.max(watermark, to);
        while (!timers.isEmpty() && timers.firstKey() <= watermark) {
            long time = timers.firstKey();
            Object first = timers.firstEntry().getValue().iterator().next();
            key = first;
            cancelTimer(time);
            inHand = Element.timed("", time, time - 1);
            out.run(first, of -> operator.onTimer(of, time, out.inheriting(inHand)));
        }
    }

    @Override
    public void setTimer(long time) {
        timers.computeIfAbsent(time, at -> new LinkedHashSet<>()).add(key);
    }

    @Override
    public void cancelTimer(long time) {
        timers.computeIfPresent(time, (at, keys) -> {
            keys.remove(key);
            return keys.isEmpty() ? null : keys;
        });
    }

    /** The interpreter's clock stands still, so that none is ever due. */
    @Override
    public void setProcessingTimer(long epochMs) {}

    @Override
    public void cancelProcessingTimer(long epochMs) {}

    @Override
    public long processingTime() {
        return 0;
    }

    @Override
    public <F, V> BroadcastState<F, V> broadcastState(String name, Type<F> field, Type<V> value) {
        declare("broadcast " + name);
        return new OneMap<>();
    }

    private void declare(String name) {
        if (open || !states.add(name)) {
            throw new IllegalStateException("state '" + name + "' is declared twice or after open");
        }
    }

    private void declare(String name, TimeToLive live) {
        declare(name);
        if (live.eventTime() && !node.timed()) {
            throw new IllegalStateException("state '" + name + "' has a time to live by event time, and the records of"
                    + " operator '" + node.name() + "' have none; call eventTime(…) before, or use"
                    + " TimeToLive.ofProcessingTime");
        }
    }

    private static <S> S notNull(String state, @Nullable S given) {
        if (given == null) {
            throw new IllegalStateException("state '" + state + "' was given null");
        }
        return given;
    }

    /** What was written, and when; for a time to live by event time, which nothing outlives. */
    private record Written<V>(V value, long at) {}

    /** The time of the call: no earlier than what the split of the current record had come to. */
    private long now() {
        return Math.max(inHand.eventTime(), inHand.stamp() + 1);
    }

    /** Nothing expires by the clock, which stands still. */
    @Override
    public long now(TimeToLive live) {
        return live.eventTime() ? now() : processingTime();
    }

    private boolean lives(@Nullable Written<?> written, TimeToLive live) {
        return written != null
                && (!live.eventTime() || now() - written.at() < live.after().toMillis());
    }

    @Override
    public <S> ValueState<S> state(String name, Type<S> type, TimeToLive live) {
        declare(name, live);
        Map<Object, Written<S>> values = new HashMap<>();
        return new ValueState<>() {
            @Override
            public @Nullable S get() {
                Written<S> written = values.get(key);
                return written != null && lives(written, live) ? written.value() : null;
            }

            @Override
            public void set(S value) {
                values.put(key, new Written<>(notNull(name, value), now()));
            }

            @Override
            public void clear() {
                values.remove(key);
            }
        };
    }

    @Override
    public <E> ListState<E> listState(String name, Type<E> element, TimeToLive live) {
        declare(name, live);
        Map<Object, List<Written<E>>> lists = new HashMap<>();
        return new ListState<>() {
            @Override
            public Iterator<E> iterator() {
                return lists.getOrDefault(key, List.of()).stream()
                        .filter(each -> lives(each, live))
                        .map(Written::value)
                        .iterator();
            }

            @Override
            public void add(E added) {
                lists.computeIfAbsent(key, of -> new ArrayList<>()).add(new Written<>(notNull(name, added), now()));
            }

            @Override
            public void set(List<? extends E> elements) {
                lists.remove(key);
                elements.forEach(this::add);
            }

            @Override
            public void clear() {
                lists.remove(key);
            }
        };
    }

    @Override
    public <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value, TimeToLive live) {
        declare(name, live);
        Map<Object, Map<F, Written<V>>> maps = new HashMap<>();
        return new MapState<>() {
            private Map<F, Written<V>> written() {
                return maps.computeIfAbsent(key, of -> new HashMap<>());
            }

            @Override
            public Iterator<Map.Entry<F, V>> iterator() {
                Map<F, V> seen = new HashMap<>();
                written().forEach((at, each) -> {
                    if (lives(each, live)) {
                        seen.put(at, each.value());
                    }
                });
                return seen.entrySet().iterator();
            }

            @Override
            public @Nullable V get(F at) {
                Written<V> written = written().get(notNull(name, at));
                return written != null && lives(written, live) ? written.value() : null;
            }

            @Override
            public void put(F at, V put) {
                written().put(notNull(name, at), new Written<>(notNull(name, put), now()));
            }

            @Override
            public void remove(F at) {
                written().remove(notNull(name, at));
            }

            @Override
            public void clear() {
                maps.remove(key);
            }
        };
    }

    @Override
    public <S> ValueState<S> state(String name, Type<S> type) {
        declare(name);
        Map<Object, S> values = new HashMap<>();
        return new ValueState<>() {
            @Override
            public @Nullable S get() {
                return values.get(key);
            }

            @Override
            public void set(S value) {
                values.put(key, notNull(name, value));
            }

            @Override
            public void clear() {
                values.remove(key);
            }
        };
    }

    @Override
    public <E> ListState<E> listState(String name, Type<E> element) {
        declare(name);
        Map<Object, List<E>> lists = new HashMap<>();
        return new ListState<>() {
            @Override
            public Iterator<E> iterator() {
                return List.copyOf(lists.getOrDefault(key, List.of())).iterator();
            }

            @Override
            public void add(E added) {
                lists.computeIfAbsent(key, of -> new ArrayList<>()).add(notNull(name, added));
            }

            @Override
            public void set(List<? extends E> elements) {
                lists.put(key, new ArrayList<>(List.copyOf(notNull(name, elements))));
            }

            @Override
            public void clear() {
                lists.remove(key);
            }
        };
    }

    @Override
    public <F, V> MapState<F, V> mapState(String name, Type<F> field, Type<V> value) {
        declare(name);
        Map<Object, Map<F, V>> maps = new HashMap<>();
        return new MapState<>() {
            private Map<F, V> map() {
                return maps.computeIfAbsent(key, of -> new HashMap<>());
            }

            @Override
            public Iterator<Map.Entry<F, V>> iterator() {
                return map().entrySet().iterator();
            }

            @Override
            public @Nullable V get(F at) {
                return map().get(notNull(name, at));
            }

            @Override
            public void put(F at, V put) {
                map().put(notNull(name, at), notNull(name, put));
            }

            @Override
            public void remove(F at) {
                map().remove(notNull(name, at));
            }

            @Override
            public void clear() {
                maps.remove(key);
            }
        };
    }

    @Override
    public String operator() {
        return node.name();
    }

    @Override
    public int task() {
        return 0;
    }

    @Override
    public int parallelism() {
        return parallelism;
    }

    @Override
    public long eventTime() {
        return node.timed() ? inHand.eventTime() : NO_TIME;
    }

    @Override
    public long stamp() {
        return node.timed() ? inHand.stamp() : NO_TIME;
    }

    @Override
    public void countLate() {
        out.late++;
    }

    @Override
    public void countBad(BadRecordException bad) {
        out.bad++;
    }

    @Override
    public long watermark() {
        return watermark;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.api.operator.Addressed;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.Keyed;
import io.thalweg.api.window.WindowResult;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What random topologies do with their records. */
final class Functions {
    static final int SCATTER = 30;

    private Functions() {}

    /** A key of several parts. */
    record Pair(String key, long rest) implements Serializable {}

    /** Several aggregates at once, all of them over longs. */
    record Totals(long sum, long count, long again) implements Serializable {}

    /** Several aggregates at once. */
    record Several(
            long count,
            long sum,
            @Nullable Long least,
            @Nullable Long greatest,
            @Nullable Double mean) implements Serializable {}

    /** The result of a window that may emit it again. */
    record Row(String key, long start, long end, long value) implements Serializable {
        boolean isPartOf(Row other) {
            return !equals(other) && key.equals(other.key) && other.start <= start && end <= other.end;
        }
    }

    /** An event for a task. */
    record Sent(int task, Event event) implements Addressed, Serializable {}

    static Sent sent(Event event, int tasks) {
        return new Sent((int) Math.floorMod(event.value() / 2, (long) tasks), event);
    }

    /** A row of a table to join with. */
    record Entry(@Nullable Long number, String text) implements Serializable {}

    /** Several aggregates at once, which may all be null but the count. */
    record WithNulls(
            long known,
            @Nullable Long sum,
            @Nullable Long latest,
            @Nullable Double mean) implements Serializable {}

    static @Nullable Long timeOrNull(Event event) {
        return event.value() % 23 == 22 ? null : event.time();
    }

    static Event next(Event event) {
        return event.withValue(event.value() * 3 + 1);
    }

    static Event picky(Event event) {
        if (event.value() % 11 == 5) {
            throw new BadRecordException("a value of 5 modulo 11", event.toString());
        }
        return event;
    }

    static boolean passes(Event event) {
        return event.value() % 3 != 1;
    }

    static List<Event> several(Event event) {
        List<Event> events = new ArrayList<>();
        for (long i = 0; i < Math.floorMod(event.value(), 4L); i++) {
            events.add(event.withValue(event.value() + i));
        }
        return events;
    }

    static List<Event> many(Event event) {
        return event.value() % 8 == 0 ? Collections.nCopies(40, event) : List.of(event);
    }

    /** As {@link #many}, each copy up to {@link #SCATTER} later than the event. */
    static List<Event> scattered(Event event) {
        if (event.value() % 8 != 0) {
            return List.of(event);
        }
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            events.add(event.withTime(event.time() + i * 7 % (SCATTER + 1)));
        }
        return events;
    }

    /** Records that do not tell which of them has passed. */
    static Event same(Event event) {
        return new Event("same", 0, 1);
    }

    /** A key whose records have all one time, if the stream's times are their own. */
    static Pair moment(Event event) {
        return new Pair(event.key(), event.time());
    }

    /** Some answers come at once, some from another thread; some are that there is none, and some that the value is bad. */
    static CompletableFuture<Long> lookUp(Event event) {
        long value = event.value();
        if (value % 13 == 5) {
            return CompletableFuture.failedFuture(new BadRecordException("a value of 5 modulo 13", event.toString()));
        }
        if (value % 7 == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return value % 3 == 0
                ? CompletableFuture.supplyAsync(() -> value + 2)
                : CompletableFuture.completedFuture(value + 2);
    }

    static @Nullable Event answered(Event event, @Nullable Long answer) {
        return answer == null && event.value() % 2 == 0 ? null : event.withValue(answer == null ? 0 : answer);
    }

    static void look(Event event) {
        if (event.value() % 19 == 7) {
            throw new BadRecordException("a value of 7 modulo 19", event.toString());
        }
    }

    static long few(Event event) {
        return Math.floorMod(event.value(), 5L);
    }

    static @Nullable Long fewOrNull(Event event) {
        long few = few(event);
        return few == 4 ? null : Long.valueOf(few);
    }

    static @Nullable Long numberOf(Entry entry) {
        if (entry.text().equals("no") && !Long.valueOf(0).equals(entry.number())) {
            throw new BadRecordException("no entry", entry.toString());
        }
        return entry.number();
    }

    static Pair pair(Event event) {
        if (event.value() % 29 == 3) {
            throw new BadRecordException("no key for a value of 3 modulo 29", event.toString());
        }
        return new Pair(event.key(), event.value() & 1);
    }

    static @Nullable Long valueOrNull(Event event) {
        return event.value() % 6 == 2 ? null : Long.valueOf(event.value());
    }

    /** Null for five events of six. */
    static @Nullable Long rarely(Event event) {
        return event.value() % 6 == 2 ? Long.valueOf(event.value()) : null;
    }

    static double half(Event event) {
        return event.value() * 0.5;
    }

    static Event sum(Event a, Event b) {
        String key = a.key().compareTo(b.key()) < 0 ? a.key() : b.key();
        return new Event(key, Math.max(a.time(), b.time()), a.value() + b.value());
    }

    static int taskOf(Event event, int tasks) {
        if (event.value() % 31 == 5) {
            throw new BadRecordException("no task takes it", event.toString());
        }
        return (int) Math.floorMod(event.value(), (long) tasks);
    }

    static Event one(Event event) {
        return new Event(event.key(), 0, 1);
    }

    static Event joined(Event event, @Nullable Entry entry) {
        return event.withValue(event.value() + (entry == null ? 1 : entry.text().length()));
    }

    static @Nullable Event joinedOrNull(Event event, @Nullable Entry entry) {
        return entry == null ? null : joined(event, entry);
    }

    /** Any result as a number that tells it from others and does not depend on the order of what went in. */
    static long number(@Nullable Object result) {
        if (result == null) {
            return -1;
        }
        if (result instanceof Long number) {
            return number;
        }
        if (result instanceof Double number) {
            boolean strange = number == 0 || !Double.isFinite(number); // -0.0 is told from 0.0
            return strange ? number.hashCode() : Math.round(number * 1_000);
        }
        if (result instanceof List<?> list) {
            List<Event> events = new ArrayList<>();
            list.forEach(each -> events.add((Event) each));
            events.sort(Event.ORDER);
            return events.hashCode();
        }
        return result.hashCode();
    }

    static Event ofWindow(WindowResult<?, ?> result) {
        boolean whole = result.end() == Long.MAX_VALUE;
        long value = number(result.value()) ^ (whole ? 0 : result.start());
        return new Event(String.valueOf(result.key()), whole ? 0 : result.end() - 1, value);
    }

    static Row rowOf(WindowResult<?, ?> result) {
        return new Row(String.valueOf(result.key()), result.start(), result.end(), number(result.value()));
    }

    static Event ofKeyed(Keyed<?, ?> result) {
        return new Event(String.valueOf(result.key()), 0, number(result.value()));
    }

    static Event counted(Keyed<?, Event> result) {
        return new Event(String.valueOf(result.key()), 0, result.value().value());
    }
}

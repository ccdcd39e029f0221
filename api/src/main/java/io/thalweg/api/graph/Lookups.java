// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.OperatorContext;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lookups of one task: asks, hears answers, tries again, gives up, and keeps results. Answers come from any thread and are
 * heard by the task's, in its turns.
 *
 * @param <R> what is held of a record that waits
 */
final class Lookups<R> {
    /**
     * What came of one try.
     *
     * @param number of the try
     */
    private record Answer<R>(
            Lookup<R> lookup,
            int number,
            @Nullable Object result,
            @Nullable Throwable thrown) {}

    private final AsyncOperator<Object, Object> operator;
    private final OperatorContext context;
    private final AsyncMap.Retry retry;
    private final AsyncMap.@Nullable Cache cache;
    private final long timeoutNs;
    private final LongSupplier clock;
    private final Runnable wakeUp;
    private final Consumer<R> onRetry;
    private final ConcurrentLinkedQueue<Answer<R>> answers = new ConcurrentLinkedQueue<>();

    /** All have the same time, so the first of them is the first to be late. */
    private final LinkedHashSet<Lookup<R>> inFlight = new LinkedHashSet<>();

    private final PriorityQueue<Lookup<R>> toRetry;

    /** By key, the one used last at the end. */
    private final LinkedHashMap<Object, Lookup<R>> kept = new LinkedHashMap<>(16, 0.75f, true);

    private boolean opened;

    /**
     * @param wakeUp runs the thread that the task is on, if it sleeps
     * @param onRetry makes a record the current one, for which the operator is called again
     */
    Lookups(
            AsyncOperator<Object, Object> operator,
            OperatorContext context,
            AsyncMap.Options options,
            LongSupplier nowNs,
            Runnable wakeUp,
            Consumer<R> onRetry) {
        this.operator = operator;
        this.context = context;
        clock = nowNs;
        this.wakeUp = wakeUp;
        this.onRetry = onRetry;
        retry = options.retry();
        cache = options.cache();
        timeoutNs = Duration.ofMillis(options.timeoutMs()).toNanos();
        long origin = nowNs.getAsLong();
        toRetry = new PriorityQueue<>(Comparator.comparingLong(lookup -> lookup.retryNs - origin));
    }

    String operator() {
        return context.operator();
    }

    void open() throws Exception {
        opened = true;
        operator.open(context);
    }

    /** The lookup for a record: one that is known, or one that begins. */
    Lookup<R> of(Object value) throws Exception {
        long nowNs = clock.getAsLong();
        Object key = cache == null ? null : cache.key().apply(value);
        Lookup<R> known = key == null ? null : kept.get(key);
        if (known != null && !(known.done() && nowNs - known.doneNs >= keepNs())) {
            return known;
        }
        Lookup<R> lookup = new Lookup<>(value, key, nowNs + timeoutNs);
        if (key != null) {
            keep(key, lookup);
        }
        inFlight.add(lookup);
        ask(lookup);
        return lookup;
    }

    private long keepNs() {
        return cache == null ? 0 : Duration.ofMillis(cache.keepMs()).toNanos();
    }

    private void keep(Object key, Lookup<R> lookup) {
        kept.put(key, lookup);
        if (cache != null && kept.size() > cache.most()) {
            kept.remove(kept.keySet().iterator().next());
        }
    }

    private void ask(Lookup<R> lookup) {
        int number = ++lookup.tries;
        try {
            CompletionStage<?> stage = operator.apply(lookup.value);
            if (stage == null) {
                throw NullValueException.ofAsync(operator.getClass().getSimpleName(), lookup.value);
            }
            lookup.stage = stage;
            stage.whenComplete((result, thrown) -> answer(new Answer<>(lookup, number, result, thrown)));
        } catch (Throwable thrown) {
            answer(new Answer<>(lookup, number, null, thrown));
        }
    }

    /** Any thread. */
    private void answer(Answer<R> answer) {
        answers.add(answer);
        VarHandle.fullFence(); // a worker that is about to sleep either sees the answer or is seen
        wakeUp.run();
    }

    /** Hears what was answered, tries again what is due, and gives up what is late. Lookups that are done go to {@code onDone}. */
    void hear(Consumer<Lookup<R>> onDone) {
        long nowNs = clock.getAsLong();
        hearAnswers(nowNs, onDone);
        if (retryIsDue(nowNs)) {
            while (retryIsDue(nowNs)) {
                Lookup<R> lookup = toRetry.remove();
                if (lookup.first != null) { // otherwise it is done
                    onRetry.accept(lookup.first);
                    ask(lookup);
                }
            }
            hearAnswers(
                    nowNs,
                    onDone); // a try may be answered at once; if it is due again at once, that is for the next turn
        }
        for (Lookup<R> first = oldest(); first != null && first.deadlineNs - nowNs <= 0; first = oldest()) {
            first.cancel();
            end(first, null, late(first), nowNs, onDone);
        }
    }

    private void hearAnswers(long nowNs, Consumer<Lookup<R>> onDone) {
        for (Answer<R> answer = answers.poll(); answer != null; answer = answers.poll()) {
            Lookup<R> lookup = answer.lookup();
            if (!lookup.done() && answer.number() == lookup.tries) {
                hear(answer, lookup, nowNs, onDone);
            }
        }
    }

    private boolean retryIsDue(long nowNs) {
        Lookup<R> first = toRetry.peek();
        return first != null && first.retryNs - nowNs <= 0;
    }

    private void hear(Answer<R> answer, Lookup<R> lookup, long nowNs, Consumer<Lookup<R>> onDone) {
        Throwable thrown = answer.thrown() == null ? null : cause(answer.thrown());
        if (thrown == null || !again(lookup, thrown, nowNs)) {
            end(lookup, answer.result(), thrown, nowNs, onDone);
        }
    }

    private void end(
            Lookup<R> lookup,
            @Nullable Object result,
            @Nullable Throwable thrown,
            long nowNs,
            Consumer<Lookup<R>> onDone) {
        lookup.end(result, thrown, nowNs);
        inFlight.remove(lookup);
        if (thrown != null && lookup.key != null) {
            kept.remove(lookup.key, lookup);
        }
        onDone.accept(lookup);
        lookup.waiting.clear();
    }

    /** True if the lookup is to be tried again. */
    private boolean again(Lookup<R> lookup, Throwable thrown, long nowNs) {
        if (lookup.tries > retry.times() || thrown instanceof BadRecordException || !worthIt(thrown)) {
            return false;
        }
        long backoffNs = Duration.ofMillis(retry.backoffMs()).toNanos();
        int doublings = Math.min(lookup.tries - 1, Long.numberOfLeadingZeros(backoffNs | 1) - 2);
        lookup.retryNs = nowNs + (backoffNs << doublings);
        if (lookup.retryNs - lookup.deadlineNs >= 0) {
            return false;
        }
        lookup.failed = thrown;
        lookup.stage = null;
        toRetry.add(lookup);
        return true;
    }

    private boolean worthIt(Throwable thrown) {
        try {
            return retry.when().test(thrown);
        } catch (Exception e) {
            thrown.addSuppressed(e);
            return false;
        }
    }

    /** A stage that depends on another one wraps what that failed with. */
    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private TimeoutException late(Lookup<R> lookup) {
        Throwable before = lookup.failed;
        return new TimeoutException("no answer within " + timeoutNs / 1_000_000 + " ms for record "
                + NullValueException.shown(lookup.value)
                + (before == null ? "" : ", try " + lookup.tries + "; the one before failed with " + before)
                + "; see whether the service is up, or allow more with timeout(…)");
    }

    private @Nullable Lookup<R> oldest() {
        return inFlight.isEmpty() ? null : inFlight.iterator().next();
    }

    /** When the first is late or to be tried again; 0 if none is in flight. */
    long nextDueNs() {
        Lookup<R> late = oldest();
        Lookup<R> next = toRetry.peek();
        if (late == null) {
            return 0;
        }
        return next != null && next.retryNs - late.deadlineNs < 0 ? next.retryNs : late.deadlineNs;
    }

    /** Cancels what is in flight. */
    void abandon() {
        for (Lookup<R> lookup : List.copyOf(inFlight)) {
            lookup.cancel();
            end(lookup, null, new CancellationException(), 0, ended -> {});
        }
        toRetry.clear();
    }

    void close() throws Exception {
        abandon();
        if (opened) {
            operator.close();
        }
    }
}

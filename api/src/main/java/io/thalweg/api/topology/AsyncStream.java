// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.operator.AsyncFunction;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.FilterFunction;
import io.thalweg.api.operator.JoinFunction;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.OperatorSupplier;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * How to ask for what belongs to each record; see {@link Stream#async}. Each method returns a new object; {@link #map}, {@link
 * #join} and {@link #process} add the operator.
 *
 * @param <T> records
 */
public final class AsyncStream<T> {
    /** As many requests as most services bear, and enough for 10,000 records a second at 10 ms each. */
    private static final int CONCURRENCY = 100;

    private static final Duration LONGEST = Duration.ofDays(365);

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Stream<T> stream;
    private final AsyncMap.Options options;

    AsyncStream(Stream<T> stream) {
        this(
                stream,
                new AsyncMap.Options(
                        true, CONCURRENCY, TIMEOUT.toMillis(), new AsyncMap.Retry(0, 0, thrown -> true), null));
    }

    private AsyncStream(Stream<T> stream, AsyncMap.Options options) {
        this.stream = stream;
        this.options = options;
    }

    /**
     * Results leave as they come, and may overtake each other. Without this they leave in the order of their records, so that a
     * slow one holds back those behind it.
     */
    public AsyncStream<T> unordered() {
        return with(new AsyncMap.Options(
                false, options.concurrency(), options.timeoutMs(), options.retry(), options.cache()));
    }

    /**
     * @param records that each task holds at a time, at most: those whose request is in flight, and those whose result waits for
     *     others before it, or for room; 100 if not said. When there are so many, the task takes no more input
     * @throws IllegalArgumentException if it is less than 1
     */
    public AsyncStream<T> concurrency(int records) {
        check(records >= 1, "concurrency must be at least 1, not " + records);
        return with(new AsyncMap.Options(
                options.ordered(), records, options.timeoutMs(), options.retry(), options.cache()));
    }

    /**
     * A request that has no result after this time, all tries together, has failed; its future is cancelled. One minute if not
     * said. A checkpoint waits for the requests in flight, so for this long at most.
     *
     * @throws IllegalArgumentException if it is less than 1 ms or more than 365 days
     */
    public AsyncStream<T> timeout(Duration timeout) {
        check(inRange(timeout), "the timeout must be from 1 ms to 365 days, not " + timeout);
        return with(new AsyncMap.Options(
                options.ordered(), options.concurrency(), timeout.toMillis(), options.retry(), options.cache()));
    }

    /** The same as {@link #retry(int, Duration, FilterFunction)} for all failures. */
    public AsyncStream<T> retry(int times, Duration backoff) {
        return retry(times, backoff, thrown -> true);
    }

    /**
     * A request that fails is made again. Without this it is not.
     *
     * @param times tries after the first one, at most
     * @param backoff pause before the second try; it is doubled for each further one. A try that would come after the timeout
     *     is not made
     * @param when says which failures are worth another try; a {@link io.thalweg.api.operator.BadRecordException} never is
     * @throws IllegalArgumentException if {@code times} is negative, or {@code backoff} is not zero and less than 1 ms or more than
     *     365 days
     */
    public AsyncStream<T> retry(int times, Duration backoff, FilterFunction<? super Throwable> when) {
        check(times >= 0, "a request cannot be retried " + times + " times");
        check(
                backoff.isZero() || inRange(backoff),
                "the pause before a retry must be zero, or from 1 ms to 365 days, not " + backoff);
        return with(new AsyncMap.Options(
                options.ordered(),
                options.concurrency(),
                options.timeoutMs(),
                new AsyncMap.Retry(times, backoff.toMillis(), Stream.cast(when)),
                options.cache()));
    }

    /**
     * Each task keeps results, "there is none" included, and asks once for records of equal keys that come while the request is
     * in flight. Failures are not kept. All records of a key are handed the same result object, which must not be changed.
     * Checkpoints do not hold the cache.
     *
     * <pre>{@code orders.async().cache(Order::user, 10_000, Duration.ofMinutes(5)).join(client::lookup, Job::withUser)}</pre>
     *
     * @param key what the request depends on; a record whose key is null is always asked for. Group the stream by the same key to
     *     have it in one task's cache only
     * @param most entries of a task; the one that was not used for the longest time makes room
     * @param keep a result that is older is asked for again
     * @throws IllegalArgumentException if {@code most} is less than 1, or {@code keep} less than 1 ms or more than 365 days
     */
    public AsyncStream<T> cache(NullableFunction<? super T, ?> key, int most, Duration keep) {
        check(most >= 1, "a cache must hold at least 1 entry, not " + most);
        check(inRange(keep), "a cache must keep results for 1 ms to 365 days, not " + keep);
        return with(new AsyncMap.Options(
                options.ordered(),
                options.concurrency(),
                options.timeoutMs(),
                options.retry(),
                new AsyncMap.Cache(Stream.cast(key), most, keep.toMillis())));
    }

    /**
     * Emits the results; for a result that is null, nothing. The type of the result cannot be read from a lambda; say it with
     * {@link Stream#as}.
     *
     * <pre>{@code orders.async().map(order -> client.lookup(order.user())).as(User.class)}</pre>
     */
    public <R> Stream<R> map(AsyncFunction<? super T, ? extends R> function) {
        return add(new AsyncMap.OfFunction(Stream.cast(function)), null, resultOf(function));
    }

    /** The same as {@link #map}, with an operator for each task, which may open a client. */
    public <R> Stream<R> process(OperatorSupplier<? extends AsyncOperator<? super T, R>> supplier) {
        return add(Stream.cast(supplier), null, Stream.emitted(supplier, AsyncOperator.class, 1));
    }

    /**
     * Emits what a function makes of each record and its result.
     *
     * @param function called with null if there is no result; returning null drops the record
     */
    public <U, R> Stream<R> join(
            AsyncFunction<? super T, ? extends U> lookup, JoinFunction<? super T, ? super U, ? extends R> function) {
        return add(
                new AsyncMap.OfFunction(Stream.cast(lookup)),
                Stream.cast(function),
                Stream.result(function, JoinFunction.class));
    }

    /** The same as {@link #join}, with an operator for each task, which may open a client. */
    public <U, R> Stream<R> joinWith(
            OperatorSupplier<? extends AsyncOperator<? super T, U>> supplier,
            JoinFunction<? super T, ? super U, ? extends R> function) {
        return add(Stream.cast(supplier), Stream.cast(function), Stream.result(function, JoinFunction.class));
    }

    private <R> Stream<R> add(
            OperatorSupplier<? extends AsyncOperator<Object, Object>> supplier,
            @Nullable JoinFunction<Object, Object, Object> function,
            @Nullable Type<?> output) {
        return stream.add(new AsyncMap(supplier, function, options), output);
    }

    /** A method reference or a lambda returns a stage; a class says what is in it. */
    private static @Nullable Type<?> resultOf(AsyncFunction<?, ?> function) {
        Type<?> type = Signatures.resultOf(function, AsyncFunction.class);
        if (type == null || !CompletionStage.class.isAssignableFrom(type.raw())) {
            return type;
        }
        return type.arguments().size() == 1 ? type.arguments().get(0) : null;
    }

    private AsyncStream<T> with(AsyncMap.Options next) {
        return new AsyncStream<>(stream, next);
    }

    private static boolean inRange(Duration duration) {
        return duration.compareTo(Duration.ofMillis(1)) >= 0 && duration.compareTo(LONGEST) <= 0;
    }

    private static void check(boolean right, String problem) {
        if (!right) {
            throw new IllegalArgumentException(problem);
        }
    }
}

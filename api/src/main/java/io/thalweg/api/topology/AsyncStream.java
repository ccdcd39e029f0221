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
 * Options of an asynchronous lookup; see {@link Stream#async}. Each option method returns a new object; {@link #map},
 * {@link #join}, {@link #process} and {@link #joinWith} add the operator.
 *
 * <p>Failures of a request: {@link io.thalweg.api.operator.BadRecordException} makes the record a bad one, {@link
 * io.thalweg.api.operator.RecordFailedException} retries it from its source in a job with the guarantee {@code acked},
 * anything else, a timeout included, fails the job once all retries are used up.
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
     * Emits results as they arrive, in any order. By default they are emitted in the order of their records, so a slow
     * request delays those behind it.
     */
    public AsyncStream<T> unordered() {
        return with(new AsyncMap.Options(
                false, options.concurrency(), options.timeoutMs(), options.retry(), options.cache()));
    }

    /**
     * Limits how many records each task holds: those whose request is in flight, and those whose result waits for
     * earlier ones or for room downstream. When the limit is reached, the task takes no more input (backpressure).
     *
     * @param records at least 1; 100 by default
     * @throws IllegalArgumentException if it is less than 1
     */
    public AsyncStream<T> concurrency(int records) {
        check(records >= 1, "concurrency must be at least 1, not " + records);
        return with(new AsyncMap.Options(
                options.ordered(), records, options.timeoutMs(), options.retry(), options.cache()));
    }

    /**
     * Limits how long a request may take, all retries included. Then it has failed and its future is cancelled. A
     * checkpoint waits for the requests in flight, so it waits at most this long.
     *
     * @param timeout from 1 ms to 365 days; one minute by default
     * @throws IllegalArgumentException if it is out of range
     */
    public AsyncStream<T> timeout(Duration timeout) {
        check(inRange(timeout), "the timeout must be from 1 ms to 365 days, not " + timeout);
        return with(new AsyncMap.Options(
                options.ordered(), options.concurrency(), timeout.toMillis(), options.retry(), options.cache()));
    }

    /** The same as {@link #retry(int, Duration, FilterFunction)}, for all failures. */
    public AsyncStream<T> retry(int times, Duration backoff) {
        return retry(times, backoff, thrown -> true);
    }

    /**
     * Retries failed requests. By default they are not retried.
     *
     * @param times maximum number of retries after the first try
     * @param backoff pause before the first retry; doubled for each further one (exponential backoff). A retry that
     *     would start after the timeout is not made
     * @param when says which failures are worth a retry; a {@link io.thalweg.api.operator.BadRecordException} is never
     *     retried
     * @throws IllegalArgumentException if {@code times} is negative, or {@code backoff} is not zero and less than 1 ms
     *     or more than 365 days
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
     * Caches results in each task, "no result" included, and sends one request for records of equal keys that come
     * while it is in flight. Failures are not cached. All records of a key receive the same result object, which must
     * not be changed. Checkpoints do not save the cache.
     *
     * <pre>{@code orders.async().cache(Order::user, 10_000, Duration.ofMinutes(5)).join(client::lookup, Job::withUser)}</pre>
     *
     * @param key what the request depends on; a record whose key is null is never cached. Group the stream by the same
     *     key to cache it in one task only
     * @param most maximum number of entries per task; the least recently used entry is evicted
     * @param keep an older result is requested again
     * @throws IllegalArgumentException if {@code most} is less than 1, or {@code keep} less than 1 ms or more than 365
     *     days
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
     * Emits the results; nothing if a result is null. The type of the result cannot be read from a lambda; declare it
     * with {@link Stream#as}.
     *
     * <pre>{@code orders.async().map(order -> client.lookup(order.user())).as(User.class)}</pre>
     *
     * @param function starts the request and must not block
     */
    public <R> Stream<R> map(AsyncFunction<? super T, ? extends R> function) {
        return add(new AsyncMap.OfFunction(Stream.cast(function)), null, resultOf(function));
    }

    /** The same as {@link #map}, with an operator for each task that may open and close a client. */
    public <R> Stream<R> process(OperatorSupplier<? extends AsyncOperator<? super T, R>> supplier) {
        return add(Stream.cast(supplier), null, Stream.emitted(supplier, AsyncOperator.class, 1));
    }

    /**
     * Emits what a function makes of each record and its result.
     *
     * @param lookup starts the request and must not block
     * @param function receives null if there is no result; returning null drops the record
     */
    public <U, R> Stream<R> join(
            AsyncFunction<? super T, ? extends U> lookup, JoinFunction<? super T, ? super U, ? extends R> function) {
        return add(
                new AsyncMap.OfFunction(Stream.cast(lookup)),
                Stream.cast(function),
                Stream.result(function, JoinFunction.class));
    }

    /** The same as {@link #join}, with an operator for each task that may open and close a client. */
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

    AsyncMap.Options options() {
        return options;
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

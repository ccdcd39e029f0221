// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.topology.AsyncStream;
import io.thalweg.api.topology.KeyedAsyncStream;
import io.thalweg.api.topology.KeyedStream;
import io.thalweg.api.topology.Stream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A Python function as an operator. Immutable: each method for an option returns another one. {@link #map}, {@link #flatMap} and
 * {@link #filter} add it to a stream. Made by {@link Python#operator(Path, String)}.
 *
 * <p>Rows are passed as Python's own values: text, numbers, booleans, bytes, None; lists for lists, sets and arrays; dicts for maps
 * and records. If the function's parameter is annotated with a dataclass, it gets objects of that instead of dicts. Enums, {@code
 * java.time}, {@code UUID} and {@code BigDecimal} are text. Results are converted to the type that is asked for, or the job fails
 * with a message that names the field.
 *
 * <p>Results come in the order of their rows, with the event time of their row. A process that dies is started again, and the rows
 * that it had not answered are sent to it again: no result is lost or repeated, but the function may be called twice for a row, and
 * what it kept in variables is gone. An exception fails the job; {@code thalweg.BadRecord} makes the row a bad one.
 *
 * <p>On a {@link KeyedStream} the function keeps a state for each key: it is called with key, state and row, and returns the new state
 * and the result. The state is the job's: it is in its checkpoints, and a process that dies takes nothing of it with it. If the
 * function is marked with a {@code ttl}, it expires, by event time or by the machine's clock.
 */
public final class PythonOperator {
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Of requests. The timeout is ours: a row may wait for the rows before it, and that is not the function's fault. */
    private static final Duration UNLIMITED = Duration.ofDays(365);

    private final Program program;
    private final Options options;

    PythonOperator(Program program, Options options) {
        this.program = program;
        this.options = options;
    }

    private PythonOperator with(
            String interpreter, int processes, int batchRows, long lingerMs, int inFlight, boolean ordered) {
        return new PythonOperator(
                program,
                new Options(
                        interpreter,
                        processes,
                        batchRows,
                        lingerMs,
                        inFlight,
                        options.timeoutMs(),
                        options.startMs(),
                        options.restarts(),
                        options.largestRow(),
                        options.largestState(),
                        ordered));
    }

    private PythonOperator within(long timeoutMs, long startMs, int restarts, int largestRow, int largestState) {
        return new PythonOperator(
                program,
                new Options(
                        options.interpreter(),
                        options.processes(),
                        options.batchRows(),
                        options.lingerMs(),
                        options.inFlight(),
                        timeoutMs,
                        startMs,
                        restarts,
                        largestRow,
                        largestState,
                        options.ordered()));
    }

    /**
     * Adds modules that the function imports: a file {@code model.py}, or the folder of a package. They are read now and sent with
     * the job. Data files are not sent.
     *
     * @throws ConnectorException if one cannot be read
     */
    public PythonOperator with(Path... modules) {
        Program all = program;
        for (Path module : modules) {
            all = all.with(module);
        }
        return new PythonOperator(all, options);
    }

    /** The interpreter: a path, or a name that is looked up in {@code PATH}; {@code python3} unless told. */
    public PythonOperator interpreter(String command) {
        return with(
                command,
                options.processes(),
                options.batchRows(),
                options.lingerMs(),
                options.inFlight(),
                options.ordered());
    }

    /** The interpreter of a virtual environment, with the packages installed there. It must be on each machine of a cluster. */
    public PythonOperator virtualenv(Path folder) {
        return interpreter(folder.resolve("bin").resolve("python").toString());
    }

    /**
     * How many processes each task has. One unless told: with as many tasks as cores, there is one for each core.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public PythonOperator processes(int each) {
        check(each >= 1, "a task needs at least 1 process, not " + each);
        return with(
                options.interpreter(),
                each,
                options.batchRows(),
                options.lingerMs(),
                options.inFlight(),
                options.ordered());
    }

    /**
     * How many rows a batch has at most; 512 unless told. A batch is sent as soon as the process has nothing else to do, however
     * small it is, so at a low rate no row waits for another.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public PythonOperator batch(int rows) {
        return batch(rows, Duration.ZERO);
    }

    /**
     * The same as {@link #batch(int)}, for functions of batches that are better with large ones.
     *
     * @param linger how long a row waits for others, at most; zero unless told
     * @throws IllegalArgumentException if {@code rows} is less than 1, or {@code linger} negative or more than a day
     */
    public PythonOperator batch(int rows, Duration linger) {
        check(rows >= 1, "a batch has at least 1 row, not " + rows);
        check(!linger.isNegative() && linger.compareTo(LONGEST) <= 0, "a row cannot wait for " + linger);
        return with(
                options.interpreter(),
                options.processes(),
                rows,
                linger.toMillis(),
                options.inFlight(),
                options.ordered());
    }

    /**
     * How many rows a task holds: those on the way, and those whose result waits for an earlier one. When it is reached, the task
     * takes no more input (backpressure). 4,096 unless told.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public PythonOperator inFlight(int rows) {
        check(rows >= 1, "a task holds at least 1 row, not " + rows);
        return with(
                options.interpreter(),
                options.processes(),
                options.batchRows(),
                options.lingerMs(),
                rows,
                options.ordered());
    }

    /** Emits results as they come. With several processes, a slow batch then delays no other. */
    public PythonOperator unordered() {
        return with(
                options.interpreter(),
                options.processes(),
                options.batchRows(),
                options.lingerMs(),
                options.inFlight(),
                false);
    }

    /**
     * How long the function may take for a batch, before the process is ended and the job fails with the place where it was. A
     * minute unless told.
     *
     * @throws IllegalArgumentException if it is not from 1 ms to a day
     */
    public PythonOperator timeout(Duration batch) {
        return within(ms(batch), options.startMs(), options.restarts(), options.largestRow(), options.largestState());
    }

    /**
     * How long a process may take until it is ready: until its modules are imported. Two minutes unless told.
     *
     * @throws IllegalArgumentException if it is not from 1 ms to a day
     */
    public PythonOperator startTimeout(Duration start) {
        return within(options.timeoutMs(), ms(start), options.restarts(), options.largestRow(), options.largestState());
    }

    /**
     * How often a process that dies is started again before it has answered anything; then the job fails. 3 unless told, 0 for
     * never.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public PythonOperator restarts(int times) {
        check(times >= 0, "a process cannot be started again " + times + " times");
        return within(options.timeoutMs(), options.startMs(), times, options.largestRow(), options.largestState());
    }

    /**
     * How many bytes a row may have; a larger one fails the job. 64 MiB unless told.
     *
     * @throws IllegalArgumentException if it is not from 1 to 1 GiB
     */
    public PythonOperator largestRow(int bytes) {
        check(bytes >= 1 && bytes <= 1 << 30, "a row has from 1 to " + (1 << 30) + " bytes, not " + bytes);
        return within(options.timeoutMs(), options.startMs(), options.restarts(), bytes, options.largestState());
    }

    /**
     * How many bytes the state of a key may have, packed; a larger one fails the job. 1 MiB unless told.
     *
     * @throws IllegalArgumentException if it is not from 1 to 1 GiB
     */
    public PythonOperator largestState(int bytes) {
        check(bytes >= 1 && bytes <= 1 << 30, "a state has from 1 to " + (1 << 30) + " bytes, not " + bytes);
        return within(options.timeoutMs(), options.startMs(), options.restarts(), options.largestRow(), bytes);
    }

    /**
     * Turns each row into what the function returns for it, which must not be None.
     *
     * @throws CodecException if results cannot be converted to this type
     */
    public <T, R> Stream<R> map(Stream<T> rows, Class<R> result) {
        return map(rows, Type.of(result));
    }

    /** The same as {@link #map(Stream, Class)}, for generic types. */
    public <T, R> Stream<R> map(Stream<T> rows, Type<R> result) {
        return add(rows, Kind.MAP, result);
    }

    /**
     * The same as {@link #map(Stream, Class)} for a function that keeps a state for each key, {@code @operator(state=True)}.
     *
     * <pre>{@code operator.map(readings.keyBy(Reading::sensor), Score.class)}</pre>
     *
     * @throws CodecException if results cannot be converted to this type
     */
    public <K, T, R> Stream<R> map(KeyedStream<K, T> rows, Class<R> result) {
        return map(rows, Type.of(result));
    }

    /** The same as {@link #map(KeyedStream, Class)}, for generic types. */
    public <K, T, R> Stream<R> map(KeyedStream<K, T> rows, Type<R> result) {
        return add(rows, Kind.MAP, result);
    }

    /**
     * Turns each row into any number of others: the elements of the list, or of what else can be iterated over, that the function
     * returns. A generator is read to its end before the first of its rows goes on.
     *
     * @throws CodecException if results cannot be converted to this type
     */
    public <T, R> Stream<R> flatMap(Stream<T> rows, Class<R> result) {
        return flatMap(rows, Type.of(result));
    }

    /** The same as {@link #flatMap(Stream, Class)}, for generic types. */
    public <T, R> Stream<R> flatMap(Stream<T> rows, Type<R> result) {
        return flat(add(rows, Kind.FLAT_MAP, Type.list(result)), result);
    }

    /**
     * The same as {@link #flatMap(Stream, Class)} for a function that keeps a state for each key.
     *
     * @throws CodecException if results cannot be converted to this type
     */
    public <K, T, R> Stream<R> flatMap(KeyedStream<K, T> rows, Class<R> result) {
        return flatMap(rows, Type.of(result));
    }

    /** The same as {@link #flatMap(KeyedStream, Class)}, for generic types. */
    public <K, T, R> Stream<R> flatMap(KeyedStream<K, T> rows, Type<R> result) {
        return flat(add(rows, Kind.FLAT_MAP, Type.list(result)), result);
    }

    private static <R> Stream<R> flat(Stream<List<R>> lists, Type<R> result) {
        return lists.flatMap(each -> each).as(result);
    }

    /**
     * Keeps the rows for which the function returns True.
     *
     * @param type of the rows
     */
    public <T> Stream<T> filter(Stream<T> rows, Class<T> type) {
        return filter(rows, Type.of(type));
    }

    /** The same as {@link #filter(Stream, Class)}, for generic types. */
    public <T> Stream<T> filter(Stream<T> rows, Type<T> type) {
        Task task = new Task(program, options, Kind.FILTER, false, type, Type.of(Boolean.class));
        return async(rows)
                .<Boolean, T>joinWith(supplier(task), (row, keep) -> keep != null && keep ? row : null)
                .as(type);
    }

    /**
     * The same as {@link #filter(Stream, Class)} for a function that keeps a state for each key.
     *
     * @param type of the rows
     */
    public <K, T> Stream<T> filter(KeyedStream<K, T> rows, Class<T> type) {
        return filter(rows, Type.of(type));
    }

    /** The same as {@link #filter(KeyedStream, Class)}, for generic types. */
    public <K, T> Stream<T> filter(KeyedStream<K, T> rows, Type<T> type) {
        return add(rows, new Task(program, options, Kind.FILTER, true, type, Type.of(Boolean.class)))
                .as(type);
    }

    private <T, R> Stream<R> add(Stream<T> rows, Kind kind, Type<R> result) {
        Shape.of(result);
        Task task = new Task(program, options, kind, false, rows.type(), result);
        return async(rows).process(PythonOperator.<T, R>supplier(task)).as(result);
    }

    private <K, T, R> Stream<R> add(KeyedStream<K, T> rows, Kind kind, Type<R> result) {
        Shape.of(result);
        Task task = new Task(program, options, kind, true, rows.records().type(), result);
        return this.<K, T, R>add(rows, task).as(result);
    }

    private <K, T, R> Stream<R> add(KeyedStream<K, T> rows, Task task) {
        KeyedAsyncStream<K, T> async =
                rows.async().concurrency(options.inFlight()).timeout(UNLIMITED);
        return (options.ordered() ? async : async.unordered()).process(() -> new KeyedProcessOperator<K, T, R>(task));
    }

    private static <T, R> OperatorSupplier<AsyncOperator<T, R>> supplier(Task task) {
        return () -> new ProcessOperator<>(task);
    }

    private <T> AsyncStream<T> async(Stream<T> rows) {
        AsyncStream<T> async = rows.async().concurrency(options.inFlight()).timeout(UNLIMITED);
        return options.ordered() ? async : async.unordered();
    }

    private static long ms(Duration duration) {
        check(
                duration.compareTo(Duration.ofMillis(1)) >= 0 && duration.compareTo(LONGEST) <= 0,
                "a timeout must be from 1 ms to a day, not " + duration);
        return duration.toMillis();
    }

    private static void check(boolean right, String problem) {
        if (!right) {
            throw new IllegalArgumentException(problem);
        }
    }
}

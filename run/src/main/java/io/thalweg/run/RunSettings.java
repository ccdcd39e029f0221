// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.Guarantee;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a topology is run. Immutable and thread-safe: each {@code with} method returns changed settings.
 *
 * <pre>{@code
 * RunSettings settings = RunSettings.defaults()
 *         .withParallelism(4)
 *         .withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(Path.of("checkpoints")).restoringLatest())
 *         .withRestart(Restart.fixed(3, Duration.ofSeconds(10)));
 * }</pre>
 */
public final class RunSettings {
    /** The greatest parallelism. */
    public static final int MAX_PARALLELISM = 256;

    /** The greatest number of worker threads. */
    public static final int MAX_THREADS = 1024;

    /** The default capacity of a queue, in batches. */
    public static final int QUEUE_BATCHES = 16;

    /** The default number of records in a full batch. */
    public static final int BATCH_RECORDS = 512;

    private static final Duration STOP_UNGUARDED = Duration.ofSeconds(1);
    private static final Duration STOP_GUARDED = Duration.ofSeconds(30);

    private int parallelism = Runtime.getRuntime().availableProcessors();
    private int threads = Runtime.getRuntime().availableProcessors();
    private Idle idle = Idle.BALANCED;
    private boolean failOnBad;
    private BadLimit badLimit = BadLimit.half();
    private BadRecordListener badRecords = (topology, operator, record) -> {};
    private SlowCallListener slowCalls = SlowCallListener.NONE;
    private StageListener stages = (operator, className) -> {};
    private KeyListener keys = KeyListener.NONE;
    private PrintStream console = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
    private boolean specialise = true;
    private int stepRecords;
    private int queueBatches = QUEUE_BATCHES;
    private int batchRecords = BATCH_RECORDS;
    private Clock clock = Clock.system();
    private Guarantee guarantee = Guarantee.NONE;
    private @Nullable CheckpointSettings checkpoints;
    private @Nullable AckSettings acks;
    private int tries;
    private Consumer<String> warnings = warning -> {};
    private Restart restart = Restart.none();
    private @Nullable Duration stopTimeout;
    private @Nullable Duration connectTimeout;
    private StateLimit stateLimit = StateLimit.ofHeap();
    private long feedbackLimit = 1_000_000;

    private RunSettings() {}

    /**
     * As many tasks per operator, and as many worker threads, as there are cores; idle workers spin for a moment, then
     * park; no guarantee; up to half of the records may be bad.
     */
    public static RunSettings defaults() {
        return new RunSettings();
    }

    private RunSettings copy() {
        RunSettings copy = new RunSettings();
        copy.parallelism = parallelism;
        copy.threads = threads;
        copy.idle = idle;
        copy.failOnBad = failOnBad;
        copy.badLimit = badLimit;
        copy.badRecords = badRecords;
        copy.slowCalls = slowCalls;
        copy.stages = stages;
        copy.keys = keys;
        copy.console = console;
        copy.specialise = specialise;
        copy.stepRecords = stepRecords;
        copy.queueBatches = queueBatches;
        copy.batchRecords = batchRecords;
        copy.clock = clock;
        copy.guarantee = guarantee;
        copy.checkpoints = checkpoints;
        copy.acks = acks;
        copy.tries = tries;
        copy.warnings = warnings;
        copy.restart = restart;
        copy.stopTimeout = stopTimeout;
        copy.connectTimeout = connectTimeout;
        copy.stateLimit = stateLimit;
        copy.feedbackLimit = feedbackLimit;
        return copy;
    }

    /**
     * Sets the number of tasks of a source, or of an operator after a grouping, that does not set its own.
     *
     * @param value from 1 to {@value #MAX_PARALLELISM}
     * @throws IllegalArgumentException if it is out of range
     */
    public RunSettings withParallelism(int value) {
        require(value >= 1 && value <= MAX_PARALLELISM, "parallelism must be from 1 to " + MAX_PARALLELISM, value);
        RunSettings next = copy();
        next.parallelism = value;
        return next;
    }

    /**
     * Sets the number of worker threads. Embedded only.
     *
     * @param value 0 for none: the caller then runs the job step by step, with {@code Job.step()}
     * @throws IllegalArgumentException if it is negative or above {@link #MAX_THREADS}
     */
    public RunSettings withThreads(int value) {
        require(value >= 0 && value <= MAX_THREADS, "threads must be from 0 to " + MAX_THREADS, value);
        RunSettings next = copy();
        next.threads = value;
        return next;
    }

    /** Sets what idle worker threads do. Embedded only. */
    public RunSettings withIdle(Idle value) {
        RunSettings next = copy();
        next.idle = value;
        return next;
    }

    /**
     * Sets whether the first bad record fails the job (true), or bad records are counted and kept (false, the default).
     */
    public RunSettings withFailOnBad(boolean value) {
        RunSettings next = copy();
        next.failOnBad = value;
        return next;
    }

    /**
     * Sets how many records may be bad before the job fails; {@link BadLimit#half()} by default. With {@link
     * BadLimit#none()} a job finishes even if all records are bad.
     */
    public RunSettings withBadLimit(BadLimit value) {
        RunSettings next = copy();
        next.badLimit = value;
        return next;
    }

    /**
     * Sets how much state operators may keep in memory before the job fails; {@link StateLimit#ofHeap()} by default.
     * Embedded only.
     */
    public RunSettings withStateLimit(StateLimit value) {
        RunSettings next = copy();
        next.stateLimit = value;
        return next;
    }

    /**
     * Sets how many records the streams that lead back ({@link io.thalweg.api.graph.EdgeBuilder#feedback}) may keep in each loop of a
     * topology when their queues are full, before the job fails: one million by default, and as many more as the queues within the loop
     * hold. A loop that leads back no more records than come in never gets there. Embedded only.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public RunSettings withFeedbackLimit(long records) {
        if (records < 0) {
            throw new IllegalArgumentException(
                    "the limit of records that are led back must be at least 0, not " + records);
        }
        RunSettings next = copy();
        next.feedbackLimit = records;
        return next;
    }

    /** Sets who receives bad records; by default they are only counted. */
    public RunSettings withBadRecords(BadRecordListener value) {
        RunSettings next = copy();
        next.badRecords = value;
        return next;
    }

    /** Sets who is notified of calls that occupy a worker thread for long, and of tasks that take long to open. Embedded only. */
    public RunSettings withSlowCalls(SlowCallListener value) {
        RunSettings next = copy();
        next.slowCalls = value;
        return next;
    }

    /** Sets who is told which class runs which operator, such as a profiler. Embedded only. */
    public RunSettings withStages(StageListener value) {
        RunSettings next = copy();
        next.stages = value;
        return next;
    }

    /** Sets who is told hashes of some of the keys that go along edges. Embedded only. */
    public RunSettings withKeys(KeyListener value) {
        RunSettings next = copy();
        next.keys = value;
        return next;
    }

    /**
     * Sets the guarantee of the job, and where it stores checkpoints. For {@link Guarantee#ACKED} this is {@link
     * #withAcks} with its defaults.
     *
     * @param where ignored for {@link Guarantee#NONE}
     */
    public RunSettings withGuarantee(Guarantee value, CheckpointSettings where) {
        if (value == Guarantee.ACKED) {
            return withAcks(AckSettings.defaults(), where);
        }
        RunSettings next = copy();
        next.guarantee = value;
        next.checkpoints = value == Guarantee.NONE ? null : where;
        next.acks = null;
        return next;
    }

    /**
     * Sets the guarantee {@link Guarantee#ACKED}: source records are acked one by one, and retried.
     *
     * @param value limits and timeout
     * @param where checkpoints are stored; null for none, which is allowed if no operator keeps state
     */
    public RunSettings withAcks(AckSettings value, @Nullable CheckpointSettings where) {
        RunSettings next = copy();
        next.guarantee = Guarantee.ACKED;
        next.checkpoints = where;
        next.acks = value;
        return next;
    }

    /** Keeps the guarantee and changes the checkpoint settings. */
    public RunSettings withCheckpoints(CheckpointSettings where) {
        RunSettings next = copy();
        next.checkpoints = where;
        return next;
    }

    /** Sets when a failed job is restarted from its last checkpoint. A job without checkpoints is not restarted. */
    public RunSettings withRestart(Restart value) {
        RunSettings next = copy();
        next.restart = value;
        return next;
    }

    /**
     * Sets how often a record may fail before it is given up, that is, kept with the bad records while the job
     * continues without it. Counted are exceptions of an operator, over all restarts of the job, and timeouts in a job
     * with the guarantee {@code acked}.
     *
     * @param value 0 means unlimited
     * @throws IllegalArgumentException if it is negative
     */
    public RunSettings withTries(int value) {
        require(value >= 0, "tries must be at least 0", value);
        RunSettings next = copy();
        next.tries = value;
        return next;
    }

    /**
     * Sets how long a job that is told to stop may take for the records in flight. After that a job with checkpoints
     * stops without its last one, so that it continues from the one before; any other job drops those records and
     * reports how many there were. By default 30 seconds with a guarantee, and one second without.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public RunSettings withStopTimeout(Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("the time to stop in must not be negative, not " + value);
        }
        RunSettings next = copy();
        next.stopTimeout = value;
        return next;
    }

    /**
     * Sets how long to wait, when the job starts, for the systems that its sources and sinks talk to and that do not answer, such as a
     * Kafka broker; by default as long as each source and sink says itself. Where a cluster runs the tasks in processes of its own, these
     * connect, and a job with this setting is refused.
     *
     * @param value zero to try once
     * @throws IllegalArgumentException if it is negative
     */
    public RunSettings withConnectTimeout(Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("the time to connect in must not be negative, not " + value);
        }
        RunSettings next = copy();
        next.connectTimeout = value;
        return next;
    }

    /** Sets who receives warnings, one line each, while the job continues. Any thread may call the consumer. */
    public RunSettings withWarnings(Consumer<String> value) {
        RunSettings next = copy();
        next.warnings = value;
        return next;
    }

    /** Sets where console sinks print; standard output by default. */
    public RunSettings withConsole(PrintStream value) {
        RunSettings next = copy();
        next.console = value;
        return next;
    }

    /**
     * Sets whether each pipeline runs copies of the engine's classes made for it (true, the default), or shared
     * classes: slower, for comparison.
     */
    public RunSettings withSpecialise(boolean value) {
        RunSettings next = copy();
        next.specialise = value;
        return next;
    }

    /**
     * Sets how much a task does in one run on a thread, and how much a queue holds. Small numbers provoke hard cases in
     * tests.
     *
     * @param records maximum number of records that a source task polls in one run; 0 lets the engine determine it
     * @param batches capacity of a queue in batches; a power of two
     * @param recordsInBatch maximum number of records in a batch, at least 1
     * @throws IllegalArgumentException if a value is out of range
     */
    public RunSettings withSteps(int records, int batches, int recordsInBatch) {
        require(records >= 0, "records in a turn must be at least 0", records);
        require(Integer.bitCount(batches) == 1, "batches must be a power of two", batches);
        require(recordsInBatch >= 1, "records in a batch must be at least 1", recordsInBatch);
        RunSettings next = copy();
        next.stepRecords = records;
        next.queueBatches = batches;
        next.batchRecords = recordsInBatch;
        return next;
    }

    /** Sets the clock of the run, for tests. */
    public RunSettings withClock(Clock value) {
        RunSettings next = copy();
        next.clock = value;
        return next;
    }

    /** See {@link #withParallelism}. */
    public int parallelism() {
        return parallelism;
    }

    /** See {@link #withThreads}. */
    public int threads() {
        return threads;
    }

    /** See {@link #withIdle}. */
    public Idle idle() {
        return idle;
    }

    /** See {@link #withFailOnBad}. */
    public boolean failOnBad() {
        return failOnBad;
    }

    /** See {@link #withStateLimit}. */
    public StateLimit stateLimit() {
        return stateLimit;
    }

    /** See {@link #withFeedbackLimit}. */
    public long feedbackLimit() {
        return feedbackLimit;
    }

    /** See {@link #withBadLimit}. */
    public BadLimit badLimit() {
        return badLimit;
    }

    /** See {@link #withBadRecords}. */
    public BadRecordListener badRecords() {
        return badRecords;
    }

    /** See {@link #withSlowCalls}. */
    public SlowCallListener slowCalls() {
        return slowCalls;
    }

    /** See {@link #withStages}. */
    public StageListener stages() {
        return stages;
    }

    /** See {@link #withKeys}. */
    public KeyListener keys() {
        return keys;
    }

    /** See {@link #withConsole}. */
    public PrintStream console() {
        return console;
    }

    /** See {@link #withSpecialise}. */
    public boolean specialise() {
        return specialise;
    }

    /** The maximum number of records that a source task polls in one run; see {@link #withSteps}. */
    public int stepRecords() {
        return stepRecords;
    }

    /** The capacity of a queue in batches; see {@link #withSteps}. */
    public int queueBatches() {
        return queueBatches;
    }

    /** The maximum number of records in a batch; see {@link #withSteps}. */
    public int batchRecords() {
        return batchRecords;
    }

    /** The time of day by the run's clock, in epoch milliseconds. */
    public long nowMs() {
        return clock.epochMs();
    }

    /** See {@link #withClock}. */
    public Clock clock() {
        return clock;
    }

    /** See {@link #withGuarantee}. */
    public Guarantee guarantee() {
        return guarantee;
    }

    /** The checkpoint settings; null if the job takes no checkpoints. */
    public @Nullable CheckpointSettings checkpoints() {
        return checkpoints;
    }

    /** The ack settings; null if the guarantee is not {@link Guarantee#ACKED}. */
    public @Nullable AckSettings acks() {
        return acks;
    }

    /** See {@link #withRestart}. */
    public Restart restart() {
        return restart;
    }

    /** See {@link #withStopTimeout}; the default depends on the guarantee. */
    public Duration stopTimeout() {
        Duration asked = stopTimeout;
        if (asked != null) {
            return asked;
        }
        return guarantee == Guarantee.NONE ? STOP_UNGUARDED : STOP_GUARDED;
    }

    /** See {@link #withConnectTimeout}; null if each source and sink is to wait as long as it says itself. */
    public @Nullable Duration connectTimeout() {
        return connectTimeout;
    }

    /** See {@link #withTries}. */
    public int tries() {
        return tries;
    }

    /** See {@link #withWarnings}. */
    public Consumer<String> warnings() {
        return warnings;
    }

    private static void require(boolean holds, String rule, int value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", not " + value);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.Guarantee;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How a topology is to be run. Immutable: each {@code with} method gives changed settings. */
public final class RunSettings {
    private static final Duration STOP_UNGUARDED = Duration.ofSeconds(1);
    private static final Duration STOP_GUARDED = Duration.ofSeconds(30);

    private int parallelism = Runtime.getRuntime().availableProcessors();
    private int threads = Runtime.getRuntime().availableProcessors();
    private Idle idle = Idle.BALANCED;
    private boolean failOnBad;
    private BadLimit badLimit = BadLimit.half();
    private BadRecordListener badRecords = (topology, operator, record) -> {};
    private SlowCallListener slowCalls = (topology, task, where) -> {};
    private PrintStream console = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
    private boolean specialise = true;
    private int stepRecords;
    private int queueBatches = 16;
    private int batchRecords = 512;
    private Clock clock = Clock.system();
    private Guarantee guarantee = Guarantee.NONE;
    private @Nullable CheckpointSettings checkpoints;
    private @Nullable AckSettings acks;
    private int tries;
    private Consumer<String> warnings = warning -> {};
    private Restart restart = Restart.none();
    private @Nullable Duration stopTimeout;
    private StateLimit stateLimit = StateLimit.ofHeap();

    private RunSettings() {}

    /** One task an operator and one worker a core; idle workers spin a little, then park; half of the records may be bad. */
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
        copy.stateLimit = stateLimit;
        return copy;
    }

    /** Tasks of an operator that follows a grouping, or of a source, and does not say how many it wants. */
    public RunSettings withParallelism(int value) {
        require(value >= 1 && value <= 256, "parallelism must be from 1 to 256", value);
        RunSettings next = copy();
        next.parallelism = value;
        return next;
    }

    /** Worker threads; 0 for none: the caller steps the job with {@link Job#step()}. */
    public RunSettings withThreads(int value) {
        require(value >= 0, "threads must be at least 0", value);
        RunSettings next = copy();
        next.threads = value;
        return next;
    }

    public RunSettings withIdle(Idle value) {
        RunSettings next = copy();
        next.idle = value;
        return next;
    }

    /** True to fail at the first bad record, false to count it and go on. */
    public RunSettings withFailOnBad(boolean value) {
        RunSettings next = copy();
        next.failOnBad = value;
        return next;
    }

    /**
     * How many records may be bad before the job fails: half of them unless told. {@link BadLimit#none()} lets a job finish
     * that has bad records only.
     */
    public RunSettings withBadLimit(BadLimit value) {
        RunSettings next = copy();
        next.badLimit = value;
        return next;
    }

    /** How much operators may keep before the job fails: {@link StateLimit#ofHeap()} unless told. Embedded only. */
    public RunSettings withStateLimit(StateLimit value) {
        RunSettings next = copy();
        next.stateLimit = value;
        return next;
    }

    public RunSettings withBadRecords(BadRecordListener value) {
        RunSettings next = copy();
        next.badRecords = value;
        return next;
    }

    public RunSettings withSlowCalls(SlowCallListener value) {
        RunSettings next = copy();
        next.slowCalls = value;
        return next;
    }

    /** What the job promises, and where it keeps what it needs for it; {@link #withAcks} for {@link Guarantee#ACKED}. */
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
     * Confirms records one by one.
     *
     * @param where checkpoints are kept; null for none, where no operator keeps anything
     */
    public RunSettings withAcks(AckSettings value, @Nullable CheckpointSettings where) {
        RunSettings next = copy();
        next.guarantee = Guarantee.ACKED;
        next.checkpoints = where;
        next.acks = value;
        return next;
    }

    /** The same promise, with checkpoints elsewhere. */
    public RunSettings withCheckpoints(CheckpointSettings where) {
        RunSettings next = copy();
        next.checkpoints = where;
        return next;
    }

    /** When a job that fails goes on from its last checkpoint; one that takes none is not started again. */
    public RunSettings withRestart(Restart value) {
        RunSettings next = copy();
        next.restart = value;
        return next;
    }

    /**
     * How often a record may fail, before it is kept with the bad records and the job goes on without it: at an operator that
     * throws, over all starts of the job, and in a job that is acked also if it took too long. 0 means unlimited.
     */
    public RunSettings withTries(int value) {
        require(value >= 0, "tries must be at least 0", value);
        RunSettings next = copy();
        next.tries = value;
        return next;
    }

    /**
     * How long a job that is to stop has for the records in flight. After that a job with checkpoints stops without its last
     * one, and goes on from the one before; any other drops them and says how many they were. By default 30 seconds where
     * something is promised, and one second elsewhere.
     */
    public RunSettings withStopTimeout(Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("the time to stop in must not be negative, not " + value);
        }
        RunSettings next = copy();
        next.stopTimeout = value;
        return next;
    }

    /** Hears, in one line each, of what is not as it should be while the job goes on. Any thread may call it. */
    public RunSettings withWarnings(Consumer<String> value) {
        RunSettings next = copy();
        next.warnings = value;
        return next;
    }

    /** Where console sinks print. */
    public RunSettings withConsole(PrintStream value) {
        RunSettings next = copy();
        next.console = value;
        return next;
    }

    /** False to run shared classes instead of copies made for each pipeline: slower, for comparison. */
    public RunSettings withSpecialise(boolean value) {
        RunSettings next = copy();
        next.specialise = value;
        return next;
    }

    /**
     * How much happens in one turn and how much a queue holds; small numbers make hard cases in tests.
     *
     * @param records most records that a source task polls in one turn; 0 to let the engine find the number
     * @param batches batches a queue holds: a power of two
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

    public RunSettings withClock(Clock value) {
        RunSettings next = copy();
        next.clock = value;
        return next;
    }

    public int parallelism() {
        return parallelism;
    }

    public int threads() {
        return threads;
    }

    public Idle idle() {
        return idle;
    }

    public boolean failOnBad() {
        return failOnBad;
    }

    public StateLimit stateLimit() {
        return stateLimit;
    }

    public BadLimit badLimit() {
        return badLimit;
    }

    public BadRecordListener badRecords() {
        return badRecords;
    }

    public SlowCallListener slowCalls() {
        return slowCalls;
    }

    public PrintStream console() {
        return console;
    }

    public boolean specialise() {
        return specialise;
    }

    public int stepRecords() {
        return stepRecords;
    }

    public int queueBatches() {
        return queueBatches;
    }

    public int batchRecords() {
        return batchRecords;
    }

    /** The time of day by the job's clock, in epoch milliseconds. */
    public long nowMs() {
        return clock.epochMs();
    }

    public Clock clock() {
        return clock;
    }

    public Guarantee guarantee() {
        return guarantee;
    }

    /** Null if none are taken. */
    public @Nullable CheckpointSettings checkpoints() {
        return checkpoints;
    }

    /** Null if records are not confirmed one by one. */
    public @Nullable AckSettings acks() {
        return acks;
    }

    public Restart restart() {
        return restart;
    }

    public Duration stopTimeout() {
        Duration asked = stopTimeout;
        if (asked != null) {
            return asked;
        }
        return guarantee == Guarantee.NONE ? STOP_UNGUARDED : STOP_GUARDED;
    }

    public int tries() {
        return tries;
    }

    public Consumer<String> warnings() {
        return warnings;
    }

    private static void require(boolean holds, String rule, int value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", not " + value);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Load;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;
import org.jspecify.annotations.Nullable;

/**
 * Pushes the records of one task of the load, a few at each poll, so that the task's mailbox (checkpoints, timers) is looked at
 * often but not for every record. While nothing is due it parks a little, or spins where the cell says so, rather than hand the task
 * to the mailbox, whose wake-up would be part of the latency.
 */
final class LoadReader<T> implements SourceReader<T, LoadSource.Split> {
    private static final int RECORDS_A_POLL = 64;

    private final Cell cell;
    private final LoadSource.Maker<T> maker;
    private final int task;
    private final int tasks;
    private final boolean spins;
    private final AtomicReference<@Nullable CompletableFuture<Void>> available = new AtomicReference<>();
    private @Nullable Load load;
    private long position;

    LoadReader(Cell cell, LoadSource.Maker<T> maker, int task, int tasks) {
        this.cell = cell;
        this.maker = maker;
        this.task = task;
        this.tasks = tasks;
        this.spins = cell.waiting() == Cell.Waiting.SPIN;
    }

    @Override
    public void start() {
        maker.open();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<T> output) {
        Load open = open();
        for (int i = 0; i < RECORDS_A_POLL; i++) {
            if (open.ended()) {
                return InputStatus.END_OF_INPUT;
            }
            if (!open.due()) {
                return i == 0 ? idle(open) : InputStatus.MORE_AVAILABLE;
            }
            output.collect(maker.next(open));
        }
        return InputStatus.MORE_AVAILABLE;
    }

    private InputStatus idle(Load open) {
        if (spins) {
            Thread.onSpinWait();
            return InputStatus.MORE_AVAILABLE;
        }
        if (cell.pushed()) {
            return InputStatus.NOTHING_AVAILABLE;
        }
        open.park();
        return InputStatus.MORE_AVAILABLE;
    }

    /** At the first poll, when all tasks of the job are up: the first record is due from then on. */
    private Load open() {
        Load open = load;
        if (open == null) {
            open = Load.open(cell, task, tasks, this::wakeUp);
            open.seek(position);
            load = open;
        }
        return open;
    }

    @Override
    public List<LoadSource.Split> snapshotState(long checkpoint) {
        return List.of(new LoadSource.Split(task, load == null ? position : load.position()));
    }

    private void wakeUp() {
        CompletableFuture<Void> waiting = available.get();
        if (waiting != null) {
            waiting.complete(null);
        }
    }

    /** Of a load that is pushed, asked again by whoever pushes the next record. */
    @Override
    public CompletableFuture<Void> isAvailable() {
        Load open = load;
        if (open == null || !cell.pushed()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        available.set(waiting);
        if (open.due() || open.ended()) { // pushed before the pusher could see who waits
            waiting.complete(null);
        }
        return waiting;
    }

    /** What a checkpoint held of this task. */
    @Override
    public void addSplits(List<LoadSource.Split> splits) {
        for (LoadSource.Split each : splits) {
            if (each.task() != task) {
                throw new IllegalStateException("task " + task + " got what task " + each.task() + " had sent");
            }
            position = each.sent();
        }
    }

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {
        if (load != null) {
            load.close();
        }
    }
}

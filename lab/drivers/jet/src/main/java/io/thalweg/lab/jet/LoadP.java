// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.jet.Traverser;
import com.hazelcast.jet.core.AbstractProcessor;
import com.hazelcast.jet.core.BroadcastKey;
import com.hazelcast.jet.core.EventTimeMapper;
import com.hazelcast.jet.core.EventTimePolicy;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Load;
import org.jspecify.annotations.Nullable;

/**
 * The records of one source task. Cooperative: it emits until nothing is due or the outbox is full, and leaves waiting to Jet's
 * own idle strategy.
 */
final class LoadP<T> extends AbstractProcessor {
    private final Cell cell;
    private final RelayWork.Maker<T> maker;
    private final @Nullable EventTimeMapper<T> times;
    private int task;
    private @Nullable Load load;
    private @Nullable Traverser<?> traverser;

    /** How many of the task's records Jet has taken: what it has not taken of those that were made comes after a snapshot. */
    private long position;

    private LoadP(Cell cell, RelayWork.Maker<T> maker, @Nullable EventTimeMapper<T> times) {
        this.cell = cell;
        this.maker = maker;
        this.times = times;
    }

    static <T> LoadP<T> untimed(Cell cell, RelayWork.Maker<T> maker) {
        return new LoadP<>(cell, maker, null);
    }

    /** One whose records have event times, by which it emits watermarks. */
    static <T> LoadP<T> timed(Cell cell, RelayWork.Maker<T> maker, EventTimePolicy<? super T> policy) {
        EventTimeMapper<T> times = new EventTimeMapper<>(policy);
        times.addPartitions(1);
        return new LoadP<>(cell, maker, times);
    }

    @Override
    protected void init(Context context) {
        // Only one member has sources.
        task = context.localProcessorIndex();
    }

    @Override
    public boolean complete() {
        Load opened = load;
        if (opened == null) {
            // At the first call all tasks of the job are up; the first record is due from then on.
            opened = Load.open(cell, task, cell.sources());
            opened.seek(position);
            load = opened;
            traverser = traverser(opened);
        }
        return traverser != null && emitFromTraverser(traverser) && opened.ended();
    }

    private Traverser<?> traverser(Load opened) {
        Traverser<T> records = () -> next(opened);
        EventTimeMapper<T> mapper = times;
        return mapper == null
                ? records
                : records.flatMap(fact -> mapper.flatMapEvent(fact, 0, EventTimeMapper.NO_NATIVE_TIME));
    }

    private @Nullable T next(Load opened) {
        position = opened.position();
        return opened.ended() || !opened.due() ? null : maker.next(opened);
    }

    @Override
    public boolean saveToSnapshot() {
        return tryEmitToSnapshot(BroadcastKey.broadcastKey(task), position);
    }

    @Override
    protected void restoreFromSnapshot(Object key, Object value) {
        if (key.equals(BroadcastKey.broadcastKey(task))) {
            position = (long) value;
        }
    }

    @Override
    public void close() {
        if (load != null) {
            load.close();
        }
    }
}

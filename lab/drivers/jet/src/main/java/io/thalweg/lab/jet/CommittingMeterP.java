// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.jet.Traverser;
import com.hazelcast.jet.Traversers;
import com.hazelcast.jet.core.AbstractProcessor;
import com.hazelcast.jet.core.BroadcastKey;
import com.hazelcast.jet.core.Inbox;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.SinkMeter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what comes out; it has come out when the snapshot that holds it is complete. What is committed is a meter's name for it. A
 * snapshot holds the names for all tasks, since Jet may give them to any: one of them commits those of tasks that are gone.
 */
final class CommittingMeterP<T> extends AbstractProcessor {
    private final Cell cell;
    private final RelayWork.Counter<T> counter;
    private final List<String> prepared = new ArrayList<>();
    private final SinkMeter meter;
    private @Nullable Traverser<Map.Entry<BroadcastKey<String>, Boolean>> toSnapshot;
    private boolean commitsForOthers;

    CommittingMeterP(Cell cell, RelayWork.Counter<T> counter) {
        this.cell = cell;
        this.counter = counter;
        this.meter = Meters.of(cell).sink();
    }

    @Override
    protected void init(Context context) {
        commitsForOthers = context.localProcessorIndex() == 0;
    }

    @Override
    public void process(int ordinal, Inbox inbox) {
        inbox.<T>drain(record -> counter.count(record, meter));
    }

    @Override
    public boolean snapshotCommitPrepare() {
        Traverser<Map.Entry<BroadcastKey<String>, Boolean>> names = toSnapshot;
        if (names == null) {
            prepare();
            names = Traversers.traverseIterable(List.copyOf(prepared))
                    .map(name -> Map.entry(BroadcastKey.broadcastKey(name), true));
            toSnapshot = names;
        }
        if (!emitFromTraverserToSnapshot(names)) {
            return false;
        }
        toSnapshot = null;
        return true;
    }

    @Override
    public boolean snapshotCommitFinish(boolean success) {
        if (success) {
            commit();
        }
        return true;
    }

    @Override
    public boolean complete() {
        prepare();
        commit();
        return true;
    }

    private void prepare() {
        String name = meter.prepare();
        if (!name.isEmpty()) {
            prepared.add(name);
        }
    }

    private void commit() {
        prepared.forEach(this::commit);
        prepared.clear();
    }

    private void commit(String name) {
        try {
            SinkMeter.commit(cell, name);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot commit " + name, e);
        }
    }

    @Override
    protected void restoreFromSnapshot(Object key, Object value) {
        if (commitsForOthers) {
            commit((String) ((BroadcastKey<?>) key).key());
        }
    }

    @Override
    public void close() {
        meter.close();
    }
}

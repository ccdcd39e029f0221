// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.ack.Reports;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Outlet;
import io.thalweg.engine.queue.Ring;
import java.util.List;

/** Sends acks back to the source tasks, in batches. */
public class Acks implements Outlet, Reports {
    private final QueueWriter[] writers;
    private final List<Pending> sources;

    /** @param rings to each of the source tasks */
    public Acks(Frame frame, List<Ring> rings, List<Pending> sources) {
        writers = rings.stream().map(ring -> new QueueWriter(frame, ring)).toArray(QueueWriter[]::new);
        this.sources = sources;
    }

    @Override
    public void accept(Object value) {
        throw new IllegalStateException("no records go this way");
    }

    @Override
    public void report(long root, long ids) {
        int source = Pending.sourceOf(root);
        if (!sources.get(source).closed()) {
            writers[source].report(root, ids);
        }
    }

    @Override
    public void fail(long root, String operator, String reason) {
        sources.get(Pending.sourceOf(root)).fail(root, operator, reason);
    }

    @Override
    public boolean makeRoom() {
        boolean room = true;
        for (int source = 0; source < writers.length; source++) {
            room &= sources.get(source).closed() || writers[source].makeRoom();
        }
        return room;
    }

    @Override
    public void flush(boolean all) {
        for (QueueWriter writer : writers) {
            writer.flush(all);
        }
    }

    @Override
    public void watermark(long watermark) {}

    @Override
    public void barrier(long checkpoint) {}

    @Override
    public void end(boolean cancelled) {
        flush(true);
    }

    @Override
    public long takeCount() {
        return 0;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.route;

import io.thalweg.api.codec.Codec;
import io.thalweg.engine.chain.Outlet;
import io.thalweg.engine.chain.Specialiser;
import org.jspecify.annotations.Nullable;

/** Sends each record to one or all of the downstream tasks of an edge, as its grouping says. Made by a specialiser. */
abstract class Router implements Outlet {
    final Target[] targets;
    private final Sender sender;
    private final @Nullable Codec<Object> copies;

    /** @param copies the codec to copy records with; null if they need no copy */
    Router(Sender sender, @Nullable Codec<Object> copies) {
        this.sender = sender;
        this.copies = copies;
        targets = sender.targets();
    }

    final Object kept(Object value) {
        return copies == null ? value : copies.copy(value);
    }

    /** Sends to the first task: forward, global, or any grouping with one downstream task. */
    static final class Straight extends Router {
        private final Target target;

        record Parts(Sender sender, @Nullable Codec<Object> copies) implements Specialiser.Parts<Outlet> {
            @Override
            public Class<Straight> type() {
                return Straight.class;
            }
        }

        Straight(Straight.Parts parts) {
            super(parts.sender(), parts.copies());
            target = targets[0];
        }

        @Override
        public void accept(Object value) {
            target.send(kept(value));
        }
    }

    /** Sends to the task that a chooser chooses. */
    static final class Chosen extends Router {
        private final Chooser chooser;

        record Parts(Sender sender, @Nullable Codec<Object> copies, Chooser chooser)
                implements Specialiser.Parts<Outlet> {
            @Override
            public Class<Chosen> type() {
                return Chosen.class;
            }
        }

        Chosen(Chosen.Parts parts) {
            super(parts.sender(), parts.copies());
            chooser = parts.chooser();
        }

        @Override
        public void accept(Object value) throws Exception {
            int task = chooser.choose(value);
            if (task != Chooser.NONE) {
                targets[task].send(kept(value));
            }
        }
    }

    /** Sends to every task. */
    static final class Broadcast extends Router {
        record Parts(Sender sender, @Nullable Codec<Object> copies) implements Specialiser.Parts<Outlet> {
            @Override
            public Class<Broadcast> type() {
                return Broadcast.class;
            }
        }

        Broadcast(Broadcast.Parts parts) {
            super(parts.sender(), parts.copies());
        }

        @Override
        public void accept(Object value) {
            for (Target target : targets) {
                target.send(kept(value));
            }
        }
    }

    @Override
    public final boolean makeRoom() {
        return sender.makeRoom();
    }

    @Override
    public final void flush(boolean all) {
        sender.flush(all);
    }

    @Override
    public final void watermark(long watermark) {
        sender.watermark(watermark);
    }

    @Override
    public final void barrier(long checkpoint) {
        sender.barrier(checkpoint);
    }

    @Override
    public final void end(boolean cancelled) {
        sender.end(cancelled);
    }

    @Override
    public final long takeCount() {
        return sender.takeCount();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.TaskState;
import org.jspecify.annotations.Nullable;

/** Lets the first record of each key pass. Made by a specialiser. */
final class DistinctStage implements Receiver, Stage {
    private final String operator;
    private final Frame frame;
    private final MapFunction<Object, Object> key;
    private final KeyHash hashes;
    private final @Nullable Codec<Object> keyCopies;
    private final KeyedState state;
    private final Receiver next;
    private final KeyTable seen = new KeyTable();

    record Parts(
            String operator,
            Frame frame,
            MapFunction<Object, Object> key,
            KeyHash hashes,
            @Nullable Codec<Object> keyCopies,
            KeyedState state,
            Receiver next)
            implements Specialiser.Parts<Receiver> {
        @Override
        public Class<DistinctStage> type() {
            return DistinctStage.class;
        }
    }

    DistinctStage(Parts parts) {
        operator = parts.operator();
        frame = parts.frame();
        key = parts.key();
        hashes = parts.hashes();
        keyCopies = parts.keyCopies();
        state = parts.state();
        next = parts.next();
    }

    @Override
    public String operator() {
        return operator;
    }

    @Override
    public void save(TaskState to) {
        to.declare(state.name(), state.format());
        for (int entry = 0; entry < seen.size(); entry++) {
            state.entry(seen.key(entry), to);
        }
    }

    @Override
    public void restore(Restored from) {
        for (SavedState.Piece piece : state.pieces(from)) {
            ByteReader in = piece.in();
            while (in.remaining() > 0) {
                Object k = state.key(piece);
                seen.add(k, hashes.of(k));
            }
        }
    }

    @Override
    public void accept(Object value) throws Exception {
        try {
            Object k = key.apply(value);
            if (k == null) {
                throw NullValueException.ofKey(key, value);
            }
            int hash = hashes.of(k);
            if (seen.find(k, hash) >= 0) {
                return;
            }
            seen.add(keyCopies == null ? k : keyCopies.copy(k), hash);
        } catch (Throwable thrown) {
            frame.onThrown(operator, thrown);
            return;
        }
        next.accept(value);
    }

    @Override
    public StateStats stateStats() {
        return new StateStats(operator, seen.size(), seen.bytes());
    }
}

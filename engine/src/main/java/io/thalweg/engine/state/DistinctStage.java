// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import org.jspecify.annotations.Nullable;

/** Lets the first record of each key pass. Made by a specialiser. */
public final class DistinctStage implements Receiver {
    private final String operator;
    private final Frame frame;
    private final MapFunction<Object, Object> key;
    private final @Nullable Codec<Object> keyCopies;
    private final Receiver next;
    private final KeyTable seen = new KeyTable();

    public DistinctStage(
            String operator,
            Frame frame,
            MapFunction<Object, Object> key,
            @Nullable Codec<Object> keyCopies,
            Receiver next) {
        this.operator = operator;
        this.frame = frame;
        this.key = key;
        this.keyCopies = keyCopies;
        this.next = next;
    }

    @Override
    public void accept(Object value) throws Exception {
        try {
            Object k = key.apply(value);
            int hash = KeyTable.hash(k);
            if (seen.find(k, hash) >= 0) {
                return;
            }
            seen.add(keyCopies == null ? k : keyCopies.copy(k), hash, null);
        } catch (Throwable thrown) {
            frame.onThrown(operator, thrown);
            return;
        }
        next.accept(value);
    }
}

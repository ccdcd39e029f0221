// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.Keyed;
import io.thalweg.engine.chain.Receiver;

/** Emits the result so far after every record. Made by a specialiser. */
public final class RunningStage implements Receiver {
    private final Windowing windowing;
    private final KeyTable table = new KeyTable();

    public RunningStage(Windowing windowing) {
        this.windowing = windowing;
    }

    @Override
    @SuppressWarnings("NullAway") // an aggregate over no values may have no result
    public void accept(Object value) throws Exception {
        Object result;
        Object k;
        try {
            k = windowing.key().apply(value);
            Object accumulator = windowing.accumulator(table, k, KeyTable.hash(k));
            windowing.adder().add(accumulator, 0, windowing.kept(value));
            result = windowing.aggregate().result(accumulator);
        } catch (Throwable thrown) {
            windowing.frame().onThrown(windowing.operator(), thrown);
            return;
        }
        windowing.next().accept(new Keyed<>(k, result));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.KeyedAsyncContext;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.TimeToLive;
import io.thalweg.api.operator.ValueState;
import io.thalweg.python.text.HalfPairException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;

/**
 * The function in one task, with a state for each key. While rows of a key are held, its state is in {@link KeyRows}; when the last of
 * them is handed on, it goes back to the job. A checkpoint waits until no row is held, so it has all.
 */
final class KeyedProcessOperator<K, T, R> implements KeyedAsyncOperator<K, T, Object, R> {
    private static final String STATE = "state";

    private final Task task;
    private final Map<K, KeyRows> held = new HashMap<>();
    private final MessageBufferPacker packer = Packing.packer();
    private @Nullable KeyedAsyncContext context;
    private @Nullable TimeToLive lives;
    private @Nullable ValueState<byte[]> states;
    private @Nullable Exchange exchange;

    KeyedProcessOperator(Task task) {
        this.task = task;
    }

    @Override
    public void open(KeyedAsyncContext opening) throws Exception {
        context = opening;
        Exchange opened = new Exchange(opening.operator(), task, opening.connections());
        exchange = opened;
        TimeToLive live = opened.open(); // the function says it
        lives = live;
        states = live == null ? opening.state(STATE, Type.of(byte[].class)) : expiring(opening, live, opened.where);
    }

    private ValueState<byte[]> expiring(KeyedAsyncContext opening, TimeToLive live, String where) {
        try {
            return opening.state(STATE, Type.of(byte[].class), live);
        } catch (IllegalStateException e) {
            throw new ConnectorException(
                    where + "the state of " + task.program().function() + " of "
                            + task.program().file()
                            + " has a ttl by event time, and the rows have none; call eventTime(…) before"
                            + " keyBy(…), or mark the function with ttl_time=\"processing\"",
                    e);
        }
    }

    @Override
    public CompletionStage<? extends @Nullable Object> apply(K key, T row) throws Exception {
        KeyRows of = held.get(key);
        if (of == null) {
            packer.clear();
            try {
                Packing.pack(key, packer);
            } catch (HalfPairException e) {
                throw BatchWriter.bad(e.in("the key"), row);
            }
            of = new KeyRows(packer.toByteArray(), found());
            held.put(key, of);
        }
        of.held++;
        return opened(exchange)
                .call(row, of, lives == null ? Call.TIMELESS : opened(context).now(lives));
    }

    @Override
    @SuppressWarnings("unchecked") // the shape makes values of the type
    public @Nullable R answered(K key, T row, @Nullable Object answer) throws Exception {
        KeyRows of = opened(held.get(key));
        of.held--;
        if (of.held == 0) {
            held.remove(key);
        }
        keep(of);
        if (answer instanceof Call.Failed failed) {
            throw failed.thrown() instanceof Exception e ? e : new IllegalStateException(failed.thrown());
        }
        if (task.kind() == Kind.FILTER) {
            return Boolean.TRUE.equals(answer) ? (R) row : null;
        }
        return (R) answer;
    }

    /** State that has expired for one row has expired for all later ones of its key, as if all of them had come together. */
    private byte @Nullable [] found() {
        byte[] state = opened(states).get();
        if (state == null && lives != null) {
            opened(states).clear();
        }
        return state;
    }

    /** When a row of the key was handed on. */
    private void keep(KeyRows of) {
        byte[] state = of.state;
        if (state == null && of.held == 0) {
            opened(states).clear();
        } else if (state != null && state != of.kept && isWritten(state, of)) {
            opened(states).set(state);
        }
    }

    /**
     * By event time a state lives from the row that it was written for, which need not be the last one: later ones may have been bad. Of
     * the rows that wait together, that one is the last that fits.
     */
    private boolean isWritten(byte[] state, KeyRows of) {
        if (lives == null || !lives.eventTime()) {
            return of.held == 0;
        }
        long now = opened(context).now(lives);
        long lifeMs = lives.after().toMillis();
        long until = now > Long.MAX_VALUE - lifeMs ? Long.MAX_VALUE : now + lifeMs;
        return ByteBuffer.wrap(state).getLong() == until;
    }

    private static <X> X opened(@Nullable X part) {
        if (part == null) {
            throw new IllegalStateException("not open");
        }
        return part;
    }

    @Override
    public void close() throws Exception {
        if (exchange != null) {
            exchange.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.KeyedAsyncContext;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.ValueState;
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
    private final Task task;
    private final Map<K, KeyRows> held = new HashMap<>();
    private final MessageBufferPacker packer = Packing.packer();
    private @Nullable ValueState<byte[]> states;
    private @Nullable Exchange exchange;

    KeyedProcessOperator(Task task) {
        this.task = task;
    }

    @Override
    public void open(KeyedAsyncContext context) throws Exception {
        states = context.state("state", Type.of(byte[].class));
        Exchange opened = new Exchange(context.operator(), task, context.connections());
        exchange = opened;
        opened.open();
    }

    @Override
    public CompletionStage<? extends @Nullable Object> apply(K key, T row) throws Exception {
        KeyRows of = held.get(key);
        if (of == null) {
            packer.clear();
            Packing.pack(key, packer);
            of = new KeyRows(packer.toByteArray(), opened(states).get());
            held.put(key, of);
        }
        of.held++;
        return opened(exchange).call(row, of);
    }

    @Override
    @SuppressWarnings("unchecked") // the shape makes values of the type
    public @Nullable R answered(K key, T row, @Nullable Object answer) throws Exception {
        KeyRows of = opened(held.get(key));
        of.held--;
        if (of.held == 0) {
            held.remove(key);
            keep(of);
        }
        if (answer instanceof Call.Failed failed) {
            throw failed.thrown() instanceof Exception e ? e : new IllegalStateException(failed.thrown());
        }
        if (task.kind() == Kind.FILTER) {
            return Boolean.TRUE.equals(answer) ? (R) row : null;
        }
        return (R) answer;
    }

    private void keep(KeyRows of) {
        byte[] state = of.state;
        if (state == null) {
            opened(states).clear();
        } else if (state != of.kept) {
            opened(states).set(state);
        }
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

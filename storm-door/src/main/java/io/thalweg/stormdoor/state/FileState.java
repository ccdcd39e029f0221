// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.state;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.state.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one task. Values are kept serialized: one that is changed after {@code put} must be put again. Thread-safe.
 */
final class FileState<K, V> implements KeyValueState<K, V> {
    private final StateLog log;
    private final Serializer<K> keys;
    private final Serializer<V> values;
    private final Consumer<RuntimeException> onFailure;

    /** Since the last transaction was prepared. */
    private final Map<ByteBuffer, Optional<byte[]>> changes = new HashMap<>();

    FileState(StateLog log, Serializer<K> keys, Serializer<V> values, Consumer<RuntimeException> onFailure) {
        this.log = log;
        this.keys = keys;
        this.values = values;
        this.onFailure = onFailure;
    }

    private ByteBuffer key(K key) {
        return ByteBuffer.wrap(keys.serialize(key));
    }

    private byte @Nullable [] bytes(ByteBuffer key) {
        Optional<byte[]> changed = changes.get(key);
        Map<ByteBuffer, Optional<byte[]>> prepared = log.prepared();
        if (changed == null && prepared != null) {
            changed = prepared.get(key);
        }
        return changed == null ? log.committed().get(key) : changed.orElse(null);
    }

    @Override
    public synchronized void put(K key, V value) {
        changes.put(key(key), Optional.of(values.serialize(value)));
    }

    @Override
    @SuppressWarnings("NullAway") // Storm says nothing of nulls
    public synchronized V get(K key) {
        byte[] found = bytes(key(key));
        return found == null ? null : values.deserialize(found);
    }

    @Override
    public synchronized V get(K key, V otherwise) {
        byte[] found = bytes(key(key));
        return found == null ? otherwise : values.deserialize(found);
    }

    @Override
    public synchronized V delete(K key) {
        V before = get(key);
        changes.put(key(key), Optional.empty());
        return before;
    }

    /** What it is now: later changes are not seen. */
    @Override
    public synchronized Iterator<Map.Entry<K, V>> iterator() {
        Map<ByteBuffer, byte[]> all = new HashMap<>(log.committed());
        Map<ByteBuffer, Optional<byte[]>> prepared = log.prepared();
        if (prepared != null) {
            prepared.forEach((key, value) -> change(all, key, value));
        }
        changes.forEach((key, value) -> change(all, key, value));
        Iterator<Map.Entry<ByteBuffer, byte[]>> each = all.entrySet().iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return each.hasNext();
            }

            @Override
            public Map.Entry<K, V> next() {
                Map.Entry<ByteBuffer, byte[]> next = each.next();
                return Map.entry(keys.deserialize(next.getKey().array()), values.deserialize(next.getValue()));
            }
        };
    }

    private static void change(Map<ByteBuffer, byte[]> all, ByteBuffer key, Optional<byte[]> value) {
        if (value.isPresent()) {
            all.put(key, value.orElseThrow());
        } else {
            all.remove(key);
        }
    }

    // ---- transactions

    private interface Write {
        void write() throws IOException;
    }

    private void write(Write write) {
        try {
            write.write();
        } catch (IOException e) {
            ConnectorException problem = new ConnectorException("the state of a bolt cannot be written: " + e, e);
            onFailure.accept(problem);
            throw problem;
        } catch (ConnectorException e) {
            onFailure.accept(e);
            throw e;
        }
    }

    @Override
    public synchronized void prepareCommit(long txid) {
        write(() -> log.prepare(txid, changes));
        changes.clear();
    }

    @Override
    public synchronized void commit(long txid) {
        write(() -> log.commit(txid));
    }

    @Override
    public synchronized void commit() {
        write(() -> log.commit(new HashMap<>(changes)));
        changes.clear();
    }

    @Override
    public synchronized void rollback() {
        write(log::rollback);
        changes.clear();
    }

    synchronized void close() {
        log.close();
    }
}

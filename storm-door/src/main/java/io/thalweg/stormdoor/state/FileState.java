// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.state;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.state.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one task. Values are kept serialized: one that is changed after {@code put} must be put again. Thread-safe.
 */
final class FileState<K, V> implements KeyValueState<K, V> {
    /** How Kryo begins what it says of a class that a topology must register. */
    private static final String UNREGISTERED = "Class is not registered: ";

    private final String name;
    private final StateLog log;
    private final Serializer<K> keys;
    private final Serializer<V> values;
    private final Consumer<RuntimeException> onFailure;

    /** Since the last transaction was prepared. */
    private final Map<ByteBuffer, Optional<byte[]>> changes = new HashMap<>();

    /** @param name by which messages call it */
    FileState(
            String name, StateLog log, Serializer<K> keys, Serializer<V> values, Consumer<RuntimeException> onFailure) {
        this.name = name;
        this.log = log;
        this.keys = keys;
        this.values = values;
        this.onFailure = onFailure;
    }

    private ByteBuffer key(K key) {
        return ByteBuffer.wrap(serialized(keys, key));
    }

    /** Storm takes a value that cannot be serialized for a checkpoint to be tried again, and tries for ever. */
    private <T> byte[] serialized(Serializer<T> by, T value) {
        try {
            return by.serialize(value);
        } catch (RuntimeException | StackOverflowError e) {
            throw failed("serialized", e);
        }
    }

    private <T> T deserialized(Serializer<T> by, byte[] bytes) {
        try {
            return by.deserialize(bytes);
        } catch (RuntimeException | StackOverflowError e) {
            throw failed("read", e);
        }
    }

    private ConnectorException failed(String what, Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = String.valueOf(root.getMessage());
        boolean unregistered = message.startsWith(UNREGISTERED);
        String reason = unregistered ? message : root.toString();
        ConnectorException problem = new ConnectorException(
                "the state '" + name + "' cannot be " + what + ": "
                        + reason.lines().findFirst().orElse("")
                        + (unregistered ? "; register it with " + Config.TOPOLOGY_KRYO_REGISTER : ""),
                thrown);
        onFailure.accept(problem);
        return problem;
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
        changes.put(key(key), Optional.of(serialized(values, value)));
    }

    @Override
    @SuppressWarnings("NullAway") // Storm says nothing of nulls
    public synchronized V get(K key) {
        byte[] found = bytes(key(key));
        return found == null ? null : deserialized(values, found);
    }

    @Override
    public synchronized V get(K key, V otherwise) {
        byte[] found = bytes(key(key));
        return found == null ? otherwise : deserialized(values, found);
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
                return new SimpleImmutableEntry<>( // which may have null as its value
                        deserialized(keys, next.getKey().array()), deserialized(values, next.getValue()));
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

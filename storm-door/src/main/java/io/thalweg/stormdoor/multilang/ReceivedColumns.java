// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.python.arrow.Columns;
import io.thalweg.python.text.MalformedTextException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Record batches that a child has emitted: a column for each field of its tuples, and in the last column their ids, of a spout, or
 * those of their anchors, of a bolt.
 */
final class ReceivedColumns {
    private record Stream(String name, boolean ofSpout, Columns columns) {}

    private final Map<Long, Stream> streams = new HashMap<>();

    /**
     * What batches of this number are from now on.
     *
     * @param types what Arrow calls the types of their columns
     * @param ids the same of the ids of a spout's tuples; null for a bolt
     */
    void declare(long number, String stream, List<Object> types, @Nullable Object ids)
            throws Framing.MalformedException {
        List<String> names = new ArrayList<>();
        List<Class<?>> classes = new ArrayList<>();
        List<Object> all = new ArrayList<>(types);
        all.add(ids == null ? ColumnKind.WHOLE.arrow : ids);
        for (Object type : all) {
            ColumnKind kind = ColumnKind.named(type);
            if (kind == null) {
                throw new Framing.MalformedException(
                        "it emits a column of the type '" + type + "', which nobody knows");
            }
            names.add(Integer.toString(names.size()));
            classes.add(kind.type);
        }
        streams.put(number, new Stream(stream, ids != null, Columns.ofFields(names, classes)));
    }

    /** The tuples of a batch, behind the number of its stream. */
    List<FromChild> read(byte[] message) throws Framing.MalformedException {
        Stream stream = message.length < Long.BYTES
                ? null
                : streams.get(ByteBuffer.wrap(message).getLong());
        if (stream == null) {
            throw new Framing.MalformedException("it sent a record batch without a schema");
        }
        try {
            Columns.Received batch = stream.columns.read(message, Long.BYTES);
            List<FromChild> tuples = new ArrayList<>(batch.rows());
            for (int i = 0; i < batch.rows(); i++) {
                tuples.add(tuple(stream, batch.row(i)));
            }
            return tuples;
        } catch (ConnectorException | MalformedTextException e) {
            throw new Framing.MalformedException("it sent a record batch that cannot be read: " + e.getMessage());
        }
    }

    @SuppressWarnings("NullAway") // values of tuples may be null
    private static FromChild tuple(Stream stream, @Nullable Object[] row) {
        int last = row.length - 1;
        List<Object> values = new ArrayList<>(last);
        for (int i = 0; i < last; i++) {
            values.add(row[i] instanceof Long whole ? PackedFraming.integer(whole) : row[i]);
        }
        if (stream.ofSpout) {
            return new FromChild.Emit(stream.name, row[last], List.of(), 0, values, false);
        }
        List<?> anchors = row[last] == null ? List.of() : List.of(row[last]);
        return new FromChild.Emit(stream.name, null, anchors, 0, values, false);
    }
}

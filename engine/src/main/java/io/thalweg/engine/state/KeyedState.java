// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.StateFormat;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;
import java.util.List;

/**
 * Where in a checkpoint something stands that is kept by key: one entry after the other, each with its key first.
 *
 * @param format of an entry, to be told from another one's
 */
record KeyedState(StateName name, StateFormat format, Codec<Object> key) {
    /** Begins an entry. */
    ByteWriter entry(Object ofKey, TaskState to) {
        ByteWriter out = to.keyed(name, format, StableHash.keyGroup(key.hash(ofKey)));
        key.encode(ofKey, out);
        return out;
    }

    /** The same, if what has fired follows from how far the task had come: so each piece begins with its watermark. */
    ByteWriter entry(Object ofKey, TaskState to, long watermark) {
        ByteWriter out = to.keyed(name, format, StableHash.keyGroup(key.hash(ofKey)));
        if (out.size() == 0) {
            out.writeLong(watermark);
        }
        key.encode(ofKey, out);
        return out;
    }

    /** Reads the key that an entry begins with. */
    Object key(SavedState.Piece from) {
        Object read = key.decode(from.in());
        int group = StableHash.keyGroup(key.hash(read));
        if (group != from.group()) {
            throw new ConnectorException(
                    "state " + name + ": a key stands in key group " + from.group() + " and belongs to " + group
                            + " now; its codec or its hash was changed, or the checkpoint is damaged: " + read);
        }
        return read;
    }

    List<SavedState.Piece> pieces(Restored from) {
        return from.keyed(name, format);
    }

    void save(KeyTable table, Codec<Object> values, TaskState to) {
        to.declare(name, format);
        for (int entry = 0; entry < table.size(); entry++) {
            values.encode(table.read(entry), entry(table.key(entry), to));
        }
    }

    void restore(KeyTable table, KeyHash hashes, Codec<Object> values, Restored from) {
        for (SavedState.Piece piece : pieces(from)) {
            ByteReader in = piece.in();
            while (in.remaining() > 0) {
                Object ofKey = key(piece);
                table.restore(ofKey, hashes.of(ofKey), values.decode(in));
            }
        }
    }
}

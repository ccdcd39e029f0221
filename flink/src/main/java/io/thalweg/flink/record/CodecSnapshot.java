// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Schema;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.util.InstantiationUtil;
import org.jspecify.annotations.Nullable;

/**
 * The purpose and schema of a state in a checkpoint. A state is restored for the same purpose only, with the same
 * schema or one that it can evolve to; keys, with their components, only with the same schema.
 */
public final class CodecSnapshot<T> implements TypeSerializerSnapshot<T> {
    private static final int VERSION = 2;

    private @Nullable Type<T> type;
    private String holds = "";
    private Schema schema = new Schema.Plain("nothing");

    /** For Flink, which then calls {@link #readSnapshot}. */
    public CodecSnapshot() {}

    CodecSnapshot(Type<T> type, String holds) {
        this.type = type;
        boolean keys = type.codec() instanceof KeyCodec;
        this.holds = keys ? "keys" : holds;
        schema = type.codec() instanceof KeyCodec key ? Schema.ofKey(key.type()) : Schema.of(type);
    }

    @Override
    public int getCurrentVersion() {
        return VERSION;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
        ByteWriter own = new ByteWriter(256);
        own.writeText(holds);
        schema.writeTo(own);
        out.writeInt(own.size());
        own.copyTo(out);
        byte[] bytes = InstantiationUtil.serializeObject(type);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public void readSnapshot(int readVersion, DataInputView in, ClassLoader loader) throws IOException {
        if (readVersion != VERSION) {
            throw new IOException(
                    "the state was saved in format version " + readVersion + ", but this Thalweg reads " + VERSION);
        }
        byte[] own = new byte[in.readInt()];
        in.readFully(own);
        ByteReader reader = new ByteReader(own);
        holds = reader.readText();
        schema = Schema.read(reader);
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        try {
            type = InstantiationUtil.deserializeObject(bytes, loader);
        } catch (ClassNotFoundException e) {
            throw new IOException("the state holds " + words() + ", and its class is not in the job any more", e);
        }
    }

    private String words() {
        return holds.isEmpty() ? schema.toString() : holds + " of " + schema;
    }

    private boolean keys() {
        return holds.equals("keys");
    }

    /** A serializer that reads bytes of the saved schema as values of the current class. */
    @Override
    public TypeSerializer<T> restoreSerializer() {
        Type<T> known = type;
        if (known == null) {
            throw new IllegalStateException("nothing was read");
        }
        CodecSnapshot<T> now = new CodecSnapshot<>(known, holds);
        if (keys() || schema.equals(now.schema)) {
            return new CodecSerializer<>(known, holds);
        }
        try {
            return new CodecSerializer<>(known, holds, null, schema.reader(known));
        } catch (CodecException e) {
            throw refused(now, ": " + e.getMessage());
        }
    }

    @Override
    public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(TypeSerializerSnapshot<T> old) {
        if (!(old instanceof CodecSnapshot<T> snapshot)) {
            return TypeSerializerSchemaCompatibility.incompatible();
        }
        if (!snapshot.holds.equals(holds)) {
            throw snapshot.refused(this, "");
        }
        if (snapshot.schema.equals(schema)) {
            return TypeSerializerSchemaCompatibility.compatibleAsIs();
        }
        Type<T> known = type;
        if (keys() || known == null) {
            throw snapshot.refused(this, "");
        }
        try {
            snapshot.schema.reader(known);
        } catch (CodecException e) {
            throw snapshot.refused(this, ": " + e.getMessage());
        }
        return TypeSerializerSchemaCompatibility.compatibleAfterMigration();
    }

    private ConnectorException refused(CodecSnapshot<T> now, String reason) {
        return new ConnectorException("a state holds " + words() + " in the checkpoint, but " + now.words()
                + " in this job" + reason + "; run the job as it was, or discard the state of that operator"
                + " with --discard-state OPERATOR");
    }
}

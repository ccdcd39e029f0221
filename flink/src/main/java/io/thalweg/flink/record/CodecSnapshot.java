// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.codec.Formats;
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

/** Which type a state in a checkpoint holds: it is read again only as the same, its components included. */
public final class CodecSnapshot<T> implements TypeSerializerSnapshot<T> {
    private @Nullable Type<T> type;
    private String format = "";

    /** For Flink, which reads the rest. */
    public CodecSnapshot() {}

    CodecSnapshot(Type<T> type) {
        this.type = type;
        format = type.codec() instanceof KeyCodec key ? "keys of " + Formats.of(key.type()) : Formats.of(type);
    }

    @Override
    public int getCurrentVersion() {
        return 1;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
        byte[] bytes = InstantiationUtil.serializeObject(type);
        out.writeUTF(format);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public void readSnapshot(int readVersion, DataInputView in, ClassLoader loader) throws IOException {
        format = in.readUTF();
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        try {
            type = InstantiationUtil.deserializeObject(bytes, loader);
        } catch (ClassNotFoundException e) {
            throw new IOException("the state holds " + format + ", and its class is not in the job any more", e);
        }
    }

    @Override
    public TypeSerializer<T> restoreSerializer() {
        Type<T> known = type;
        if (known == null) {
            throw new IllegalStateException("nothing was read");
        }
        return new CodecSerializer<>(known);
    }

    @Override
    public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(TypeSerializerSnapshot<T> old) {
        if (!(old instanceof CodecSnapshot<T> snapshot)) {
            return TypeSerializerSchemaCompatibility.incompatible();
        }
        if (!snapshot.format.equals(format)) {
            throw new ConnectorException("a state holds " + snapshot.format + " in the checkpoint, and " + format
                    + " in this job; run the job as it was, or begin without what that operator remembered, with"
                    + " --discard-state OPERATOR");
        }
        return TypeSerializerSchemaCompatibility.compatibleAsIs();
    }
}

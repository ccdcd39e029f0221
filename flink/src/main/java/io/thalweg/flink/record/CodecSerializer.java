// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/** Writes the length in bytes, then the bytes of the codec. For one thread, like all serializers of Flink. */
public final class CodecSerializer<T> extends TypeSerializer<T> {
    private static final long serialVersionUID = 1L;
    private static final int FIRST_CAPACITY = 256;
    private static final byte[] NOTHING = {};

    /** How values stand in memory, if not as the codec takes them; a value may also stand as the codec takes it. For several threads. */
    public interface Form<T> extends Serializable {
        /** For the codec. */
        T saved(T inState);

        /** Of what the codec has read. */
        T inState(T saved);
    }

    private final Type<T> type;
    private final String holds;
    private final @Nullable Form<T> form;
    private transient @Nullable Codec<T> codec;

    /** Reads bytes of an older schema; null if the schema has not changed. */
    private final transient @Nullable Codec<T> reader;

    private transient @Nullable ByteWriter writer;
    private transient byte @Nullable [] read;

    public CodecSerializer(Type<T> type) {
        this(type, "");
    }

    /** @param holds purpose of the state, such as {@code tumbling 60000 ms: Count}; it must be equal on restore */
    public CodecSerializer(Type<T> type, String holds) {
        this(type, holds, null, null);
    }

    public CodecSerializer(Type<T> type, String holds, Form<T> form) {
        this(type, holds, form, null);
    }

    CodecSerializer(Type<T> type, String holds, @Nullable Form<T> form, @Nullable Codec<T> reader) {
        this.type = type;
        this.holds = holds;
        this.form = form;
        this.reader = reader;
    }

    private T saved(T value) {
        return form == null ? value : form.saved(value);
    }

    private Codec<T> codec() {
        Codec<T> known = codec;
        if (known == null) {
            known = type.codec();
            codec = known;
        }
        return known;
    }

    /** Writes directly into the buffer of the network or of a checkpoint, if that is an array. */
    @Override
    public void serialize(T record, DataOutputView target) throws IOException {
        if (target instanceof DataOutputSerializer buffer) {
            serialize(record, buffer);
            return;
        }
        ByteWriter out = new ByteWriter(FIRST_CAPACITY);
        codec().encode(saved(record), out);
        target.writeInt(out.size());
        out.copyTo(target);
    }

    private void serialize(T record, DataOutputSerializer target) throws IOException {
        ByteWriter out = writer;
        if (out == null) {
            out = new ByteWriter(FIRST_CAPACITY);
            writer = out;
        }
        int begin = target.length();
        target.writeInt(0);
        byte[] buffer = target.getSharedBuffer();
        int from = begin + Integer.BYTES;
        out.wrap(buffer, from);
        codec().encode(saved(record), out);
        int end = out.size();
        byte[] written = out.array();
        target.setPositionUnsafe(begin);
        target.writeInt(end - from);
        if (written == buffer) {
            target.setPositionUnsafe(end);
        } else {
            target.write(written, from, end - from); // it did not fit into the buffer
        }
        out.wrap(NOTHING, 0);
    }

    @Override
    public T deserialize(DataInputView source) throws IOException {
        int length = source.readInt();
        byte[] bytes = bytes(length);
        source.readFully(bytes, 0, length);
        ByteReader in = new ByteReader(bytes, 0, length);
        Codec<T> older = reader;
        T value = older == null ? codec().decode(in) : older.decode(in);
        return form == null ? value : form.inState(value);
    }

    @Override
    public T deserialize(T reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        int length = source.readInt();
        target.writeInt(length);
        target.write(source, length);
    }

    private byte[] bytes(int length) {
        byte[] known = read;
        if (known == null || known.length < length) {
            known = new byte[Math.max(FIRST_CAPACITY, length + length / 2)];
            read = known;
        }
        return known;
    }

    @Override
    public boolean isImmutableType() {
        return codec().immutable();
    }

    @Override
    public TypeSerializer<T> duplicate() {
        return new CodecSerializer<>(type, holds, form, reader);
    }

    @Override
    @SuppressWarnings("NullAway") // there is no empty record of every type, and Flink does not call this
    public T createInstance() {
        return null;
    }

    @Override
    public T copy(T from) {
        T copy = codec().copy(saved(from));
        return form == null ? copy : form.inState(copy);
    }

    @Override
    public T copy(T from, T reuse) {
        return copy(from);
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CodecSerializer<?> that && type.equals(that.type);
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<T> snapshotConfiguration() {
        return new CodecSnapshot<>(type, holds);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The only value of each tuple between chains: a record with its event time and stamp, or a watermark, barrier or end
 * of input, which keep their order. Within a worker it holds the record itself; between workers its bytes, which the
 * receiver deserializes.
 */
final class TupleValue {
    static final int RECORD = 0;
    static final int WATERMARK = 1;
    static final int BARRIER = 2;
    static final int END = 3;
    static final int CANCELLED_END = 4;

    /** Empty; flushes tuples that are stuck in Storm's batches, see {@link TaskHost#nudge}, or shows by its number that some are lost. */
    static final int NUDGE = 5;

    final int kind;
    final int link;

    /** Among all from one task to another along the link, from 1; 0 for one that is not counted. */
    final long number;

    /** Event time of a record; otherwise the watermark, or the number of the checkpoint. */
    final long time;

    final long stamp;
    private final @Nullable Object value;
    private final @Nullable Codec<Object> codec;
    private final byte @Nullable [] bytes;

    private TupleValue(
            int kind,
            int link,
            long number,
            long time,
            long stamp,
            @Nullable Object value,
            @Nullable Codec<Object> codec,
            byte @Nullable [] bytes) {
        this.kind = kind;
        this.link = link;
        this.number = number;
        this.time = time;
        this.stamp = stamp;
        this.value = value;
        this.codec = codec;
        this.bytes = bytes;
    }

    static TupleValue record(int link, long number, Object value, Codec<Object> codec, long time, long stamp) {
        return new TupleValue(RECORD, link, number, time, stamp, value, codec, null);
    }

    /** @param time see {@link #time} */
    static TupleValue mark(int kind, int link, long number, long time) {
        return new TupleValue(kind, link, number, time, 0, null, null, null);
    }

    /** @param ofLink the codec of the edge */
    Object value(Codec<Object> ofLink) {
        return value != null ? value : ofLink.decode(new ByteReader(Objects.requireNonNull(bytes)));
    }

    /** Serializes values between workers; Kryo creates it by reflection. */
    public static final class KryoSerializer extends Serializer<TupleValue> {
        private final ByteWriter encoded = new ByteWriter(256);

        @Override
        public void write(Kryo kryo, Output out, TupleValue item) {
            out.writeByte(item.kind);
            out.writeVarInt(item.link, true);
            out.writeVarLong(item.number, true);
            out.writeLong(item.time);
            if (item.kind != RECORD) {
                return;
            }
            out.writeLong(item.stamp);
            byte[] bytes = item.bytes;
            Codec<Object> codec = item.codec;
            Object value = item.value;
            if (bytes != null) {
                out.writeVarInt(bytes.length, true);
                out.writeBytes(bytes);
            } else if (value != null && codec != null) {
                encoded.clear();
                codec.encode(value, encoded);
                out.writeVarInt(encoded.size(), true);
                try {
                    encoded.writeTo(out);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public TupleValue read(Kryo kryo, Input in, Class<? extends TupleValue> type) {
            int kind = in.readByte();
            int link = in.readVarInt(true);
            long number = in.readVarLong(true);
            long time = in.readLong();
            if (kind != RECORD) {
                return mark(kind, link, number, time);
            }
            long stamp = in.readLong();
            return new TupleValue(kind, link, number, time, stamp, null, null, in.readBytes(in.readVarInt(true)));
        }
    }
}

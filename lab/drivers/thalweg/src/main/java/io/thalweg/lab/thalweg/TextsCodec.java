// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.workloads.telecom.FlatKey;
import io.thalweg.workloads.telecom.FlatProbe;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** The types of probes that are read as all engines read them, and of their keys, with texts that may be null. */
final class TextsCodec {
    static final Type<FlatKey> KEY = Type.custom(FlatKey.class, new OfKeys());
    static final Type<FlatProbe> PROBE = Type.custom(FlatProbe.class, new OfProbes());

    private TextsCodec() {}

    static FlatKey key(FlatProbe probe) {
        return new FlatKey(probe.dimensions(), FlatKey.hashOfAll(probe.dimensions()));
    }

    private static void encode(@Nullable String[] texts, ByteWriter out) {
        out.writeVarLong(texts.length);
        for (String text : texts) {
            out.writeBoolean(text != null);
            if (text != null) {
                out.writeText(text);
            }
        }
    }

    private static @Nullable String[] decode(ByteReader in) {
        @Nullable String[] texts = new String[in.readLength()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = in.readBoolean() ? in.readText() : null;
        }
        return texts;
    }

    private static final class OfKeys implements Codec<FlatKey>, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public void encode(FlatKey key, ByteWriter out) {
            TextsCodec.encode(key.values(), out);
        }

        @Override
        public FlatKey decode(ByteReader in) {
            @Nullable String[] values = TextsCodec.decode(in);
            return new FlatKey(values, FlatKey.hashOfAll(values));
        }

        @Override
        public int hash(FlatKey key) {
            return key.hashCode(); // of the texts alone, so the same in every JVM
        }

        @Override
        public boolean immutable() {
            return true;
        }
    }

    private static final class OfProbes implements Codec<FlatProbe>, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public void encode(FlatProbe probe, ByteWriter out) {
            TextsCodec.encode(probe.dimensions(), out);
            for (long each : probe.whole()) {
                out.writeVarLong(each);
            }
            for (double each : probe.fractions()) {
                out.writeDouble(each);
            }
        }

        @Override
        public FlatProbe decode(ByteReader in) {
            @Nullable String[] dimensions = TextsCodec.decode(in);
            long[] whole = new long[FlatProbe.WHOLE];
            for (int i = 0; i < whole.length; i++) {
                whole[i] = in.readVarLong();
            }
            double[] fractions = new double[FlatProbe.FRACTIONAL];
            for (int i = 0; i < fractions.length; i++) {
                fractions[i] = in.readDouble();
            }
            return new FlatProbe(dimensions, whole, fractions);
        }

        @Override
        public int hash(FlatProbe probe) {
            return FlatKey.hashOfAll(probe.dimensions());
        }

        @Override
        public boolean immutable() {
            return true; // nobody changes one
        }
    }
}

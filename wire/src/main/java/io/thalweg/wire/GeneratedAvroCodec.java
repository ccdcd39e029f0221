// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CodecException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/** Objects of a generated class, as Avro writes them, with the fingerprint of their schema. */
record GeneratedAvroCodec<T extends SpecificRecord>(Class<T> generated) implements Codec<T>, Serializable {
    private static final long serialVersionUID = 1L;

    private Schema schema() {
        return SpecificData.get().getSchema(generated);
    }

    @Override
    public void encode(T value, ByteWriter out) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
            new SpecificDatumWriter<>(generated).write(value, encoder);
            out.writeLong(SchemaNormalization.parsingFingerprint64(schema()));
            out.writeBytes(bytes.toByteArray());
        } catch (IOException e) {
            throw new IllegalStateException(e); // in memory
        }
    }

    @Override
    public T decode(ByteReader in) {
        if (in.readLong() != SchemaNormalization.parsingFingerprint64(schema())) {
            throw new CodecException("the schema of " + generated.getName() + " was another when this was saved");
        }
        TrustedClasses.add(schema());
        try {
            return generated.cast(new SpecificDatumReader<>(generated)
                    .read(null, DecoderFactory.get().binaryDecoder(in.readBytes(), null)));
        } catch (IOException e) {
            throw new CodecException("not a " + generated.getName() + ": " + e.getMessage());
        }
    }
}

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
import org.apache.avro.specific.SpecificRecord;

/** Objects of a generated class, as Avro writes them, with the fingerprint of their schema. */
record GeneratedAvroCodec<T extends SpecificRecord>(Class<T> generated) implements Codec<T>, Serializable {
    private static final long serialVersionUID = 1L;

    private static final ClassValue<Written> WRITTEN = new ClassValue<>() {
        @Override
        protected Written computeValue(Class<?> type) {
            Class<? extends SpecificRecord> generated = type.asSubclass(SpecificRecord.class);
            Schema schema = SpecificData.get().getSchema(generated);
            return new Written(
                    schema,
                    SchemaNormalization.parsingFingerprint64(schema),
                    AvroPut.generated(schema, data(generated)));
        }
    };

    /** What is needed for each object of a class. */
    private record Written(Schema schema, long fingerprint, AvroPut put) {}

    /** The class's own conversions, a reader that checks lengths, and a writer that checks values. */
    static SpecificData data(Class<? extends SpecificRecord> generated) {
        SpecificData own = SpecificData.getForClass(generated);
        SpecificData data = new SpecificData(generated.getClassLoader());
        data.setFastReaderEnabled(false);
        data.setCustomCoders(false); // they would pass by what AvroPut looks at
        own.getConversions().forEach(data::addLogicalTypeConversion);
        return data;
    }

    /** @throws CodecException if Avro would write another value */
    @Override
    public void encode(T value, ByteWriter out) {
        Written written = WRITTEN.get(generated);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
        try {
            written.put.put(value, encoder);
        } catch (Misfit e) {
            throw e.untravelled(generated);
        } catch (Exception e) {
            throw new IllegalStateException(e); // in memory
        }
        out.writeLong(written.fingerprint);
        out.writeBytes(bytes.toByteArray());
    }

    @Override
    public T decode(ByteReader in) {
        Written written = WRITTEN.get(generated);
        if (in.readLong() != written.fingerprint) {
            throw new CodecException("the schema of " + generated.getName() + " was another when this was saved");
        }
        TrustedClasses.add(written.schema);
        try {
            return generated.cast(new SpecificDatumReader<>(generated)
                    .read(null, DecoderFactory.get().binaryDecoder(in.readBytes(), null)));
        } catch (IOException e) {
            throw new CodecException("not a " + generated.getName() + ": " + e.getMessage());
        }
    }
}

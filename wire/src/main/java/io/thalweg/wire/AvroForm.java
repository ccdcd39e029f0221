// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.codec.Type;
import io.thalweg.avro.binding.AvroProjection;
import io.thalweg.avro.binding.AvroReader;
import io.thalweg.avro.binding.AvroValue;
import io.thalweg.avro.binding.SchemaMaker;
import io.thalweg.columnar.Conversion;
import io.thalweg.columnar.Declarations;
import io.thalweg.columnar.Declared;
import io.thalweg.columnar.RecordProblems;
import io.thalweg.columnar.Writing;
import io.thalweg.files.record.MalformedException;
import java.io.Serializable;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** What messages become in a job, and are made of. Serializable, because it is sent to a cluster. */
interface AvroForm<T> extends Serializable {
    Type<T> type();

    /** The schema that values are written with unless told; null if they say nothing. */
    @Nullable Schema schema();

    /**
     * What reads messages of a schema.
     *
     * @param wanted the schema that they are read as; null for the one of the messages
     * @throws MalformedException if none can be read: a time has another unit, say
     */
    AvroPayload<T> reading(Schema written, @Nullable Schema wanted);

    /**
     * What writes values with a schema.
     *
     * @throws Misfit if they do not fit it
     */
    AvroPut writing(Schema schema);

    /** @throws IllegalArgumentException if the class is of no use */
    @SuppressWarnings("unchecked") // each form is of the class that it is given
    static <T> AvroForm<T> of(Class<T> type) {
        if (type.isRecord()) {
            Declarations.of(type); // a class that cannot be read is told here, not on some worker
            return new Records<>(type);
        }
        if (SpecificRecord.class.isAssignableFrom(type)) {
            return (AvroForm<T>) new Generated<>(type.asSubclass(SpecificRecord.class));
        }
        if (Scalars.has(type)) {
            return new Values<>(type);
        }
        throw new IllegalArgumentException(
                type.getName()
                        + " is neither a record class, nor one that Avro has generated, nor one of a single value such as String");
    }

    /** Records of a class. */
    record Records<T>(Class<T> record) implements AvroForm<T> {
        private static final long serialVersionUID = 1L;

        @Override
        public Type<T> type() {
            return Type.of(record);
        }

        @Override
        public Schema schema() {
            return SchemaMaker.of(Declarations.of(record), Writing.defaults());
        }

        @Override
        public AvroPayload<T> reading(Schema written, @Nullable Schema wanted) {
            if (wanted != null) {
                AvroUnits.check(written, wanted);
            }
            RecordProblems problems = new RecordProblems();
            Declared.Struct struct = Declarations.of(record);
            AvroProjection.Field field = wanted == null
                    ? AvroProjection.lenient(written, struct, problems)
                    : AvroProjection.of(wanted, struct, problems);
            return new AvroPayload<>(new AvroReader(written, field.schema()), read -> {
                problems.begin();
                Object made = field.making().make(read);
                String wrong = problems.wrong();
                if (wrong != null) {
                    throw new MalformedException(wrong, 0);
                }
                return record.cast(made);
            });
        }

        @Override
        public AvroPut writing(Schema schema) {
            return AvroPut.of(schema, Declarations.of(record));
        }
    }

    /** Single values. */
    record Values<T>(Class<T> value) implements AvroForm<T> {
        private static final long serialVersionUID = 1L;

        @Override
        public Type<T> type() {
            return Type.of(value);
        }

        @Override
        public Schema schema() {
            return Scalars.schema(value);
        }

        @Override
        public AvroPayload<T> reading(Schema written, @Nullable Schema wanted) {
            Schema expected = wanted == null ? written : wanted;
            AvroUnits.check(written, expected);
            AvroValue found = AvroValue.of(expected);
            Conversion conversion = found == null ? null : Conversion.of(found.type(), new Declared.Scalar(value));
            if (found == null || conversion == null) {
                throw new MalformedException(
                        "it is of " + AvroValue.text(expected) + ", and " + value.getSimpleName() + " is declared", 0);
            }
            return new AvroPayload<>(
                    new AvroReader(written, expected),
                    read -> value.cast(conversion.convert(found.meaning().convert(read))));
        }

        @Override
        public AvroPut writing(Schema schema) {
            return AvroPut.of(schema, new Declared.Scalar(value));
        }
    }

    /** Whatever a message holds. */
    record Maps() implements AvroForm<Map<String, Object>> {
        private static final long serialVersionUID = 1L;

        @Override
        public Type<Map<String, Object>> type() {
            return ValueCodec.MAPS;
        }

        @Override
        public @Nullable Schema schema() {
            return null;
        }

        @Override
        @SuppressWarnings("unchecked") // what AvroMaps makes of a record
        public AvroPayload<Map<String, Object>> reading(Schema written, @Nullable Schema wanted) {
            Schema expected = wanted == null ? written : wanted;
            if (expected.getType() != Schema.Type.RECORD) {
                throw new MalformedException("it is of " + AvroValue.text(expected) + ", and not of records", 0);
            }
            AvroUnits.check(written, expected);
            return new AvroPayload<>(
                    new AvroReader(written, expected), read -> (Map<String, Object>) AvroMaps.value(expected, read));
        }

        @Override
        public AvroPut writing(Schema schema) {
            return AvroPut.of(schema, null);
        }
    }

    /** Objects of a class that Avro has generated. */
    record Generated<T extends SpecificRecord>(Class<T> generated) implements AvroForm<T> {
        private static final long serialVersionUID = 1L;

        @Override
        public Type<T> type() {
            return Type.custom(generated, new GeneratedAvroCodec<>(generated));
        }

        @Override
        public Schema schema() {
            return SpecificData.get().getSchema(generated);
        }

        @Override
        public AvroPayload<T> reading(Schema written, @Nullable Schema wanted) {
            AvroUnits.check(written, schema());
            TrustedClasses.add(schema());
            SpecificDatumReader<Object> reader =
                    new SpecificDatumReader<>(written, schema(), GeneratedAvroCodec.data(generated));
            return new AvroPayload<>(reader, generated::cast);
        }

        @Override
        public AvroPut writing(Schema schema) {
            AvroSame.check(schema(), schema); // Avro writes objects by position
            return AvroPut.generated(schema(), GeneratedAvroCodec.data(generated));
        }
    }
}

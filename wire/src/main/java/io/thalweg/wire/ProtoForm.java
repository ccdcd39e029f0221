// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.Internal;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import io.thalweg.columnar.Declarations;
import io.thalweg.columnar.RecordProblems;
import io.thalweg.files.record.MalformedException;
import java.io.IOException;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What Protobuf messages become in a job, and are made of. Serializable, because it is sent to a cluster. */
interface ProtoForm<T> extends Serializable {
    Type<T> type();

    /** The message that it is; null if it may be any. */
    @Nullable String message();

    /**
     * What reads one message after the other.
     *
     * @param wanted what they are read as; null for what they were written as
     * @throws MalformedException if none can be read: a field has another type, say
     */
    Reading<T> reading(Descriptor written, @Nullable Descriptor wanted);

    /**
     * What makes messages.
     *
     * @throws Misfit if the values do not fit them
     */
    ProtoPut writing(Descriptor message);

    /** Reads one message, up to the end of the input. */
    @FunctionalInterface
    interface Reading<T> {
        T read(CodedInputStream in) throws IOException;
    }

    /** @throws IllegalArgumentException if the class is of no use */
    @SuppressWarnings("unchecked") // each form is of the class that it is given
    static <T> ProtoForm<T> of(Class<T> type) {
        if (type.isRecord()) {
            Declarations.of(type); // a class that cannot be read is told here, not on some worker
            return new Records<>(type);
        }
        if (Message.class.isAssignableFrom(type)) {
            return (ProtoForm<T>) new Generated<>(type.asSubclass(Message.class));
        }
        throw new IllegalArgumentException(
                type.getName() + " is neither a record class, nor one that Protobuf has generated");
    }

    /** Records of a class. */
    record Records<T>(Class<T> record) implements ProtoForm<T> {
        private static final long serialVersionUID = 1L;

        @Override
        public Type<T> type() {
            return Type.of(record);
        }

        @Override
        public @Nullable String message() {
            return null;
        }

        @Override
        public Reading<T> reading(Descriptor written, @Nullable Descriptor wanted) {
            RecordProblems problems = new RecordProblems();
            Descriptor read = wanted == null ? written : wanted;
            ProtoTypes.check(written, read);
            ProtoProjection.Making making = ProtoProjection.of(read, Declarations.of(record), problems, wanted == null);
            return in -> {
                DynamicMessage message = DynamicMessage.parseFrom(read, in);
                problems.begin();
                Object made = making.make(message);
                String wrong = problems.wrong();
                if (wrong != null) {
                    throw new MalformedException(wrong, 0);
                }
                return Objects.requireNonNull(record.cast(made)); // it has no problem
            };
        }

        @Override
        public ProtoPut writing(Descriptor message) {
            return ProtoPut.of(message, Declarations.of(record));
        }
    }

    /** Whatever a message holds. */
    record Maps() implements ProtoForm<Map<String, Object>> {
        private static final long serialVersionUID = 1L;

        @Override
        public Type<Map<String, Object>> type() {
            return ValueCodec.MAPS;
        }

        @Override
        public @Nullable String message() {
            return null;
        }

        @Override
        public Reading<Map<String, Object>> reading(Descriptor written, @Nullable Descriptor wanted) {
            Descriptor read = wanted == null ? written : wanted;
            ProtoTypes.check(written, read);
            return in -> ProtoMaps.fields(DynamicMessage.parseFrom(read, in));
        }

        @Override
        public ProtoPut writing(Descriptor message) {
            return ProtoPut.of(message, null);
        }
    }

    /** Objects of a class that Protobuf has generated. */
    record Generated<T extends Message>(Class<T> generated) implements ProtoForm<T> {
        private static final long serialVersionUID = 1L;

        private T instance() {
            return Internal.getDefaultInstance(generated);
        }

        @Override
        public Type<T> type() {
            return Type.custom(generated, new GeneratedCodec<>(generated));
        }

        @Override
        public String message() {
            return instance().getDescriptorForType().getFullName();
        }

        @Override
        public Reading<T> reading(Descriptor written, @Nullable Descriptor wanted) {
            ProtoTypes.check(written, instance().getDescriptorForType());
            Parser<? extends Message> parser = instance().getParserForType();
            return in -> generated.cast(parser.parseFrom(in, ExtensionRegistryLite.getEmptyRegistry()));
        }

        @Override
        public ProtoPut writing(Descriptor message) {
            ProtoSame.check(instance().getDescriptorForType(), message);
            return value -> ProtoPut.generated(generated.cast(value));
        }
    }

    /** Objects of a generated class, as Protobuf writes them. */
    record GeneratedCodec<T extends Message>(Class<T> generated) implements Codec<T>, Serializable {
        private static final long serialVersionUID = 1L;

        /** @throws CodecException if Protobuf would write another value */
        @Override
        public void encode(T value, ByteWriter out) {
            try {
                out.writeBytes(ProtoPut.generated(value));
            } catch (Misfit e) {
                throw e.untravelled(generated);
            }
        }

        @Override
        public T decode(ByteReader in) {
            try {
                return generated.cast(Internal.getDefaultInstance(generated)
                        .getParserForType()
                        .parseFrom(in.readBytes()));
            } catch (IOException e) {
                throw new CodecException("not a " + generated.getName() + ": " + e.getMessage());
            }
        }

        @Override
        public boolean immutable() {
            return true;
        }
    }
}

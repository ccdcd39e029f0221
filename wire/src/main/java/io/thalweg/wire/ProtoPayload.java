// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import io.thalweg.columnar.SchemaMismatch;
import io.thalweg.files.record.MalformedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads messages of one schema with Protobuf's library: first which message of the schema it is, then the message. */
final class ProtoPayload<T> implements Payload<T> {
    private static final List<Integer> FIRST = List.of(0);
    private static final int MOST_LEVELS = 100;

    private final ProtoForm<T> form;
    private final ProtoSchema schema;
    private final boolean headers;
    private final @Nullable String message;
    private final @Nullable Descriptor wanted;
    private final Map<List<Integer>, ProtoForm.Reading<T>> readings = new HashMap<>();

    /**
     * @param message what messages have to be; null if they may be any
     * @param wanted what they are read as; null for what they were written as
     */
    ProtoPayload(
            ProtoForm<T> form,
            ProtoSchema schema,
            boolean headers,
            @Nullable String message,
            @Nullable Descriptor wanted) {
        this.form = form;
        this.schema = schema;
        this.headers = headers;
        this.message = message;
        this.wanted = wanted;
    }

    @Override
    public T read(byte[] bytes, int from, int to) {
        CodedInputStream in = CodedInputStream.newInstance(bytes, from, to - from);
        try {
            return reading(headers ? indexes(in) : place()).read(in);
        } catch (MalformedException | SchemaMismatch e) {
            throw new MalformedException(String.valueOf(e.getMessage()), 0);
        } catch (IOException | RuntimeException e) {
            throw new MalformedException("the message is not what its schema says: " + OneLine.of(e), 0);
        }
    }

    private static List<Integer> indexes(CodedInputStream in) throws IOException {
        int count = in.readSInt32();
        if (count == 0) {
            return FIRST;
        }
        if (count < 0 || count > MOST_LEVELS) {
            throw new MalformedException("the header says that its message is " + count + " levels deep", 0);
        }
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            indexes.add(in.readSInt32());
        }
        return indexes;
    }

    /** Of messages that do not say it. */
    private List<Integer> place() {
        Descriptor named = message == null ? null : schema.named(message);
        return named == null ? FIRST : ProtoSchema.indexes(named);
    }

    private ProtoForm.Reading<T> reading(List<Integer> indexes) {
        ProtoForm.Reading<T> known = readings.get(indexes);
        if (known == null) {
            Descriptor written = schema.at(indexes);
            if (written == null) {
                throw new MalformedException("its schema has no message with the indexes " + indexes, 0);
            }
            if (message != null && !written.equals(schema.named(message))) {
                throw new MalformedException("it is a " + written.getFullName() + ", not a " + message, 0);
            }
            known = form.reading(written, wanted);
            readings.put(List.copyOf(indexes), known);
        }
        return known;
    }
}

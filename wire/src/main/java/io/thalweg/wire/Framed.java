// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.columnar.SchemaMismatch;
import io.thalweg.files.record.MalformedException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the header of a message, and leaves the rest to the payload of its schema. For one task. */
final class Framed<T> implements Decoder.Decoding<T> {
    static final int HEADER_BYTES = 5;

    /** A schema that was not there may be there later, but damaged messages must not ask for it each time. */
    private static final int MOST_BETWEEN = 1_024;

    private static final int MOST_UNKNOWN = 1_000;

    private final SchemaLookup schemas;
    private final SchemaKind kind;
    private final Payload.Maker<T> maker;
    private final Map<Integer, Payload<T>> payloads = new HashMap<>();

    /** Ids without a schema, and how many messages had them. */
    private final Map<Integer, Integer> unknown = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
            return size() > MOST_UNKNOWN;
        }
    };

    private int lastId = -1;
    private @Nullable Payload<T> last;

    Framed(SchemaLookup schemas, SchemaKind kind, Payload.Maker<T> maker) {
        this.schemas = schemas;
        this.kind = kind;
        this.maker = maker;
    }

    @Override
    public T decode(byte[] bytes, int from, int to) throws InterruptedException {
        try {
            if (!schemas.headers()) {
                return payload(0).read(bytes, from, to);
            }
            return payload(id(bytes, from, to)).read(bytes, from + HEADER_BYTES, to);
        } catch (MalformedException e) {
            throw new BadRecordException(String.valueOf(e.getMessage()), Arrays.copyOfRange(bytes, from, to));
        }
    }

    private static int id(byte[] bytes, int from, int to) {
        if (to > from && bytes[from] != 0) {
            throw new MalformedException(
                    String.format(
                            "the message begins with the byte 0x%02x, and a header with a schema's id begins with 0x00",
                            bytes[from]),
                    0);
        }
        if (to - from < HEADER_BYTES) {
            throw new MalformedException(
                    "the message has " + (to - from) + " bytes, and the header with the schema's id has "
                            + HEADER_BYTES,
                    0);
        }
        return (bytes[from + 1] & 0xff) << 24
                | (bytes[from + 2] & 0xff) << 16
                | (bytes[from + 3] & 0xff) << 8
                | (bytes[from + 4] & 0xff);
    }

    private Payload<T> payload(int id) throws InterruptedException {
        Payload<T> known = last;
        if (known != null && id == lastId) {
            return known;
        }
        known = payloads.get(id);
        if (known == null) {
            known = find(id);
            payloads.put(id, known);
        }
        last = known;
        lastId = id;
        return known;
    }

    private Payload<T> find(int id) throws InterruptedException {
        int messages = unknown.merge(id, 1, Integer::sum);
        SchemaText schema = id >= 0 && isDue(messages) ? schemas.byId(id) : null;
        if (schema == null) {
            throw new MalformedException("there is no schema " + id + " at " + schemas, 0);
        }
        unknown.remove(id);
        if (schema.kind() != kind) {
            return failing(schema.place() + " is not of the kind " + kind);
        }
        try {
            return maker.of(schema);
        } catch (SchemaMismatch | MalformedException e) {
            return failing(schema.place() + ": " + e.getMessage());
        } catch (InvalidSchemaException e) {
            throw new ConnectorException(String.valueOf(e.getMessage()), e);
        }
    }

    /** At the first message, the second, the fourth and so on. */
    private static boolean isDue(int messages) {
        return Integer.bitCount(messages) == 1 || messages % MOST_BETWEEN == 0;
    }

    private static <T> Payload<T> failing(String reason) {
        return (bytes, from, to) -> {
            throw new MalformedException(reason, 0);
        };
    }
}

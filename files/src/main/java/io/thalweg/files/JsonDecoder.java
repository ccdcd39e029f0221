// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.files.json.JsonReader;
import io.thalweg.files.record.MalformedException;
import java.util.Arrays;

/** One JSON object a message. */
record JsonDecoder<R>(Class<R> record, int maxDepth) implements Decoder<R> {
    private static final long serialVersionUID = 1L;

    JsonDecoder {
        JsonReader.of(record, maxDepth); // a record that cannot be read is told here, not on some worker
    }

    @Override
    public Type<R> type() {
        return Type.of(record);
    }

    @Override
    public Decoding<R> open() {
        JsonReader<R> reader = JsonReader.of(record, maxDepth);
        return (bytes, from, to) -> {
            try {
                return reader.read(bytes, from, to);
            } catch (MalformedException e) {
                throw new BadRecordException(String.valueOf(e.getMessage()), Arrays.copyOfRange(bytes, from, to));
            }
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.files.json.JsonReader;
import io.thalweg.files.record.MalformedException;
import java.io.Serializable;

/** Tasks may share a function, on several threads; a reader belongs to one. */
final class JsonFunction<R> implements MapFunction<byte[], R> {
    private static final long serialVersionUID = 1L;

    private final Class<R> record;
    private final int maxDepth;
    private final transient ThreadLocal<JsonReader<R>> readers;

    JsonFunction(Class<R> record, int maxDepth) {
        this.record = record;
        this.maxDepth = maxDepth;
        this.readers = ThreadLocal.withInitial(() -> JsonReader.of(record, maxDepth));
        readers.get(); // a record that cannot be read is told here, not on some worker
    }

    @Override
    public R apply(byte[] bytes) {
        try {
            return readers.get().read(bytes, 0, bytes.length);
        } catch (MalformedException e) {
            throw new BadRecordException(String.valueOf(e.getMessage()), bytes);
        }
    }

    private Object writeReplace() {
        return new Settings(record, maxDepth);
    }

    private record Settings(Class<?> record, int maxDepth) implements Serializable {
        private Object readResolve() {
            return new JsonFunction<>(record, maxDepth);
        }
    }
}

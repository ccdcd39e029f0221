// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.testkit.Serialized;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads a source as the engine does: sent as bytes, split by split. */
final class Reading {
    private Reading() {}

    static <T> List<T> all(Source<T> source, SourceContext context) throws Exception {
        List<T> records = new ArrayList<>();
        Source<T> sent = Serialized.copyOf(source, "the source");
        for (String split : sent.splits(1)) {
            try (Split<T> reader = new Split<>(sent.open(split, context))) {
                records.addAll(reader.rest());
            }
        }
        return records;
    }

    /** A reader that is closed by a try block. */
    record Split<T>(SplitReader<T> reader) implements Closeable {
        List<T> rest() throws Exception {
            List<T> records = new ArrayList<>();
            while (true) {
                T record = reader.poll();
                if (record != null) {
                    records.add(record);
                } else if (reader.finished()) {
                    return records;
                }
            }
        }

        @Override
        public void close() throws IOException {
            try {
                reader.close();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }
}

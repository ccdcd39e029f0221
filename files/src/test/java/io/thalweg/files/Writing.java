// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.testkit.Serialized;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;

/** Writes to a sink as the engine does: sent as bytes, opened, finished, closed. */
final class Writing {
    private Writing() {}

    static <T> void all(Sink<T> sink, List<T> records) throws Exception {
        SinkWriter<T> writer = Serialized.copyOf(sink, "the sink").open(context(0, 1, new ByteArrayOutputStream()));
        for (T record : records) {
            writer.write(record);
        }
        writer.finish();
        writer.close();
    }

    static SinkContext context(int task, int parallelism, ByteArrayOutputStream console) {
        return new SinkContext("test", "out", task, parallelism, new PrintStream(console));
    }
}

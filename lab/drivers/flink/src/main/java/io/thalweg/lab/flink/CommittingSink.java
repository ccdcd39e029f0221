// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.SinkMeter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Counts what comes out; it has come out when the checkpoint that holds it is complete. What is committed is a meter's name for it. */
record CommittingSink<T>(Cell cell, MeterSink.Taker<T> taker) implements Sink<T>, SupportsCommitter<String> {
    private static final long serialVersionUID = 1L;

    @Override
    public CommittingSinkWriter<T, String> createWriter(WriterInitContext context) {
        SinkMeter meter = Meters.of(cell).sink();
        return new CommittingSinkWriter<>() {
            @Override
            public void write(T record, Context context) {
                taker.take(record, meter);
            }

            @Override
            public void flush(boolean endOfInput) {}

            @Override
            public Collection<String> prepareCommit() {
                String prepared = meter.prepare();
                return prepared.isEmpty() ? List.of() : List.of(prepared);
            }

            @Override
            public void close() {
                meter.close();
            }
        };
    }

    @Override
    public Committer<String> createCommitter(CommitterInitContext context) {
        return new Committer<>() {
            @Override
            public void commit(Collection<CommitRequest<String>> requests) throws IOException {
                for (CommitRequest<String> each : requests) {
                    SinkMeter.commit(cell, each.getCommittable());
                }
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public SimpleVersionedSerializer<String> getCommittableSerializer() {
        return new NameSerializer();
    }

    private static final class NameSerializer implements SimpleVersionedSerializer<String> {
        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(String name) {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String deserialize(int version, byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kstreams;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.ReadMeter;
import io.thalweg.lab.driver.SinkMeter;
import java.nio.ByteBuffer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;

/** topic → layers of relays → a count. A record is the bytes that stand in Kafka. */
final class Relay {
    private Relay() {}

    static Topology topology(Cell cell) {
        int length = Math.max(Long.BYTES, cell.payload());
        // The functions below are shared by all threads.
        ThreadLocal<ReadMeter> readers =
                ThreadLocal.withInitial(() -> Meters.of(cell).reader());
        ThreadLocal<SinkMeter> sinks =
                ThreadLocal.withInitial(() -> Meters.of(cell).sink());
        StreamsBuilder builder = new StreamsBuilder();
        KStream<byte[], byte[]> stream = builder.stream(
                        cell.text("topic", "lab"), Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
                .peek((key, value) -> readers.get().read(number(value)));
        for (int layer = 1; layer <= cell.layers(); layer++) {
            stream = stream.mapValues(value -> value);
        }
        stream.foreach((key, value) -> {
            SinkMeter sink = sinks.get();
            if (value.length != length) {
                sink.damaged();
            }
            sink.data(value);
            sink.received(number(value));
        });
        return builder.build();
    }

    private static long number(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }
}

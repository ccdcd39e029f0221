// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Generator;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.files.Json;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A job that {@link CrashTest} kills; it says on standard output what its sink is about to do. */
final class CrashJob {
    record Item(long id) {}

    private CrashJob() {}

    /** @param arguments URL, folder of checkpoints, records, parallelism, guarantee */
    public static void main(String[] arguments) throws Exception {
        long records = Long.parseLong(arguments[2]);
        Guarantee guarantee = Guarantee.valueOf(arguments[4]);
        HttpSink<Item> sink = Http.post(arguments[0], Json.<Item>encoder())
                .batch(100)
                .flushInterval(Duration.ofMillis(10))
                .inFlight(2)
                .patience(Duration.ofMinutes(30));
        Topology topology = Topology.named("crash");
        topology.from(new Generator<>(records, Type.of(Item.class), Item::new, 0, 4).rate(8_000))
                .shuffle()
                .to(new Telling(guarantee == Guarantee.EXACTLY_ONCE ? sink.deduplicated() : sink));
        RunSettings settings = RunSettings.defaults()
                .withParallelism(Integer.parseInt(arguments[3]))
                .withGuarantee(
                        guarantee,
                        CheckpointSettings.in(Path.of(arguments[1]))
                                .every(Duration.ofMillis(50))
                                .restoringLatest());
        new EmbeddedRunner(settings).start(topology.graph()).await();
        tell("end");
    }

    private static void tell(String moment) {
        System.out.println(moment);
        System.out.flush();
    }

    private record Telling(HttpSink<Item> sink) implements Sink<Item> {
        @Override
        public String name() {
            return sink.name();
        }

        @Override
        public boolean blocking() {
            return true;
        }

        @Override
        @SuppressWarnings("unchecked") // of the same records
        public SinkWriter<Item> open(SinkContext context) {
            return new TellingWriter((CheckpointedWriter<Item>) sink.open(context));
        }
    }

    private record TellingWriter(CheckpointedWriter<Item> writer) implements CheckpointedWriter<Item> {
        @Override
        public void write(Item value) throws Exception {
            writer.write(value);
        }

        @Override
        public long dueMs() {
            return writer.dueMs();
        }

        @Override
        public void onClock(long epochMs) throws Exception {
            writer.onClock(epochMs);
        }

        @Override
        public byte[] save(long checkpoint) throws Exception {
            tell("save");
            byte[] saved = writer.save(checkpoint);
            tell("saved");
            return saved;
        }

        @Override
        public void commit(long checkpoint) throws Exception {
            tell("commit");
            writer.commit(checkpoint);
            tell("committed");
        }

        @Override
        public void restore(List<byte[]> saved) throws Exception {
            tell("restore");
            writer.restore(saved);
            tell("restored");
        }

        @Override
        public void finish() throws Exception {
            writer.finish();
        }

        @Override
        public void close() throws Exception {
            writer.close();
        }
    }
}

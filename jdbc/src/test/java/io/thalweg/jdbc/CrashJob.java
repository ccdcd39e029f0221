// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Generator;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A job that a {@link Killer} kills; it says on standard output what its sink is about to do. */
public final class CrashJob {
    record Item(long id) {}

    private CrashJob() {}

    /** Starts it; the job runs as these arguments say: URL, folder of checkpoints, records, parallelism, guarantee. */
    @FunctionalInterface
    public interface Starting {
        RunningJob start(RunSettings settings, TopologyGraph graph);
    }

    public static void run(String[] arguments, Starting starting) throws InterruptedException {
        long records = Long.parseLong(arguments[2]);
        Topology topology = Topology.named("crash");
        topology.from(new Generator<>(records, Type.of(Item.class), Item::new, 0, 4).rate(8_000))
                .name("source")
                .shuffle()
                .to(new Telling(Jdbc.insert(arguments[0], "items", Item.class).patience(Duration.ofMinutes(30))))
                .name("sink");
        RunSettings settings = RunSettings.defaults()
                .withParallelism(Integer.parseInt(arguments[3]))
                .withGuarantee(
                        Guarantee.valueOf(arguments[4]),
                        CheckpointSettings.in(Path.of(arguments[1]))
                                .every(Duration.ofMillis(50))
                                .restoringLatest());
        starting.start(settings, topology.graph()).await();
        tell("end");
    }

    public static void main(String[] arguments) throws InterruptedException {
        run(arguments, (settings, graph) -> new EmbeddedRunner(settings).start(graph));
    }

    private static void tell(String moment) {
        System.out.println(moment);
        System.out.flush();
    }

    private record Telling(JdbcSink<Item> sink) implements Sink<Item> {
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
        public SinkWriter<Item> open(SinkContext context) throws Exception {
            return new TellingWriter((CheckpointedWriter<Item>) sink.open(context));
        }
    }

    private record TellingWriter(CheckpointedWriter<Item> writer) implements CheckpointedWriter<Item> {
        @Override
        public void write(Item value) throws Exception {
            writer.write(value);
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
            LockSupport.parkNanos(100_000); // whoever kills it has to read that first
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

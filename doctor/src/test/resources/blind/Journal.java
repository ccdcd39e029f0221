// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes orders into a journal, and forces each to the disk before the next. */
public final class Journal implements TopologyDefinition {
    record Order(long id, int article) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Order(i, (int) (i % 500))))
                .name("orders")
                .map(order -> order.id() + ";" + order.article() + "\n")
                .name("line")
                .to(new JournalSink())
                .name("journal");
    }

    record JournalSink() implements Sink<String> {
        @Override
        public String name() {
            return "journal";
        }

        @Override
        public SinkWriter<String> open(SinkContext context) throws IOException {
            return new Writer(Files.createTempFile("journal", ".csv"));
        }
    }

    static final class Writer implements SinkWriter<String> {
        private final Path file;
        private final FileChannel channel;

        Writer(Path file) throws IOException {
            this.file = file;
            channel = FileChannel.open(file, StandardOpenOption.WRITE);
        }

        @Override
        public void write(String line) throws IOException {
            channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }

        @Override
        public void close() throws IOException {
            channel.close();
            Files.delete(file);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.JobStats;
import io.thalweg.run.Runner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Runs topologies with sinks that write text: each record a line, its bytes in hex. The outcome is read back from these
 * files.
 */
final class WritingTestRunner implements TestRunner {
    private final Runner runner;
    private final Path folder;
    private final Function<String, Sink<String>> text;

    WritingTestRunner(Runner runner, Path folder, Function<String, Sink<String>> text) {
        this.runner = runner;
        this.folder = folder;
        this.text = text;
    }

    @Override
    public Outcome run(TopologyGraph graph) throws Exception {
        Map<String, Written> outputs = new LinkedHashMap<>();
        TopologyGraph writing = GraphRewrite.sinks(graph, (node, sink) -> {
            Path output = folder.resolve("sink-" + node.id());
            Type<Object> type = graph.inputsOf(node).get(0).type();
            outputs.put(node.name(), new Written(output, type));
            return new InHex(text.apply(output + "/"), type);
        });
        JobStats stats = runner.start(writing).await();
        Map<String, List<Object>> records = new LinkedHashMap<>();
        for (Map.Entry<String, Written> output : outputs.entrySet()) {
            Written written = output.getValue();
            Codec<Object> codec = written.type.codec();
            List<Object> read = new ArrayList<>();
            for (String line : Lines.in(written.path)) {
                read.add(codec.decode(new ByteReader(HexFormat.of().parseHex(line))));
            }
            records.put(output.getKey(), read);
        }
        return new Outcome(records, stats.recordsBad(), stats.recordsLate());
    }

    private record Written(Path path, Type<Object> type) {}

    private record InHex(Sink<String> text, Type<Object> type) implements Sink<Object> {
        @Override
        public String name() {
            return text.name();
        }

        @Override
        public List<WriteTarget> writes() {
            return text.writes();
        }

        @Override
        public SinkWriter<Object> open(SinkContext context) throws Exception {
            Codec<Object> codec = type.codec();
            CheckpointedWriter<String> writer = (CheckpointedWriter<String>) text.open(context);
            return new CheckpointedWriter<>() {
                @Override
                public void write(Object value) throws Exception {
                    ByteWriter out = new ByteWriter(64);
                    codec.encode(value, out);
                    writer.write(HexFormat.of().formatHex(out.toByteArray()));
                }

                @Override
                public byte[] save(long checkpoint) throws Exception {
                    return writer.save(checkpoint);
                }

                @Override
                public void commit(long checkpoint) throws Exception {
                    writer.commit(checkpoint);
                }

                @Override
                public void restore(List<byte[]> saved) throws Exception {
                    writer.restore(saved);
                }

                @Override
                public void finish() throws Exception {
                    writer.finish();
                }

                @Override
                public void close() throws Exception {
                    writer.close();
                }
            };
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.output;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.graph.TunedGraph;
import java.nio.charset.StandardCharsets;

/**
 * Stands in for a sink: runs in as many tasks, serializes what comes and adds it to a digest, and writes nothing. Its tasks may be
 * those of any engine, in the JVM that has the digests.
 */
public final class DigestSink implements Sink<Object> {
    private static final long serialVersionUID = 1L;

    private static final int BYTES = 256;

    private final String place;
    private final int tasks;
    private final boolean blocks;
    private final Type<Object> type;
    private final String digests;

    /** @param type of the records that come */
    private DigestSink(String place, Sink<Object> instead, Type<Object> type, OutputDigests digests) {
        this.place = place;
        tasks = instead.requiredParallelism();
        blocks = instead.blocking();
        this.type = type;
        this.digests = digests.id();
        digests.expect(place);
    }

    /** The graph with a digest in the place of each of its sinks. */
    public static TopologyGraph insteadOfSinks(TopologyGraph graph, OutputDigests digests) {
        return TunedGraph.withSinks(
                graph,
                (node, sink) -> new DigestSink(
                        "'" + node.name() + "'",
                        sink,
                        graph.inputsOf(node).get(0).type(),
                        digests));
    }

    @Override
    public String name() {
        return place;
    }

    @Override
    public int requiredParallelism() {
        return tasks;
    }

    @Override
    public boolean blocking() {
        return blocks;
    }

    @Override
    public boolean immediate() {
        return true;
    }

    @Override
    public SinkWriter<Object> open(SinkContext context) {
        OutputDigests of = OutputDigests.of(digests);
        of.open();
        return new Writer(place, type, of);
    }

    private static final class Writer implements SinkWriter<Object> {
        private final OutputDigests.Digest digest = new OutputDigests.Digest();
        private final ByteWriter bytes = new ByteWriter(BYTES);
        private final String place;
        private final OutputDigests digests;
        private final Codec<Object> codec;

        Writer(String place, Type<Object> type, OutputDigests digests) {
            this.place = place;
            this.digests = digests;
            codec = codec(type);
        }

        /** What cannot be serialized, because no queue or state ever needs it, says by its text what it holds. */
        private static Codec<Object> codec(Type<Object> type) {
            try {
                return type.codec();
            } catch (CodecException e) {
                return new TextCodec();
            }
        }

        @Override
        public void write(Object value) {
            bytes.clear();
            try {
                codec.encode(value, bytes);
            } catch (CodecException e) { // a part that its codec does not know; the sink itself may do without one
                bytes.clear();
                new TextCodec().encode(value, bytes);
            }
            digest.add(bytes.array(), bytes.size());
        }

        @Override
        public void finish() {
            digests.finish(place, digest);
        }
    }

    private static final class TextCodec implements Codec<Object> {
        @Override
        public void encode(Object value, ByteWriter out) {
            out.writeBytes(String.valueOf(value).getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public Object decode(ByteReader in) {
            throw new UnsupportedOperationException("only written");
        }
    }
}

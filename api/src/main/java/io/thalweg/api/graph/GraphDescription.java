// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Signatures;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A topology as text, as saved with its state: enough to determine whether another one is the same, and to say what
 * differs.
 *
 * @param topology name of the topology
 * @param steps its operators, in topological order
 */
public record GraphDescription(String topology, List<Step> steps) {
    /**
     * An operator.
     *
     * @param name its name in the topology
     * @param named true if the user named it; otherwise the name follows from its place
     * @param kind such as {@code window}
     * @param specification such as {@code window tumbling 60000 ms, Count}; for people
     * @param types the types of its key and of its records, without their fields
     * @param keyFunction the method that reads its key, if it has a stable name; otherwise empty. Both for an operator
     *     with two inputs
     * @param inputs for each of its inputs, the number of the operator it comes from, with port and grouping
     */
    public record Step(
            String name,
            boolean named,
            String kind,
            String specification,
            String types,
            String keyFunction,
            List<String> inputs) {
        /** True if the operator stands at the same place and does the same kind of thing. */
        boolean sameAs(Step other) {
            return name.equals(other.name)
                    && named == other.named
                    && kind.equals(other.kind)
                    && types.equals(other.types)
                    && inputs.equals(other.inputs);
        }

        private String words() {
            return "'" + name + "' (" + kind + (types.isEmpty() ? "" : " of " + types) + ")";
        }

        void writeTo(ByteWriter out) {
            out.writeText(name);
            out.writeBoolean(named);
            out.writeText(kind);
            out.writeText(specification);
            out.writeText(types);
            out.writeText(keyFunction);
            out.writeVarLong(inputs.size());
            inputs.forEach(out::writeText);
        }

        static Step read(ByteReader in) {
            return new Step(
                    in.readText(),
                    in.readBoolean(),
                    in.readText(),
                    in.readText(),
                    in.readText(),
                    in.readText(),
                    list(in, in::readText));
        }
    }

    /** The description of a graph. */
    public static GraphDescription of(TopologyGraph graph) {
        return new GraphDescription(
                graph.name(),
                graph.nodes().stream().map(node -> step(graph, node)).toList());
    }

    private static Step step(TopologyGraph graph, Node node) {
        KeySpec key = node.spec().keyedBy(0);
        String records = node.output() == null ? "" : node.output().toString();
        List<String> inputs = new ArrayList<>();
        for (Edge edge : graph.inputsOf(node)) {
            String port = edge.port().equals(Edge.MAIN) ? "" : " side " + edge.port();
            String second = edge.input() == 0 ? "" : " to its second input";
            inputs.add(edge.from() + port + " " + edge.grouping().describe() + " " + edge.type() + second);
        }
        return new Step(
                node.name(),
                node.named(),
                node.spec().kind(),
                node.spec().specification(),
                key == null ? records : "key " + key.type() + (records.isEmpty() ? "" : ", records " + records),
                keyFunctions(node.spec()),
                List.copyOf(inputs));
    }

    /** Empty unless each of them has a name of its own. */
    private static String keyFunctions(NodeSpec spec) {
        List<String> names = new ArrayList<>();
        for (int input = 0; input < spec.inputs(); input++) {
            KeySpec key = spec.keyedBy(input);
            names.add(key == null ? "" : Signatures.nameOf(key.function()));
        }
        return names.contains("") ? "" : String.join(" and ", names);
    }

    /** The first operator that differs, in words; null if all are the same. The names of the topologies may differ. */
    public @Nullable String firstDifference(GraphDescription now) {
        for (int i = 0; i < Math.max(steps.size(), now.steps.size()); i++) {
            if (i >= steps.size()) {
                return "operator " + now.steps.get(i).words() + " was added at the end";
            }
            if (i >= now.steps.size()) {
                return "operator " + steps.get(i).words() + " at the end is gone";
            }
            if (!steps.get(i).sameAs(now.steps.get(i))) {
                return "operator number " + (i + 1) + " was " + steps.get(i).words() + ", and is "
                        + now.steps.get(i).words() + " now"
                        + (steps.get(i).words().equals(now.steps.get(i).words()) ? ", led to in another way" : "");
            }
        }
        return null;
    }

    /** The operator with this name; null if there is none. */
    public @Nullable Step step(String name) {
        return steps.stream().filter(step -> step.name.equals(name)).findFirst().orElse(null);
    }

    /** A checksum of everything that {@link #firstDifference} compares, as eight hexadecimal digits. */
    public String checksum() {
        CRC32C checksum = new CRC32C();
        for (Step step : steps) {
            String text =
                    step.name + '\n' + step.named + '\n' + step.kind + '\n' + step.types + '\n' + step.inputs + '\n';
            checksum.update(text.getBytes(StandardCharsets.UTF_8));
        }
        return String.format(java.util.Locale.ROOT, "%08x", checksum.getValue());
    }

    /** Serializes the description. */
    public void writeTo(ByteWriter out) {
        out.writeText(topology);
        out.writeVarLong(steps.size());
        steps.forEach(step -> step.writeTo(out));
    }

    /**
     * Deserializes a description.
     *
     * @throws io.thalweg.api.codec.CodecException if the bytes end early
     */
    public static GraphDescription read(ByteReader in) {
        return new GraphDescription(in.readText(), list(in, () -> Step.read(in)));
    }

    private static <E> List<E> list(ByteReader in, Supplier<E> element) {
        List<E> list = new ArrayList<>();
        for (int left = in.readLength(); left > 0; left--) {
            list.add(element.get());
        }
        return List.copyOf(list);
    }
}

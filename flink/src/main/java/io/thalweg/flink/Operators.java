// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.NodeVisitor;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.graph.WatermarkSteps;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.WindowVisitor;
import io.thalweg.flink.stage.AlignedWindows;
import io.thalweg.flink.stage.Distinct;
import io.thalweg.flink.stage.EventTime;
import io.thalweg.flink.stage.KeyedProcess;
import io.thalweg.flink.stage.Plain;
import io.thalweg.flink.stage.Process;
import io.thalweg.flink.stage.Running;
import io.thalweg.flink.stage.SessionWindows;
import io.thalweg.flink.stage.Shape;
import io.thalweg.flink.stage.SinkStage;
import io.thalweg.flink.stage.TableJoin;
import io.thalweg.flink.stage.WholeWindow;
import java.util.Map;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Flink's operator for each kind of node.
 *
 * @param sides the node's side outputs that anybody reads
 * @param copied the type of the input's records if their source overwrites them; otherwise null
 */
record Operators(
        TopologyGraph graph,
        Node node,
        Shape shape,
        Map<String, OutputTag<Object>> sides,
        @Nullable Type<Object> copied)
        implements NodeVisitor<OneInputStreamOperator<Object, Object>> {
    @Override
    public OneInputStreamOperator<Object, Object> source(NodeSpec.Source spec) {
        throw new TopologyException(graph.name(), node.name(), "a source cannot follow another operator");
    }

    @Override
    public OneInputStreamOperator<Object, Object> map(NodeSpec.Map spec) {
        return new Plain.Map(shape, spec.function());
    }

    @Override
    public OneInputStreamOperator<Object, Object> filter(NodeSpec.Filter spec) {
        return new Plain.Filter(shape, spec.function());
    }

    @Override
    public OneInputStreamOperator<Object, Object> flatMap(NodeSpec.FlatMap spec) {
        return new Plain.FlatMap(shape, spec.function());
    }

    @Override
    public OneInputStreamOperator<Object, Object> peek(NodeSpec.Peek spec) {
        return new Plain.Peek(shape, spec.function());
    }

    @Override
    public OneInputStreamOperator<Object, Object> union(NodeSpec.Union spec) {
        return new Plain.Same(shape);
    }

    @Override
    public OneInputStreamOperator<Object, Object> eventTime(NodeSpec.EventTime spec) {
        return new EventTime(shape, spec, WatermarkSteps.at(graph, node));
    }

    @Override
    public OneInputStreamOperator<Object, Object> process(NodeSpec.Process spec) {
        return new Process(shape, spec.supplier(), sides, copied);
    }

    @Override
    public OneInputStreamOperator<Object, Object> keyedProcess(NodeSpec.KeyedProcess spec) {
        return new KeyedProcess(shape, spec.supplier(), sides);
    }

    @Override
    public OneInputStreamOperator<Object, Object> window(NodeSpec.Window spec) {
        return spec.window()
                .accept(new Windows(
                        shape,
                        spec,
                        spec.late() == null ? null : sides.get(spec.late().name())));
    }

    @Override
    public OneInputStreamOperator<Object, Object> running(NodeSpec.Running spec) {
        return new Running(shape, spec.aggregate());
    }

    @Override
    public OneInputStreamOperator<Object, Object> distinct(NodeSpec.Distinct spec) {
        return new Distinct(shape);
    }

    @Override
    public OneInputStreamOperator<Object, Object> tableJoin(NodeSpec.TableJoin spec) {
        return new TableJoin(shape, spec);
    }

    @Override
    public OneInputStreamOperator<Object, Object> sink(NodeSpec.Sink spec) {
        return new SinkStage(shape, spec.sink(), graph.inputsOf(node).get(0).type());
    }

    /** @param late where late records go; null for nowhere */
    private record Windows(
            Shape shape, NodeSpec.Window window, @Nullable OutputTag<Object> late)
            implements WindowVisitor<OneInputStreamOperator<Object, Object>> {
        @Override
        public OneInputStreamOperator<Object, Object> aligned(WindowSpec.Aligned spec) {
            return new AlignedWindows(shape, spec, window.aggregate(), window.allowedLatenessMs(), late);
        }

        @Override
        public OneInputStreamOperator<Object, Object> session(WindowSpec.Session spec) {
            return new SessionWindows(shape, spec.gapMs(), window.aggregate(), window.allowedLatenessMs(), late);
        }

        @Override
        public OneInputStreamOperator<Object, Object> whole(WindowSpec.Whole spec) {
            return new WholeWindow(shape, window.aggregate());
        }
    }
}

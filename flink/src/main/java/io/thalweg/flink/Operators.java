// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.graph.IntervalJoin;
import io.thalweg.api.graph.KeyedAsyncMap;
import io.thalweg.api.graph.Limit;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.NodeVisitor;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.graph.WatermarkSteps;
import io.thalweg.api.graph.WindowJoin;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.WindowVisitor;
import io.thalweg.flink.stage.AlignedWindows;
import io.thalweg.flink.stage.AsyncLookup;
import io.thalweg.flink.stage.AsyncRequests;
import io.thalweg.flink.stage.Broadcast;
import io.thalweg.flink.stage.Connect;
import io.thalweg.flink.stage.Distinct;
import io.thalweg.flink.stage.EventTime;
import io.thalweg.flink.stage.KeyedAsyncLookup;
import io.thalweg.flink.stage.KeyedBroadcast;
import io.thalweg.flink.stage.KeyedConnect;
import io.thalweg.flink.stage.KeyedProcess;
import io.thalweg.flink.stage.LimitFactory;
import io.thalweg.flink.stage.Plain;
import io.thalweg.flink.stage.Process;
import io.thalweg.flink.stage.Running;
import io.thalweg.flink.stage.SessionWindows;
import io.thalweg.flink.stage.SinkFactory;
import io.thalweg.flink.stage.SinkStage;
import io.thalweg.flink.stage.StageSettings;
import io.thalweg.flink.stage.Stamps;
import io.thalweg.flink.stage.TableJoin;
import io.thalweg.flink.stage.WholeWindow;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Makes Flink's operator for each kind of node.
 *
 * @param sides the node's side outputs that are used
 * @param listeners ids of the source coordinators that limits notify
 * @param copied the type of the input's records if their source overwrites them; otherwise null
 */
record Operators(
        TopologyGraph graph,
        Node node,
        StageSettings settings,
        Stamps stamps,
        Map<String, OutputTag<Object>> sides,
        List<String> listeners,
        @Nullable Type<Object> copied)
        implements NodeVisitor<Operators.Made> {
    /** The operator, not yet connected to its inputs. */
    interface Made {
        SingleOutputStreamOperator<Object> behind(List<DataStream<Object>> inputs, TypeInformation<Object> output);
    }

    private Made one(OneInputStreamOperator<Object, Object> operator) {
        return (inputs, output) -> inputs.get(0).transform(node.name(), output, operator);
    }

    private Made two(TwoInputStreamOperator<Object, Object, Object> operator) {
        return (inputs, output) -> inputs.get(0).connect(inputs.get(1)).transform(node.name(), output, operator);
    }

    @Override
    public Made source(NodeSpec.Source spec) {
        throw new TopologyException(graph.name(), node.name(), "a source cannot follow another operator");
    }

    @Override
    public Made map(NodeSpec.Map spec) {
        return one(new Plain.Map(settings, spec.function()));
    }

    @Override
    public Made filter(NodeSpec.Filter spec) {
        return one(new Plain.Filter(settings, spec.function()));
    }

    @Override
    public Made flatMap(NodeSpec.FlatMap spec) {
        return one(new Plain.FlatMap(settings, spec.function()));
    }

    @Override
    public Made peek(NodeSpec.Peek spec) {
        return one(new Plain.Peek(settings, spec.function()));
    }

    @Override
    public Made union(NodeSpec.Union spec) {
        return one(new Plain.Same(settings));
    }

    @Override
    public Made eventTime(NodeSpec.EventTime spec) {
        return one(new EventTime(settings, spec, WatermarkSteps.at(graph, node)));
    }

    @Override
    public Made process(NodeSpec.Process spec) {
        return one(new Process(settings, spec.supplier(), sides, copied));
    }

    @Override
    public Made keyedProcess(NodeSpec.KeyedProcess spec) {
        return one(new KeyedProcess(settings, spec.supplier(), sides));
    }

    @Override
    public Made connect(NodeSpec.Connect spec) {
        return two(new Connect(settings, stamps, spec.supplier(), sides));
    }

    @Override
    public Made keyedConnect(NodeSpec.KeyedConnect spec) {
        return two(new KeyedConnect(settings, stamps, spec.supplier(), sides));
    }

    @Override
    public Made broadcast(NodeSpec.Broadcast spec) {
        return two(new Broadcast(settings, stamps, spec.supplier(), sides));
    }

    @Override
    public Made keyedBroadcast(NodeSpec.KeyedBroadcast spec) {
        return two(new KeyedBroadcast(settings, stamps, spec.supplier(), sides));
    }

    @Override
    public Made intervalJoin(IntervalJoin spec) {
        return keyedConnect(spec.operator());
    }

    @Override
    public Made windowJoin(WindowJoin spec) {
        return keyedConnect(spec.operator());
    }

    @Override
    public Made asyncMap(AsyncMap spec) {
        return requests(new AsyncLookup(settings, spec));
    }

    @Override
    public Made keyedAsyncMap(KeyedAsyncMap spec) {
        return requests(new KeyedAsyncLookup(settings, spec));
    }

    private Made requests(AsyncRequests operator) {
        return (inputs, output) ->
                inputs.get(0).transform(node.name(), output, operator).startNewChain();
    }

    @Override
    public Made limit(Limit spec) {
        LimitFactory factory = new LimitFactory(settings, spec, node.id(), listeners);
        return (inputs, output) -> inputs.get(0).transform(node.name(), output, factory);
    }

    @Override
    public Made window(NodeSpec.Window spec) {
        return one(spec.window()
                .accept(new Windows(
                        settings,
                        spec,
                        spec.late() == null ? null : sides.get(spec.late().name()))));
    }

    @Override
    public Made running(NodeSpec.Running spec) {
        return one(new Running(settings, spec.aggregate()));
    }

    @Override
    public Made distinct(NodeSpec.Distinct spec) {
        return one(new Distinct(settings));
    }

    @Override
    public Made tableJoin(NodeSpec.TableJoin spec) {
        return one(new TableJoin(settings, spec));
    }

    @Override
    public Made sink(NodeSpec.Sink spec) {
        Type<Object> type = graph.inputsOf(node).get(0).type();
        if (settings.guarantee() != Guarantee.NONE) {
            return one(new SinkStage(settings, spec.sink(), type));
        }
        SinkFactory factory = new SinkFactory(settings, spec.sink(), type);
        return (inputs, output) -> inputs.get(0).transform(node.name(), output, factory);
    }

    /** @param late side output of late records; null if they are dropped */
    private record Windows(
            StageSettings settings,
            NodeSpec.Window window,
            @Nullable OutputTag<Object> late) implements WindowVisitor<OneInputStreamOperator<Object, Object>> {
        @Override
        public OneInputStreamOperator<Object, Object> aligned(WindowSpec.Aligned spec) {
            return new AlignedWindows(settings, spec, window.aggregate(), window.allowedLatenessMs(), late);
        }

        @Override
        public OneInputStreamOperator<Object, Object> session(WindowSpec.Session spec) {
            return new SessionWindows(settings, spec.gapMs(), window.aggregate(), window.allowedLatenessMs(), late);
        }

        @Override
        public OneInputStreamOperator<Object, Object> count(WindowSpec.Count spec) {
            return new KeyedProcess(settings, window.counting(spec).supplier(), Map.of());
        }

        @Override
        public OneInputStreamOperator<Object, Object> whole(WindowSpec.Whole spec) {
            return new WholeWindow(settings, window.aggregate());
        }
    }
}

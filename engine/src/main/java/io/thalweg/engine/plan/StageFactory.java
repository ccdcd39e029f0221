// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.graph.IntervalJoin;
import io.thalweg.api.graph.KeyedAsyncMap;
import io.thalweg.api.graph.Limit;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.graph.NodeVisitor;
import io.thalweg.api.graph.WindowJoin;
import io.thalweg.engine.chain.Count;
import io.thalweg.engine.chain.PoisonRecords;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.chain.StatelessStages;
import io.thalweg.engine.source.AlignedSplits;
import io.thalweg.engine.source.EventTimeStage;
import io.thalweg.engine.source.SlowestSplits;
import io.thalweg.engine.source.TimeReader;
import io.thalweg.engine.state.StatefulStages;
import io.thalweg.run.RunSettings;
import java.util.List;
import java.util.Map;

/** Makes the receivers of each kind of node, one for each of its inputs, connected to their successors in the chain. */
final class StageFactory {
    private static final int QUEUE_PART = 4;

    /** What follows a node in its chain. */
    interface Downstream {
        /** The receiver of the main output. */
        Receiver next();

        /** The receiver of a side output. */
        Receiver port(String name);

        /** The side outputs that are used, by name. */
        Map<String, Receiver> sides();
    }

    private final TaskSite site;
    private final ReusedRecords reused;
    private final ChainParts parts;
    private final SinkFactory sinks;

    /** How many operators of users there are before those that are being made. */
    private int behind;

    /** @param parts to which the stages are added */
    StageFactory(TaskSite site, ReusedRecords reused, ChainParts parts) {
        this.site = site;
        this.reused = reused;
        this.parts = parts;
        sinks = new SinkFactory(site, parts);
    }

    /**
     * The receivers of a node: one for each of its inputs.
     *
     * @param oneToOne every input record of the task reaches this node exactly once
     */
    List<Receiver> receivers(Node node, boolean oneToOne, Downstream downstream) {
        return node.spec().accept(new Operators(node, oneToOne, downstream));
    }

    /** The receivers of each kind. */
    private final class Operators implements NodeVisitor<List<Receiver>> {
        private final Node node;
        private final boolean oneToOne;
        private final Downstream downstream;
        private final Specialiser make;

        Operators(Node node, boolean oneToOne, Downstream downstream) {
            this.node = node;
            this.oneToOne = oneToOne;
            this.downstream = downstream;
            make = site.specialiser().of(node.name());
        }

        /**
         * The receivers of an operator that is a stage, and whose failures are counted so that records can be dropped
         * after retries.
         */
        private List<Receiver> operators(List<Receiver> entries) {
            return entries.stream().map(this::passing).toList();
        }

        private List<Receiver> operator(Receiver entry) {
            return List.of(passing(entry));
        }

        private Receiver passing(Receiver entry) {
            PoisonRecords poisonRecords = site.frame().poisonRecords;
            return poisonRecords == null ? staged(entry) : poisonRecords.passing(staged(entry), node.name(), make);
        }

        private Receiver staged(Receiver entry) {
            if (entry instanceof Stage stage) {
                parts.stages.add(stage);
            }
            return entry;
        }

        private Receiver next() {
            return downstream.next();
        }

        private StatelessStages stateless() {
            return new StatelessStages(node.name(), site.frame(), make);
        }

        private StatefulStages stateful() {
            return new StatefulStages(
                    new StatefulStages.Site(
                            node,
                            site.index(),
                            site.parallelism(),
                            site.frame(),
                            site.job().settings().clock(),
                            make,
                            reused.copiesInto(node),
                            mayHold(),
                            site.job().settings().stepRecords()),
                    next(),
                    downstream.sides(),
                    parts.stages::add);
        }

        /** Of an operator of the user's, whose calls cannot be interrupted. */
        private StatefulStages users() {
            behind++;
            try {
                return stateful();
            } finally {
                behind--;
            }
        }

        /**
         * Whether a turn may end between two records of a flatMap. What a call before it emits would pile up there; and of a record that
         * may be given up, all is processed in its own call.
         */
        private boolean endsTurns() {
            return behind == 0 && site.frame().poisonRecords == null;
        }

        private boolean mayHold() {
            return !(site.job().links() instanceof JobBuild.Hosting)
                    && site.frame().poisonRecords == null
                    && site.graph().inputsOf(node).stream()
                            .allMatch(edge -> edge.type().codec().immutable());
        }

        @Override
        public List<Receiver> source(NodeSpec.Source spec) {
            throw new IllegalStateException("a source cannot follow another operator");
        }

        @Override
        public List<Receiver> map(NodeSpec.Map spec) {
            return operator(stateless().map(spec.function(), next()));
        }

        @Override
        public List<Receiver> filter(NodeSpec.Filter spec) {
            return operator(stateless().filter(spec.function(), next()));
        }

        @Override
        public List<Receiver> flatMap(NodeSpec.FlatMap spec) {
            return operator(stateless().flatMap(spec.function(), endsTurns(), next()));
        }

        @Override
        public List<Receiver> peek(NodeSpec.Peek spec) {
            return operator(stateless().peek(spec.function(), next()));
        }

        /** A union has no operator: its receiver is its successor. */
        @Override
        public List<Receiver> union(NodeSpec.Union spec) {
            return List.of(next());
        }

        @Override
        public List<Receiver> eventTime(NodeSpec.EventTime spec) {
            TimeReader reader = make.make(new EventTimeStage.Parts(
                    node.name(),
                    site.frame(),
                    spec.function(),
                    spec.maxDisorderMs(),
                    spec.idleMs(),
                    spec.aligned() ? alignedSplits(spec.alignedMs()) : null,
                    next()));
            parts.times.add(reader);
            return operator(reader);
        }

        /** Under another engine tasks cannot share watermarks, so such a source has one task. */
        private AlignedSplits alignedSplits(long boundMs) {
            SlowestSplits all = site.job().links() instanceof JobBuild.Local local
                    ? local.slowest().get(node.id())
                    : null;
            return all == null
                    ? new AlignedSplits(boundMs, new SlowestSplits(List.of(site.wakeUp())), 0)
                    : new AlignedSplits(boundMs, all, site.index());
        }

        @Override
        public List<Receiver> process(NodeSpec.Process spec) {
            BuildSettings settings = site.job().settings();
            boolean acked = settings.guarantee() == Guarantee.ACKED;
            return operator(
                    users().process(spec, new StatefulStages.Threads(acked, capacity(settings), site.wakeUp())));
        }

        /** A batch, or where these are small, a part of a queue: or a thread and its task wait for each other at each record. */
        private static int capacity(BuildSettings settings) {
            int batch = settings.batchRecords();
            long part = (long) settings.queueBatches() * batch / QUEUE_PART;
            return Math.max(batch, (int) Math.min(RunSettings.BATCH_RECORDS, part));
        }

        @Override
        public List<Receiver> connect(NodeSpec.Connect spec) {
            return operators(users().connect(spec));
        }

        @Override
        public List<Receiver> broadcast(NodeSpec.Broadcast spec) {
            return operators(users().broadcast(spec));
        }

        @Override
        public List<Receiver> keyedBroadcast(NodeSpec.KeyedBroadcast spec) {
            return operators(users().keyedBroadcast(spec));
        }

        @Override
        public List<Receiver> keyedProcess(NodeSpec.KeyedProcess spec) {
            return operator(users().keyedProcess(spec));
        }

        @Override
        public List<Receiver> keyedConnect(NodeSpec.KeyedConnect spec) {
            return operators(users().keyedConnect(spec));
        }

        @Override
        public List<Receiver> intervalJoin(IntervalJoin spec) {
            return keyedConnect(spec.operator());
        }

        @Override
        public List<Receiver> windowJoin(WindowJoin spec) {
            return keyedConnect(spec.operator());
        }

        @Override
        public List<Receiver> window(NodeSpec.Window spec) {
            return operator(stateful().window(spec));
        }

        @Override
        public List<Receiver> running(NodeSpec.Running spec) {
            return operator(stateful().running(spec));
        }

        @Override
        public List<Receiver> distinct(NodeSpec.Distinct spec) {
            return operator(stateful().distinct(spec));
        }

        @Override
        public List<Receiver> limit(Limit spec) {
            return operator(stateful().limit(spec, () -> site.job().agreement().reached(node.id())));
        }

        @Override
        public List<Receiver> tableJoin(NodeSpec.TableJoin spec) {
            return operator(stateful().tableJoin(spec, site.job().settings().warnings()));
        }

        /** They count themselves what they have passed, because their input is not processed before the answer. */
        @Override
        public List<Receiver> asyncMap(AsyncMap spec) {
            return List.of(staged(stateful().asyncMap(spec, passed(), site.wakeUp())));
        }

        @Override
        public List<Receiver> keyedAsyncMap(KeyedAsyncMap spec) {
            return List.of(staged(stateful().keyedAsyncMap(spec, passed(), site.wakeUp())));
        }

        private Count.Passed passed() {
            PoisonRecords poisonRecords = site.frame().poisonRecords;
            return poisonRecords == null ? new Count.Passed() : poisonRecords.passedBy(node.name());
        }

        @Override
        public List<Receiver> sink(NodeSpec.Sink spec) {
            return operator(sinks.entry(node, spec, oneToOne));
        }
    }
}

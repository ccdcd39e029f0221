// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import static com.hazelcast.jet.core.Edge.between;

import com.hazelcast.cluster.Address;
import com.hazelcast.function.FunctionEx;
import com.hazelcast.function.SupplierEx;
import com.hazelcast.function.ToLongFunctionEx;
import com.hazelcast.jet.aggregate.AggregateOperation1;
import com.hazelcast.jet.config.EdgeConfig;
import com.hazelcast.jet.core.DAG;
import com.hazelcast.jet.core.Edge;
import com.hazelcast.jet.core.EventTimePolicy;
import com.hazelcast.jet.core.Partitioner;
import com.hazelcast.jet.core.Processor;
import com.hazelcast.jet.core.ProcessorMetaSupplier;
import com.hazelcast.jet.core.ProcessorSupplier;
import com.hazelcast.jet.core.SlidingWindowPolicy;
import com.hazelcast.jet.core.TimestampKind;
import com.hazelcast.jet.core.Vertex;
import com.hazelcast.jet.core.WatermarkPolicy;
import com.hazelcast.jet.core.processor.Processors;
import com.hazelcast.jet.datamodel.KeyedWindowResult;
import com.hazelcast.jet.kafka.KafkaProcessors;
import com.hazelcast.jet.pipeline.ServiceFactories;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.GroupBy;
import io.thalweg.lab.driver.Hoard;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Cells by the Core API: each stage a vertex, one task feeding one where there are as many, and one stage of aggregation. */
final class Dags {
    private static final int QUEUE_SIZE = 4096;

    private Dags() {}

    /** Sources on the first member, relays on the last, and sinks on either, as the cell has them placed. */
    static <T> DAG relay(Cell cell, RelayWork<T> work, List<Address> members) {
        Address sources = members.get(0);
        Address others = members.get(members.size() - 1);
        Address sinks = cell.placement() == Cell.Placement.BETWEEN ? sources : others;
        Address at = sources;
        RelayWork.Counter<T> counter = work.counter();
        DAG dag = new DAG();
        Vertex last = dag.newVertex("source", source(cell, work, sources)).localParallelism(cell.sources());
        for (int layer = 1; layer <= cell.layers(); layer++) {
            Vertex next =
                    dag.newVertex("relay-" + layer, layer(cell, work.relay())).localParallelism(cell.relays());
            dag.edge(at.equals(others) ? edge(last, next) : crossing(last, next, work.number(), others));
            at = others;
            last = next;
        }
        SupplierEx<Processor> meter =
                cell.commits() ? () -> new CommittingMeterP<>(cell, counter) : () -> new MeterP<>(cell, counter);
        Vertex sink = dag.newVertex("count", on(sinks, meter)).localParallelism(cell.sinks());
        dag.edge(at.equals(sinks) ? edge(last, sink) : crossing(last, sink, work.number(), sinks));
        return dag;
    }

    private static <T> ProcessorMetaSupplier source(Cell cell, RelayWork<T> work, Address member) {
        if (cell.from().equals("kafka")) {
            return KafkaProcessors.streamKafkaP(
                    KafkaRecords.consumer(cell),
                    new KafkaRecords<>(cell, work),
                    EventTimePolicy.noEventTime(),
                    KafkaRecords.topic(cell));
        }
        RelayWork.Maker<T> maker = work.maker();
        return on(member, () -> LoadP.untimed(cell, maker));
    }

    private static <T> ProcessorSupplier layer(Cell cell, FunctionEx<T, T> relay) {
        if (cell.hoard() == 0) {
            return ProcessorSupplier.of(Processors.mapP(relay));
        }
        long bytes = cell.hoard();
        return Processors.mapUsingServiceP(
                ServiceFactories.nonSharedService(context -> new Hoard(bytes)), (Hoard hoard, T record) -> {
                    hoard.replace();
                    return relay.apply(record);
                });
    }

    static DAG grouped(Cell cell) {
        RelayWork.Maker<Fact> maker = Fact.maker(new GroupBy(cell));
        EventTimePolicy<Fact> policy = policy(Fact::timeMs, GroupBy.WINDOW_MS);
        DAG dag = new DAG();
        Vertex source =
                dag.newVertex("load", () -> LoadP.timed(cell, maker, policy)).localParallelism(cell.sources());
        sum(dag, source, Fact::key, Fact::timeMs, GroupBy.WINDOW_MS, Fact.sums(cell.measures()), cell, Fact.rows());
        return dag;
    }

    /** The flattener alone. */
    static DAG flattener(Cell cell) {
        TelecomSize size = TelecomSize.named(cell.value("size"));
        DAG dag = new DAG();
        Vertex source = dag.newVertex("load", () -> LoadP.untimed(cell, RecordProbe.lines(size)))
                .localParallelism(cell.sources());
        Vertex flatten = dag.newVertex("flatten", flatten(cell)).localParallelism(cell.relays());
        RelayWork.Counter<Object> counter = (record, meter) -> meter.received(
                record instanceof TextProbe text
                        ? text.probe().number()
                        : ((RecordProbe) record).measures().bytesUp() - TelecomLines.BYTES_UP);
        Vertex sink = dag.newVertex("count", () -> new MeterP<>(cell, counter)).localParallelism(cell.sinks());
        dag.edge(edge(source, flatten)).edge(edge(flatten, sink));
        return dag;
    }

    private static SupplierEx<Processor> flatten(Cell cell) {
        return cell.readsAlike()
                ? Processors.mapP((FunctionEx<byte[], TextProbe>) TextProbe::of)
                : Processors.mapP((FunctionEx<byte[], RecordProbe>) RecordProbe::of);
    }

    static DAG telecom(Cell cell) {
        TelecomSize size = TelecomSize.named(cell.value("size"));
        EventTimePolicy<byte[]> policy = policy(TelecomLines::timeMs, TelecomSize.WINDOW_MS);
        DAG dag = new DAG();
        Vertex source = dag.newVertex("load", () -> LoadP.timed(cell, RecordProbe.lines(size), policy))
                .localParallelism(cell.sources());
        Vertex flatten = dag.newVertex("flatten", flatten(cell)).localParallelism(cell.relays());
        dag.edge(edge(source, flatten));
        if (cell.readsAlike()) {
            sum(
                    dag,
                    flatten,
                    TextProbe::key,
                    TextProbe::timeMs,
                    TelecomSize.WINDOW_MS,
                    TextProbe.sums(),
                    cell,
                    TextProbe.rows());
            return dag;
        }
        sum(
                dag,
                flatten,
                RecordProbe::key,
                RecordProbe::timeMs,
                TelecomSize.WINDOW_MS,
                RecordProbe.sums(),
                cell,
                RecordProbe.rows());
        return dag;
    }

    private static <T> EventTimePolicy<T> policy(ToLongFunctionEx<T> timeMs, long windowMs) {
        return EventTimePolicy.eventTimePolicy(
                timeMs, WatermarkPolicy.limitingLag(0), windowMs, 0, EventTimePolicy.DEFAULT_IDLE_TIMEOUT);
    }

    private static <T, K, R> void sum(
            DAG dag,
            Vertex from,
            FunctionEx<T, K> key,
            ToLongFunctionEx<T> timeMs,
            long windowMs,
            AggregateOperation1<T, ?, R> operation,
            Cell cell,
            RelayWork.Counter<Map.Entry<K, R>> rows) {
        Vertex sums = dag.newVertex(
                        "sum",
                        Processors.aggregateToSlidingWindowP(
                                List.of(key),
                                List.of(timeMs),
                                TimestampKind.EVENT,
                                SlidingWindowPolicy.tumblingWinPolicy(windowMs),
                                0,
                                operation,
                                KeyedWindowResult<K, R>::new))
                .localParallelism(cell.sinks());
        Vertex sink = dag.newVertex("count", () -> new MeterP<>(cell, rows)).localParallelism(cell.sinks());
        dag.edge(queued(between(from, sums)).partitioned(key, Partitioner.HASH_CODE))
                .edge(edge(sums, sink));
    }

    private static Edge edge(Vertex from, Vertex to) {
        Edge edge = queued(between(from, to));
        return from.getLocalParallelism() == to.getLocalParallelism() ? edge.isolated() : edge;
    }

    /** What goes to one certain member must be partitioned; by the record's number is as good as going round. */
    private static <T> Edge crossing(Vertex from, Vertex to, FunctionEx<T, Long> number, Address member) {
        return queued(between(from, to))
                .partitioned(number, (n, partitions) -> (int) (n % partitions))
                .distributeTo(member);
    }

    private static Edge queued(Edge edge) {
        return edge.setConfig(new EdgeConfig().setQueueSize(QUEUE_SIZE));
    }

    private static OnMember on(Address member, SupplierEx<Processor> processors) {
        return new OnMember(member.getPort(), processors);
    }

    /** The real processors on the member that has this port; on the others some that do nothing. */
    private record OnMember(int port, SupplierEx<Processor> processors) implements ProcessorMetaSupplier {
        @Override
        public Function<? super Address, ? extends ProcessorSupplier> get(List<Address> addresses) {
            return address -> ProcessorSupplier.of(address.getPort() == port ? processors : Processors.noopP());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.function.FunctionEx;
import com.hazelcast.jet.core.ProcessorMetaSupplier;
import com.hazelcast.jet.kafka.KafkaSources;
import com.hazelcast.jet.pipeline.Pipeline;
import com.hazelcast.jet.pipeline.ServiceFactories;
import com.hazelcast.jet.pipeline.Sink;
import com.hazelcast.jet.pipeline.Sinks;
import com.hazelcast.jet.pipeline.Sources;
import com.hazelcast.jet.pipeline.StreamSource;
import com.hazelcast.jet.pipeline.StreamStage;
import com.hazelcast.jet.pipeline.WindowDefinition;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.GroupBy;
import io.thalweg.lab.driver.Hoard;

/** Cells by the Pipeline API: Jet's planner makes one vertex of relays in a row, and aggregates in two stages. */
final class Pipelines {
    private Pipelines() {}

    static <T> Pipeline relay(Cell cell, RelayWork<T> work) {
        Pipeline pipeline = Pipeline.create();
        StreamStage<T> stage =
                pipeline.readFrom(source(cell, work)).withoutTimestamps().setLocalParallelism(cell.sources());
        for (int layer = 1; layer <= cell.layers(); layer++) {
            stage = layer(stage, cell, work.relay()).setLocalParallelism(cell.relays());
        }
        stage.writeTo(sink(cell, work.counter()));
        return pipeline;
    }

    private static <T> StreamSource<T> source(Cell cell, RelayWork<T> work) {
        if (cell.from().equals("kafka")) {
            return KafkaSources.kafka(
                    KafkaRecords.consumer(cell), new KafkaRecords<>(cell, work), KafkaRecords.topic(cell));
        }
        RelayWork.Maker<T> maker = work.maker();
        return Sources.streamFromProcessor("load", ProcessorMetaSupplier.of(() -> LoadP.untimed(cell, maker)));
    }

    private static <T> StreamStage<T> layer(StreamStage<T> stage, Cell cell, FunctionEx<T, T> relay) {
        if (cell.hoard() == 0) {
            return stage.map(relay);
        }
        long bytes = cell.hoard();
        return stage.mapUsingService(
                ServiceFactories.nonSharedService(context -> new Hoard(bytes)), (hoard, record) -> {
                    hoard.replace();
                    return relay.apply(record);
                });
    }

    static Pipeline grouped(Cell cell) {
        RelayWork.Maker<Fact> maker = Fact.maker(new GroupBy(cell));
        StreamSource<Fact> source = Sources.streamFromProcessorWithWatermarks(
                "load",
                false,
                policy -> ProcessorMetaSupplier.of(cell.sources(), () -> LoadP.timed(cell, maker, policy)));
        Pipeline pipeline = Pipeline.create();
        pipeline.readFrom(source)
                .withTimestamps(Fact::timeMs, 0)
                .groupingKey(Fact::key)
                .window(WindowDefinition.tumbling(GroupBy.WINDOW_MS))
                .aggregate(Fact.sums(cell.measures()))
                .setLocalParallelism(cell.sinks())
                .writeTo(sink(cell, Fact.rows()));
        return pipeline;
    }

    private static <T> Sink<T> sink(Cell cell, RelayWork.Counter<? super T> counter) {
        return Sinks.fromProcessor("count", ProcessorMetaSupplier.of(cell.sinks(), () -> new MeterP<>(cell, counter)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraphGenerator;

/** How a cell's stages are joined, how many tasks they have, and where these run. */
record Layout(Cell cell) {
    private static final String ANYWHERE = StreamGraphGenerator.DEFAULT_SLOT_SHARING_GROUP;

    /** The records of the load, in the process of the sources. */
    <T> DataStream<T> load(
            StreamExecutionEnvironment environment,
            TypeInformation<T> type,
            LoadSource.Maker<T> maker,
            WatermarkStrategy<T> watermarks) {
        return source(environment.fromSource(new LoadSource<>(cell, maker), watermarks, "source", type));
    }

    /** Puts a stage into the process of the sources. */
    <T> SingleOutputStreamOperator<T> source(SingleOutputStreamOperator<T> stage) {
        return stage.setParallelism(cell.sources())
                .slotSharingGroup(cell.processes() == 1 ? ANYWHERE : Cluster.SOURCES);
    }

    /** Puts a stage between sources and sinks into the process that is not the sources'. */
    <T> SingleOutputStreamOperator<T> stage(SingleOutputStreamOperator<T> stage, int tasks) {
        return stage.setParallelism(tasks).slotSharingGroup(cell.processes() == 1 ? ANYWHERE : Cluster.RELAYS);
    }

    <T> void sink(DataStream<T> records, MeterSink.Taker<T> taker) {
        records.sinkTo(MeterSink.of(cell, taker))
                .name("sink")
                .setParallelism(cell.sinks())
                .slotSharingGroup(groupOfSinks());
    }

    /** The slot sharing group of the sinks. */
    String groupOfSinks() {
        return cell.processes() == 1
                ? ANYWHERE
                : cell.placement() == Cell.Placement.BETWEEN ? Cluster.SOURCES : Cluster.RELAYS;
    }

    /**
     * Records by their key, from so many tasks to those of the sinks. From one task to one each record is where its key is already:
     * Flink is told so, chains, and computes the key once rather than on both sides of an exchange.
     */
    <T, K> KeyedStream<T, K> keyed(DataStream<T> records, int tasks, KeySelector<T, K> key, TypeInformation<K> type) {
        boolean inPlace = tasks == 1 && cell.sinks() == 1 && cell.processes() == 1 && !isUnchained();
        return inPlace ? DataStreamUtils.reinterpretAsKeyedStream(records, key, type) : records.keyBy(key, type);
    }

    private boolean isUnchained() {
        return cell.variant().equals("unchained");
    }

    /**
     * Chained, Flink forwards to a next stage of equal parallelism, and else distributes evenly; unchained, it always distributes,
     * which is never chained.
     */
    <T> DataStream<T> distributed(DataStream<T> records) {
        return isUnchained() ? records.rebalance() : records;
    }
}

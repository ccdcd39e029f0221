// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
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

    /** Puts a stage into the process behind that of the sources. */
    <T> SingleOutputStreamOperator<T> stage(SingleOutputStreamOperator<T> stage, int tasks) {
        return stage.setParallelism(tasks).slotSharingGroup(behind());
    }

    <T> void sink(DataStream<T> records, MeterSink.Taker<T> taker) {
        records.sinkTo(new MeterSink<>(cell, taker))
                .name("sink")
                .setParallelism(cell.sinks())
                .slotSharingGroup(behind());
    }

    private String behind() {
        return cell.processes() == 1 ? ANYWHERE : Cluster.RELAYS;
    }

    /**
     * Chained, Flink forwards to a next stage of equal parallelism, and else distributes evenly; unchained, it always distributes,
     * which is never chained.
     */
    <T> DataStream<T> distributed(DataStream<T> records) {
        return cell.variant().equals("unchained") ? records.rebalance() : records;
    }
}

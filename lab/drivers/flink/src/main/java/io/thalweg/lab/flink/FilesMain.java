// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import com.alibaba.fastjson2.JSON;
import io.thalweg.lab.driver.FileFigures;
import io.thalweg.lab.driver.FileJob;
import io.thalweg.lab.driver.FileOrder;
import io.thalweg.lab.driver.FileProgramArguments;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.ProbeTotals;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.serialization.BulkWriter;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.reader.TextLineInputFormat;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** A job over files: the file source, lines parsed by hand or by fastjson2, groups combined before they are sent to their tasks. */
public final class FilesMain {
    private static final TypeInformation<FileFigures> FIGURES = TypeInformation.of(FileFigures.class);

    private FilesMain() {}

    /** {@code FilesMain JOB INPUT OUTPUT THREADS TIMES}. */
    public static void main(String[] words) throws Exception {
        FileProgramArguments arguments = FileProgramArguments.of(words);
        arguments.tell(run(arguments), EnvironmentInformation.getVersion());
        System.exit(0); // threads of the MiniCluster may be left
    }

    /** Runs it, and returns how long the job took, without the start of the cluster. */
    static long run(FileProgramArguments arguments) throws Exception {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(arguments.threads(), configuration());
        FileJob job = arguments.job();
        DataStream<String> lines = environment
                .fromSource(
                        FileSource.forRecordStreamFormat(
                                        new TextLineInputFormat(),
                                        new Path(arguments.input().toUri()))
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "file")
                .setParallelism(1); // lines of one file are found by one task
        DataStream<String> spread = arguments.threads() == 1 ? lines : lines.rebalance();
        DataStream<String> rows = job == FileJob.CSV_FILTER
                ? spread.flatMap(filter()).returns(Types.STRING)
                : grouped(spread.flatMap(parser(job)).returns(FIGURES), job);
        rows.sinkTo(FileSink.forBulkFormat(new Path(arguments.output().toUri()), BufferedLines::new)
                .build());
        return environment.execute("files").getNetRuntime() * 1_000_000;
    }

    private static Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        // fastjson2 keeps the class loader of the job that it first read a class for
        configuration.set(CoreOptions.CHECK_LEAKED_CLASSLOADER, false);
        configuration.set(
                TaskManagerOptions.NETWORK_MEMORY_MAX, org.apache.flink.configuration.MemorySize.ofMebiBytes(256));
        return configuration;
    }

    private static FlatMapFunction<String, String> filter() {
        return (line, out) -> {
            if (!FileOrder.isHeader(line)) {
                FileOrder order = FileOrder.of(line);
                if (order.quantity() > FileJob.QUANTITY) {
                    out.collect(order.line());
                }
            }
        };
    }

    private static FlatMapFunction<String, FileFigures> parser(FileJob job) {
        return switch (job) {
            case CSV_READ, CSV_GROUP -> {
                boolean grouped = job == FileJob.CSV_GROUP;
                yield (line, out) -> {
                    if (!FileOrder.isHeader(line)) {
                        out.collect(FileFigures.ofOrder(line, grouped));
                    }
                };
            }
            case JSON_READ -> (line, out) -> out.collect(totals(ProbeTotals.of(JSON.parseObject(line, Probe.class))));
            case JSON_GROUP ->
                (line, out) -> out.collect(
                        JSON.parseObject(line, FileFigures.Probe.class).figures());
            case QUAKES ->
                (line, out) -> out.collect(
                        JSON.parseObject(line, FileFigures.Quake.class).figures());
            case CSV_FILTER -> throw new IllegalArgumentException("it has no figures");
        };
    }

    private static FileFigures totals(ProbeTotals totals) {
        FileFigures figures = new FileFigures();
        figures.n = 1;
        figures.more = totals.chars();
        figures.whole = totals.wholes();
        figures.real = totals.reals();
        figures.most = totals.truths();
        return figures;
    }

    private static DataStream<String> grouped(DataStream<FileFigures> records, FileJob job) {
        return records.transform("combine", FIGURES, new Combine(job))
                .keyBy(figures -> Tuple2.of(figures.first, figures.second), Types.TUPLE(Types.STRING, Types.STRING))
                .reduce((sum, figures) -> sum.add(figures, job))
                .map(figures -> figures.line(job))
                .returns(Types.STRING);
    }

    /** Flink's own encoder of rows asks the system to write each line, and each end of line. */
    private static final class BufferedLines implements BulkWriter<String> {
        private static final int BUFFER_BYTES = 1 << 16;

        private final OutputStream out;

        BufferedLines(FSDataOutputStream out) {
            this.out = new BufferedOutputStream(out, BUFFER_BYTES);
        }

        @Override
        public void addElement(String line) throws IOException {
            out.write(line.getBytes(StandardCharsets.UTF_8));
            out.write('\n');
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        /** Whoever opened the file closes it. */
        @Override
        public void finish() throws IOException {
            out.flush();
        }
    }

    /** The groups of one task, handed on at the end of its input. */
    private static final class Combine extends AbstractStreamOperator<FileFigures>
            implements OneInputStreamOperator<FileFigures, FileFigures>, BoundedOneInput {
        private static final long serialVersionUID = 1L;

        private final FileJob job;
        private final Map<Tuple2<String, String>, FileFigures> groups = new HashMap<>();

        Combine(FileJob job) {
            this.job = job;
        }

        @Override
        public void processElement(StreamRecord<FileFigures> element) {
            FileFigures figures = element.getValue();
            FileFigures sum = groups.putIfAbsent(Tuple2.of(figures.first, figures.second), figures);
            if (sum != null) {
                sum.add(figures, job);
            }
        }

        @Override
        public void endInput() {
            groups.values().forEach(figures -> output.collect(new StreamRecord<>(figures)));
        }
    }
}

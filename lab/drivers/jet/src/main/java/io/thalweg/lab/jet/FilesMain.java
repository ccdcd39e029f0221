// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.alibaba.fastjson2.JSON;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.function.FunctionEx;
import com.hazelcast.instance.BuildInfoProvider;
import com.hazelcast.jet.aggregate.AggregateOperation;
import com.hazelcast.jet.aggregate.AggregateOperation1;
import com.hazelcast.jet.datamodel.Tuple2;
import com.hazelcast.jet.pipeline.BatchStage;
import com.hazelcast.jet.pipeline.Pipeline;
import com.hazelcast.jet.pipeline.Sinks;
import com.hazelcast.jet.pipeline.file.FileFormat;
import com.hazelcast.jet.pipeline.file.FileSources;
import io.thalweg.lab.driver.FileFigures;
import io.thalweg.lab.driver.FileJob;
import io.thalweg.lab.driver.FileOrder;
import io.thalweg.lab.driver.FileProgramArguments;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.ProbeTotals;

/** A job over files: the file source, lines parsed by hand or by fastjson2, groups aggregated in two stages. */
public final class FilesMain {
    private FilesMain() {}

    /** {@code FilesMain JOB INPUT OUTPUT THREADS TIMES}. */
    public static void main(String[] words) throws Exception {
        FileProgramArguments arguments = FileProgramArguments.of(words);
        arguments.tell(run(arguments), BuildInfoProvider.getBuildInfo().getVersion());
        System.exit(0); // the member leaves threads behind
    }

    /** Runs it, and returns how long the job took, without the start of the member. */
    static long run(FileProgramArguments arguments) throws Exception {
        HazelcastInstance member = Members.ofThreads(arguments.threads());
        try {
            Pipeline pipeline = pipeline(arguments);
            long beganNs = System.nanoTime();
            member.getJet().newJob(pipeline).join();
            return System.nanoTime() - beganNs;
        } finally {
            member.getLifecycleService().terminate();
        }
    }

    private static Pipeline pipeline(FileProgramArguments arguments) {
        FileJob job = arguments.job();
        int threads = arguments.threads();
        Pipeline pipeline = Pipeline.create();
        BatchStage<String> lines = pipeline.readFrom(
                FileSources.files(arguments.input().resolveSibling("").toString())
                        .glob(String.valueOf(arguments.input().getFileName()))
                        .format(FileFormat.lines())
                        .build());
        BatchStage<String> rows = job == FileJob.CSV_FILTER
                ? lines.filter(line -> !FileOrder.isHeader(line))
                        .map(FileOrder::of)
                        .setLocalParallelism(threads)
                        .filter(order -> order.quantity() > FileJob.QUANTITY)
                        .map(FileOrder::line)
                : grouped(
                        lines.filter(line -> !FileOrder.isHeader(line))
                                .map(parser(job))
                                .setLocalParallelism(threads),
                        job);
        rows.setLocalParallelism(threads)
                .writeTo(Sinks.files(arguments.output().toString()))
                .setLocalParallelism(threads);
        return pipeline;
    }

    private static BatchStage<String> grouped(BatchStage<FileFigures> records, FileJob job) {
        AggregateOperation1<FileFigures, FileFigures, String> sums = AggregateOperation.withCreate(FileFigures::new)
                .<FileFigures>andAccumulate((sum, figures) -> {
                    if (sum.n == 0) {
                        sum.first = figures.first;
                        sum.second = figures.second;
                    }
                    sum.add(figures, job);
                })
                .andCombine((sum, other) -> {
                    if (sum.n == 0) {
                        sum.first = other.first;
                        sum.second = other.second;
                    }
                    sum.add(other, job);
                })
                .andExportFinish(figures -> figures.line(job));
        return job == FileJob.CSV_READ || job == FileJob.JSON_READ
                ? records.aggregate(sums)
                : records.groupingKey(figures -> Tuple2.tuple2(figures.first, figures.second))
                        .aggregate(sums)
                        .map(entry -> entry.getValue());
    }

    private static FunctionEx<String, FileFigures> parser(FileJob job) {
        return switch (job) {
            case CSV_READ -> line -> FileFigures.ofOrder(line, false);
            case CSV_GROUP -> line -> FileFigures.ofOrder(line, true);
            case JSON_READ -> line -> totals(ProbeTotals.of(JSON.parseObject(line, Probe.class)));
            case JSON_GROUP ->
                line -> JSON.parseObject(line, FileFigures.Probe.class).figures();
            case QUAKES ->
                line -> JSON.parseObject(line, FileFigures.Quake.class).figures();
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
}

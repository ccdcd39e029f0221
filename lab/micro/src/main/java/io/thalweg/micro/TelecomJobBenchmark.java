// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.operator.ToLong;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.files.Json;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomDimension;
import io.thalweg.workloads.telecom.TelecomExpectation;
import io.thalweg.workloads.telecom.TelecomSettings;
import io.thalweg.workloads.telecom.TelecomSize;
import io.thalweg.workloads.telecom.TelecomSums;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The telecom job from bytes that lie ready, after six other keyed windows ran in the JVM.
 *
 * <pre>
 *  lines ──► read JSON ──► event time ──► by 62 dimensions ──► 5 min: 20 sums ──► sink      one task
 * </pre>
 *
 * One invocation is a whole job. The floor is the same job without key and window, so what it lacks of the whole is what
 * the aggregation costs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 5)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms3g", "-Xmx3g", "-XX:+AlwaysPreTouch"})
public class TelecomJobBenchmark {
    static final int RECORDS = 1 << 18;

    @Param({"small", "typical"})
    private String size = "";

    private long bytesUp;
    private long rows;

    @Setup(Level.Trial)
    public void others() throws Exception {
        TelecomSettings settings = TelecomSettings.of(TelecomSize.named(size)).withRecords(RECORDS);
        TelecomExpectation expectation = new TelecomExpectation(settings, List.of(TelecomDimension.values()));
        bytesUp = expectation.totals().bytesUp();
        rows = expectation.rows();
        LinesSource.render(settings);
        SixOthers.keyed();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long ours() throws Exception {
        Topology topology = Topology.named("telecom");
        read(topology)
                .keyBy(Probe::dimensions)
                .window(Windows.tumbling(Duration.ofMinutes(5)))
                .aggregate(TelecomSums.aggregate())
                .to(new Sum<>(row -> row.value().bytesUp()));
        Runs.run(topology, Runs.narrow());
        return Tally.check(rows, bytesUp);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long floor() throws Exception {
        Topology topology = Topology.named("telecom");
        read(topology).to(new Sum<>(probe -> probe.measures().bytesUp()));
        Runs.run(topology, Runs.narrow());
        return Tally.check(RECORDS, bytesUp);
    }

    private static Stream<Probe> read(Topology topology) {
        return topology.from(new LinesSource())
                .map(Json.reader(Probe.class))
                .as(Probe.class)
                .eventTime(Probe::time, Duration.ZERO);
    }

    private record Sum<T>(ToLong<T> value) implements Sink<T> {
        @Override
        public String name() {
            return "sum";
        }

        @Override
        public SinkWriter<T> open(SinkContext context) {
            return new SinkWriter<>() {
                private long count;
                private long sum;

                @Override
                public void write(T record) throws Exception {
                    count++;
                    sum += value.apply(record);
                }

                @Override
                public void finish() {
                    Tally.add(count, sum);
                }
            };
        }
    }
}

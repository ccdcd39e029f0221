// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import com.alibaba.fastjson2.JSON;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.files.json.JsonReader;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomGenerator;
import io.thalweg.workloads.telecom.TelecomSettings;
import io.thalweg.workloads.telecom.TelecomSize;
import io.thalweg.workloads.telecom.TelecomSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The telecom record, 62 dimensions and 20 measures in nested JSON, from bytes to a declared record, on one thread.
 *
 * <pre>
 *  bytes of 20,000 lines, over and over ──► reader ──► Probe
 * </pre>
 *
 * All readers must say what the generator says before any is timed. The others are libraries: fastjson2 by its own data
 * binding, Jackson's streaming parser by code written by hand for this record.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
public class TelecomReaderBenchmark {
    static final int LINES = 20_000;
    static final int RECORDS = 20 * LINES;

    private byte[] bytes = {};
    private final int[] ends = new int[LINES + 1];
    private final JsonReader<Probe> own = JsonReader.of(Probe.class, JsonReader.DEFAULT_MAX_DEPTH);

    /** What reads one line. */
    private interface Reader {
        Probe read(byte[] bytes, int from, int to) throws IOException;
    }

    @Setup(Level.Trial)
    public void lines() throws Exception {
        TelecomSource<byte[]> source =
                TelecomSource.jsonLines(TelecomSettings.of(TelecomSize.TYPICAL).withRecords(LINES));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        SplitReader<byte[]> split = source.open(source.splits(1).get(0), new NoBadRecords());
        for (int i = 0; i < LINES; i++) {
            byte[] line = split.poll();
            if (line == null) {
                throw new IllegalStateException("only " + i + " lines");
            }
            all.writeBytes(line);
            ends[i + 1] = all.size();
        }
        bytes = all.toByteArray();
        check(own::read);
        check(JacksonProbe::read);
        check(TelecomReaderBenchmark::fastjson2);
    }

    private void check(Reader reader) throws IOException {
        TelecomGenerator generator = new TelecomGenerator(TelecomSize.TYPICAL);
        for (int i = 0; i < 2_000; i++) {
            Probe read = reader.read(bytes, ends[i], ends[i + 1]);
            if (!read.equals(generator.probe(i))) {
                throw new IllegalStateException("read " + read + "\nnot  " + generator.probe(i));
            }
        }
    }

    private static Probe fastjson2(byte[] line, int from, int to) {
        return JSON.parseObject(line, from, to - from, StandardCharsets.UTF_8, Probe.class);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long own() {
        long sum = 0;
        for (int round = 0; round < RECORDS / LINES; round++) {
            for (int i = 0; i < LINES; i++) {
                sum += digest(own.read(bytes, ends[i], ends[i + 1]));
            }
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long jackson() throws IOException {
        long sum = 0;
        for (int round = 0; round < RECORDS / LINES; round++) {
            for (int i = 0; i < LINES; i++) {
                sum += digest(JacksonProbe.read(bytes, ends[i], ends[i + 1]));
            }
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long fastjson2() {
        long sum = 0;
        for (int round = 0; round < RECORDS / LINES; round++) {
            for (int i = 0; i < LINES; i++) {
                sum += digest(fastjson2(bytes, ends[i], ends[i + 1]));
            }
        }
        return sum;
    }

    /** Reaches into every part, so that none can be left out. */
    private static long digest(Probe probe) {
        return probe.time()
                + probe.cell().tac()
                + probe.device().deviceTac()
                + probe.subscriber().homeMcc()
                + probe.service().asn()
                + probe.session().arp()
                + probe.measures().bytesUp();
    }

    private static final class NoBadRecords implements SourceContext {
        @Override
        public void bad(BadRecord record) {
            throw new IllegalStateException(record.describe());
        }

        @Override
        public long nowNs() {
            return 0;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.files.JsonLines;
import io.thalweg.files.input.LineInput;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomGenerator;
import io.thalweg.workloads.telecom.TelecomSettings;
import io.thalweg.workloads.telecom.TelecomSize;
import io.thalweg.workloads.telecom.TelecomSource;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A file of telecom records, 82 fields in nested JSON, from the page cache to declared records, on one thread.
 *
 * <pre>
 *  file of 150,000 distinct lines ──► lines ──► record of 82 fields, of 36, or of 3
 * </pre>
 *
 * Other than in {@link TelecomReaderBenchmark} no line comes twice in an invocation. {@code floor} finds the lines and
 * decodes nothing.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
public class JsonFileBenchmark {
    static final int RECORDS = 150_000;
    /** So many records are compared field by field before anything is timed. */
    private static final int COMPARED = 2_000;

    private Path file = Path.of("");
    private long bytes;
    private long all;
    private long some;
    private long three;

    /** Fields in three of the nested objects. */
    record Three(Cell cell, Service service, Measures measures) {
        record Cell(String city) {}

        record Service(String app) {}

        record Measures(long bytesUp) {}

        static Three of(Probe probe) {
            return new Three(
                    new Cell(probe.cell().city()),
                    new Service(probe.service().app()),
                    new Measures(probe.measures().bytesUp()));
        }
    }

    /** Two of the nested objects as they are, with 16 and 20 fields. */
    record Some(Probe.Cell cell, Probe.Measures measures) {
        static Some of(Probe probe) {
            return new Some(probe.cell(), probe.measures());
        }
    }

    @Setup(Level.Trial)
    public void write() throws Exception {
        file = Files.createTempFile("thalweg", ".jsonl");
        TelecomSource<byte[]> source =
                TelecomSource.jsonLines(TelecomSettings.of(TelecomSize.TYPICAL).withRecords(RECORDS));
        TelecomGenerator generator = new TelecomGenerator(TelecomSize.TYPICAL);
        SplitReader<byte[]> split = source.open(source.splits(1).get(0), new NoBadRecords());
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            for (int i = 0; i < RECORDS; i++) {
                byte[] line = split.poll();
                if (line == null) {
                    throw new IllegalStateException("only " + i + " lines");
                }
                out.write(line);
                out.write('\n');
                bytes += line.length;
                Probe probe = generator.probe(i);
                all += digest(probe);
                some += digest(Some.of(probe));
                three += digest(Three.of(probe));
            }
        }
        split.close();
        compare();
    }

    private void compare() throws Exception {
        TelecomGenerator generator = new TelecomGenerator(TelecomSize.TYPICAL);
        SplitReader<Probe> probes = open(Probe.class);
        SplitReader<Some> somes = open(Some.class);
        SplitReader<Three> threes = open(Three.class);
        for (int i = 0; i < COMPARED; i++) {
            Probe probe = generator.probe(i);
            same(probe, probes.poll());
            same(Some.of(probe), somes.poll());
            same(Three.of(probe), threes.poll());
        }
        probes.close();
        somes.close();
        threes.close();
    }

    @TearDown(Level.Trial)
    public void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void floor() throws IOException {
        long sum = 0;
        try (LineInput lines = LineInput.open(file.toString(), LineInput.DEFAULT_MAX_LINE_BYTES)) {
            while (lines.next() == LineInput.Found.LINE) {
                sum += lines.to() - lines.from();
            }
        }
        same(bytes, sum);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void all() throws Exception {
        same(all, sum(Probe.class, JsonFileBenchmark::digest));
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void some() throws Exception {
        same(some, sum(Some.class, JsonFileBenchmark::digest));
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void three() throws Exception {
        same(three, sum(Three.class, JsonFileBenchmark::digest));
    }

    private <R> long sum(Class<R> type, ToLongFunction<R> digest) throws Exception {
        long sum = 0;
        SplitReader<R> reader = open(type);
        while (!reader.finished()) {
            R record = reader.poll();
            if (record != null) {
                sum += digest.applyAsLong(record);
            }
        }
        reader.close();
        return sum;
    }

    private <R> SplitReader<R> open(Class<R> type) {
        return JsonLines.read(file.toString(), type).open(file.toString(), new NoBadRecords());
    }

    /** Reaches into every part, so that none can be left out. */
    private static long digest(Probe probe) {
        return probe.time()
                + digest(probe.cell())
                + probe.device().deviceTac()
                + probe.subscriber().homeMcc()
                + probe.service().asn()
                + probe.session().arp()
                + digest(probe.measures());
    }

    private static long digest(Some some) {
        return digest(some.cell()) + digest(some.measures());
    }

    private static long digest(Probe.Cell cell) {
        return (long) cell.tac() + cell.city().length() + cell.site().hashCode();
    }

    private static long digest(Probe.Measures measures) {
        return measures.bytesUp() + measures.rsrp() + (long) (measures.rtt() * 1000);
    }

    private static long digest(Three three) {
        return (long) three.cell().city().length()
                + three.service().app().hashCode()
                + three.measures().bytesUp();
    }

    private static void same(Object expected, @Nullable Object read) {
        if (!expected.equals(read)) {
            throw new IllegalStateException("read " + read + "\nnot  " + expected);
        }
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

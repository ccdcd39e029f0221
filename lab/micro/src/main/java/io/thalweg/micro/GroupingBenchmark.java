// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.topology.Topology;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * One grouping between two threads, after six other pipelines ran in the JVM.
 *
 * <pre>
 *  source ──► shuffle ══════ queue ══════► sink
 *  thread 1             batches of 512     thread 2
 * </pre>
 *
 * Records are small, immutable, and handed over by reference. One invocation is a whole job. The floor is a ring of
 * batches between two threads that spin, filled from the same source and emptied into the same sink.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
public class GroupingBenchmark {
    static final int RECORDS = 390_000 * RawRing.BATCH;

    /** True for records made anew, false for records handed out again and again. */
    @Param({"false", "true"})
    boolean anew;

    @Setup(Level.Trial)
    public void others() throws Exception {
        SixOthers.fused();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long ours() throws Exception {
        Runs.run(topology(RECORDS, anew), Runs.narrow());
        return Tally.check(RECORDS, EventSource.sum(RECORDS, anew));
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long floor() throws Exception {
        RawRing ring = new RawRing();
        EventSum.Writer writer = new EventSum.Writer();
        Thread consumer = new Thread(() -> drain(ring, writer));
        consumer.start();
        if (anew) {
            fill(ring, new EventSource.Maker(RECORDS));
        } else {
            fill(ring, new EventSource.Store(RECORDS));
        }
        consumer.join();
        writer.finish();
        return Tally.check(RECORDS, EventSource.sum(RECORDS, anew));
    }

    static Topology topology(long records, boolean anew) {
        Topology topology = Topology.named("grouping");
        topology.from(new EventSource(records, anew))
                .shuffle()
                .to(new EventSum("sum"))
                .isolate();
        return topology;
    }

    private static void fill(RawRing ring, EventSource.Maker reader) {
        int waits = 0;
        while (!reader.finished()) {
            Object[] batch = ring.claim();
            if (batch == null) {
                RawRing.spin(waits++);
            } else {
                fill(batch, reader);
                ring.publish();
            }
        }
    }

    private static void fill(RawRing ring, EventSource.Store reader) {
        int waits = 0;
        while (!reader.finished()) {
            Object[] batch = ring.claim();
            if (batch == null) {
                RawRing.spin(waits++);
            } else {
                fill(batch, reader);
                ring.publish();
            }
        }
    }

    private static void fill(@Nullable Object[] batch, EventSource.Maker reader) {
        for (int i = 0; i < batch.length; i++) {
            batch[i] = reader.poll();
        }
    }

    private static void fill(@Nullable Object[] batch, EventSource.Store reader) {
        for (int i = 0; i < batch.length; i++) {
            batch[i] = reader.poll();
        }
    }

    private static void drain(RawRing ring, EventSum.Writer writer) {
        int waits = 0;
        for (int batches = 0; batches < RECORDS / RawRing.BATCH; ) {
            Object[] batch = ring.peek();
            if (batch == null) {
                RawRing.spin(waits++);
            } else {
                drain(batch, writer);
                ring.release();
                batches++;
            }
        }
    }

    private static void drain(Object[] batch, EventSum.Writer writer) {
        for (Object event : batch) {
            writer.write((Event) event);
        }
    }
}

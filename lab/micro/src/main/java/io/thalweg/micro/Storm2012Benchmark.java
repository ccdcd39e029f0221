// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.topology.Topology;
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
 * Case a of the storm-2012 study, after six other pipelines ran in the JVM.
 *
 * <pre>
 *  sender ──► processer ──► stats
 *  1000 B      1000 B
 *  clock       clock        clock
 * </pre>
 *
 * A new message is a copy of 1000 bytes; so is what the processer hands on; each component reads the clock. Fused, it
 * is one task; apart, each component is a task of its own behind a queue. One invocation is a whole job. The floor is a
 * loop with the same copies, allocations and clock reads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch"})
public class Storm2012Benchmark {
    static final int RECORDS = 10_000_000;

    @Setup(Level.Trial)
    public void others() throws Exception {
        SixOthers.fused();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long fused() throws Exception {
        Runs.run(topology(false), Runs.narrow());
        return Tally.check(RECORDS, expected());
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long apart() throws Exception {
        Runs.run(topology(true), Runs.narrow());
        return Tally.check(RECORDS, expected());
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long floor() {
        MessageSource.Sender sender = new MessageSource.Sender(RECORDS);
        MessageStats.Stats stats = new MessageStats.Stats();
        while (!sender.finished()) {
            some(sender, stats);
        }
        stats.finish();
        return Tally.check(RECORDS, expected());
    }

    /** In pieces, so that the JIT compiles the loop as a method, not only from its middle. */
    private static void some(MessageSource.Sender sender, MessageStats.Stats stats) {
        for (int i = 0; i < 65_536; i++) {
            Message message = sender.poll();
            if (message == null) {
                return;
            }
            stats.write(message.next());
        }
    }

    private static Topology topology(boolean apart) {
        Topology topology = Topology.named("storm-2012");
        var processed =
                topology.from(new MessageSource(RECORDS)).map(Message::next).name("processer");
        var written = (apart ? processed.isolate() : processed).to(new MessageStats("stats"));
        if (apart) {
            written.isolate();
        }
        return topology;
    }

    private static long expected() {
        return RECORDS * (RECORDS - 1L) / 2;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long a checkpoint holds a task up, how long it takes, and how long a job takes to go on from it, by the number of keys
 * in a window: a key of 8 bytes, four sums. Prints a table; each figure is the median of {@link #REPEATS}, after one to warm
 * up.
 *
 * <pre>java -Xms8g -Xmx8g -cp 'lab/micro/target/dist/lib/*' io.thalweg.micro.CheckpointSizes DIR</pre>
 */
final class CheckpointSizes {
    private static final int REPEATS = 5;
    private static final int[] KEYS = {10_000, 1_000_000, 10_000_000};

    /** The four sums. */
    public record Sums(long a, long b, long c, long d) {}

    private CheckpointSizes() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        System.out.println("| keys | file | a task held up | checkpoint in all | on again after |");
        System.out.println("| ---: | ---: | ---: | ---: | ---: |");
        for (int keys : KEYS) {
            measure(keys, Files.createTempDirectory(folder, "sizes"));
        }
    }

    private static void measure(int keys, Path directory) throws Exception {
        RunSettings settings = Runs.narrow()
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(directory)
                                .every(Duration.ofDays(1))
                                .restoringLatest());
        long[] pausedMs = new long[REPEATS];
        long[] tookMs = new long[REPEATS];
        long[] restoredMs = new long[REPEATS];
        Job job = new EmbeddedRunner(settings).start(topology(keys).graph());
        await(() -> job.stats().recordsIn() >= keys);
        long bytes = 0;
        for (int i = -1; i < REPEATS; i++) {
            CheckpointStats before = job.lastCheckpoint();
            job.checkpoint();
            await(() -> !Objects.equals(job.lastCheckpoint(), before));
            CheckpointStats taken = Objects.requireNonNull(job.lastCheckpoint());
            bytes = taken.states().stream()
                    .mapToLong(CheckpointStats.StateSize::bytes)
                    .sum();
            if (i >= 0) {
                pausedMs[i] = taken.pausedMs();
                tookMs[i] = taken.tookMs();
            }
        }
        end(job);
        for (int i = -1; i < REPEATS; i++) {
            long beganNs = System.nanoTime();
            Job again = new EmbeddedRunner(settings).start(topology(keys).graph());
            await(() -> again.stats().recordsIn() > 0);
            if (i >= 0) {
                restoredMs[i] = (System.nanoTime() - beganNs) / 1_000_000;
            }
            end(again);
        }
        System.out.printf(
                Locale.ROOT,
                "| %,d | %,.1f MB | %,d ms | %,d ms | %,d ms |%n",
                keys,
                bytes / 1e6,
                median(pausedMs),
                median(tookMs),
                median(restoredMs));
        delete(directory);
    }

    private static long median(long[] values) {
        return LongStream.of(values).sorted().toArray()[values.length / 2];
    }

    /** Something that comes true sooner or later. */
    private interface Condition {
        boolean holds();
    }

    private static void await(Condition condition) {
        while (!condition.holds()) {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
        }
    }

    private static void end(Job job) throws InterruptedException {
        job.kill();
        try {
            job.await();
        } catch (JobFailedException e) {
            // it was killed
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : Arrays.asList(files.toArray(Path[]::new))) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    private static Topology topology(int keys) {
        Topology topology = Topology.named("sizes");
        topology.from(new Keys(keys))
                .eventTime(key -> 0L, Duration.ZERO)
                .keyBy(key -> key % keys)
                .window(Windows.tumbling(Duration.ofDays(1)))
                .aggregate(Aggregates.into(
                        Sums.class,
                        Aggregates.sum(key -> key),
                        Aggregates.sum(key -> 1),
                        Aggregates.sum(key -> 2),
                        Aggregates.sum(key -> 3)))
                .to(Sinks.discard());
        return topology;
    }

    /** Each key once as fast as it goes, then one a millisecond, without end. */
    private record Keys(int count) implements Source<Long> {
        @Override
        public String name() {
            return "keys";
        }

        @Override
        public Type<Long> type() {
            return Type.of(Long.class);
        }

        @Override
        public boolean replayable() {
            return true;
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("all");
        }

        @Override
        public SplitReader<Long> open(String split, SourceContext context) {
            return new SplitReader<>() {
                private long next;
                private long lastNs;

                @Override
                public @Nullable Long poll() {
                    if (next >= count) {
                        long nowNs = context.nowNs();
                        if (nowNs - lastNs < 1_000_000) {
                            return null;
                        }
                        lastNs = nowNs;
                    }
                    return next++;
                }

                @Override
                public boolean finished() {
                    return false;
                }

                @Override
                public long position() {
                    return next;
                }

                @Override
                public void seek(long position) {
                    next = position;
                }
            };
        }
    }
}

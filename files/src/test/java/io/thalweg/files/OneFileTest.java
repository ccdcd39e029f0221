// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.files.input.Bgzf;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that read one file, with so many workers. */
@Timeout(300)
final class OneFileTest {
    private static final long SEED = Long.getLong("thalweg.seed", new Random().nextLong());
    private static final int ROWS = 60_000;

    /** Down once a record was read; jobs hold nothing that cannot be serialized. */
    private static final CountDownLatch READS = new CountDownLatch(1);

    private static final AtomicBoolean TRUNCATED = new AtomicBoolean();

    record Row(String text, int number) {}

    @TempDir
    Path directory;

    /** More than a megabyte; every tenth text has a line break, some rows are bad. */
    private Path file() throws IOException {
        Random random = new Random(SEED);
        StringBuilder rows = new StringBuilder("text,number\n");
        for (int i = 0; i < ROWS; i++) {
            String text = "text " + random.nextInt(100);
            rows.append(random.nextInt(10) == 0 ? "\"" + text + "\n\"\"more\"\"\"" : text)
                    .append(random.nextInt(1_000) == 0 ? ",x" + i : "," + i)
                    .append('\n');
        }
        return Files.writeString(directory.resolve("in.csv"), rows);
    }

    private List<String> run(Path in, int threads, int parallelism, List<String> bad) throws Exception {
        Path out = directory.resolve("out-" + threads + "-" + parallelism + ".csv");
        Topology topology = Topology.named("OneFile");
        Stream<Row> rows = topology.from(Csv.read(in.toString(), Row.class)).name("in");
        rows.keyBy(Row::text)
                .window(Windows.whole())
                .aggregate(Aggregates.sum((Row row) -> row.number()))
                .to(Csv.<WindowResult<String, Long>>write(out.toString())
                        .column("text", WindowResult::key)
                        .column("sum", WindowResult::value));
        RunSettings settings = RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(threads)
                .withBadRecords((name, operator, record) -> bad.add(record.describe()));
        new EmbeddedRunner(settings).start(topology.graph()).await();
        return Files.readAllLines(out).stream().sorted().toList();
    }

    /** In two members, the first of which ends somewhere. */
    private Path packed(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int first = new Random(SEED).nextInt(bytes.length);
        Path packed = directory.resolve("in.csv.gz");
        try (OutputStream out = Files.newOutputStream(packed)) {
            for (byte[] member : List.of(Arrays.copyOf(bytes, first), Arrays.copyOfRange(bytes, first, bytes.length))) {
                GZIPOutputStream gzip = new GZIPOutputStream(out);
                gzip.write(member);
                gzip.finish();
            }
        }
        return packed;
    }

    @Test
    void shouldGiveTheSameWithEachNumberOfWorkers() throws Exception {
        Path file = file();
        sameWithEachNumberOfWorkers(file);
        sameWithEachNumberOfWorkers(packed(file));
        byte[] blocks = Bgzf.file(Files.readAllBytes(file), 60_000, new Random(SEED));
        sameWithEachNumberOfWorkers(Files.write(directory.resolve("in.csv.bgz"), blocks));
    }

    private void sameWithEachNumberOfWorkers(Path in) throws Exception {
        List<String> badInOrder = new ArrayList<>();
        List<String> expected = run(in, 1, 1, badInOrder);
        assertThat(expected).hasSizeGreaterThan(200);
        assertThat(badInOrder).isNotEmpty();
        for (int threads = 2; threads <= 4; threads++) {
            for (int parallelism : new int[] {1, 2, 3}) {
                List<String> bad = new ArrayList<>();
                assertThat(run(in, threads, parallelism, bad))
                        .as("-Dthalweg.seed=" + SEED)
                        .isEqualTo(expected);
                assertThat(bad).as("-Dthalweg.seed=" + SEED).isEqualTo(badInOrder);
            }
        }
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().contains("OneFile"))
                        .filter(OneFileTest::stays))
                .isEmpty();
    }

    /** A worker ends right after the job, not before. */
    private static boolean stays(Thread thread) {
        try {
            thread.join(60_000);
            return thread.isAlive();
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Test
    void shouldEndWhenItIsCancelledInTheMiddle() throws Exception {
        Path in = file();
        Topology topology = Topology.named("OneFile");
        topology.from(Csv.read(in.toString(), Row.class))
                .peek(row -> READS.countDown())
                .map(Row::text)
                .to(TextLines.write(directory.resolve("x.txt").toString()));
        Job job = new EmbeddedRunner(RunSettings.defaults().withThreads(3)).start(topology.graph());
        READS.await();
        job.cancel();
        job.await();
    }

    /** Decoders are ahead of the records that the job has seen. */
    @Test
    void shouldFail_ifTheFileIsTruncatedWhileItIsRead() throws Exception {
        Path in = directory.resolve("in.txt");
        Path out = directory.resolve("out.txt");
        Files.writeString(in, "a line\n".repeat(4_000_000));
        String name = in.toString();
        Topology topology = Topology.named("Truncated");
        TRUNCATED.set(false);
        topology.from(TextLines.read(name))
                .peek(line -> {
                    if (TRUNCATED.compareAndSet(false, true)) {
                        try (RandomAccessFile file = new RandomAccessFile(name, "rw")) {
                            file.setLength(4 << 20);
                        }
                    }
                })
                .to(TextLines.write(out.toString()));

        RunningJob job = new EmbeddedRunner(RunSettings.defaults().withThreads(2)).start(topology.graph());

        assertThatThrownBy(job::await)
                .rootCause()
                .hasMessageMatching(".*in.txt after byte \\d+: it was truncated from 28000000 to 4194304 bytes.*");
        assertThat(out).doesNotExist();
    }
}

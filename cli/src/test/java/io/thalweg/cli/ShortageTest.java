// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.engine.SavedCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job that takes checkpoints and finds its disk full or its heap too small: it says so in one line, its last checkpoint is
 * whole, and where there is room again, it comes to the right result. The full disk is a small file system that only the
 * processes of a script see.
 */
@EnabledOnOs(OS.LINUX)
@Tag("one-jdk")
@Tag("integration")
final class ShortageTest {
    private static final long KEYS = 120_000;
    private static final int LINES = 12_000;

    /** Of input, so that a machine that is slow to begin takes a checkpoint before there is no more room. */
    private static final int SECONDS = 4;

    /** Remembers each number; many of them are a heap full, and a few a small disk. */
    private static final String GROWS = """
            topology.from(Sources.generate(%d, i -> i).rate(%d)).name("numbers")
                    .keyBy(i -> "a key that is not short: " + i)
                    .aggregate(Aggregates.<Long>sum(i -> i)).name("sums")
                    .map(k -> k.value()).as(Long.class).parallelism(1)
                    .map(value -> Long.toString(value)).as(String.class).parallelism(1)
                    .to(io.thalweg.files.TextLines.write("sums.txt")).name("file");
            """;

    /** Runs until there is no more room, shows what is left, makes room, and goes on. */
    private static final String SCRIPT = """
            mkdir -p %1$s && mount -t tmpfs -o size=%2$s tmpfs %1$s || exit 99
            "$@" %3$s > first.out 2> first.err
            echo $? > first.code
            "$@" checkpoints %4$s > list.out 2> list.err
            echo $? > list.code
            mount -o remount,size=256m %1$s || exit 99
            "$@" %3$s
            code=$?
            mkdir -p after && cp -R %1$s/. after
            exit $code
            """;

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void openFolder() {
        cli = new Cli(folder);
    }

    @AfterEach
    void leaveNoProcess() {
        cli.destroy();
    }

    private void assumeMounts() throws Exception {
        Process probe = new ProcessBuilder(
                        "sh", "-c", "unshare --mount --map-root-user mount -t tmpfs -o size=1m tmpfs '" + folder + "'")
                .start();
        assumeTrue(Cli.end(probe) == 0, "nothing can be mounted here");
    }

    private static String command(String job, String checkpoints) {
        return "run " + job + " --parallelism 2 --quiet --guarantee exactly-once --checkpoint-dir " + checkpoints
                + " --checkpoint-interval 50ms --restore latest";
    }

    private String read(String file) throws IOException {
        return Files.readString(folder.resolve(file));
    }

    /** What {@code thalweg checkpoints} said before there was room: no damage, and the one that was named. */
    private void checkWhole(String number) throws IOException {
        assertThat(read("list.code")).as(read("list.err")).isEqualTo("0\n");
        assertThat(read("list.out")).contains("checkpoint-" + number).doesNotContain("damaged");
    }

    @Test
    void shouldSayThatTheDiskIsFull_whereCheckpointsAreWritten() throws Exception {
        assumeMounts();
        cli.job("Grows", GROWS.formatted(KEYS, KEYS / SECONDS));

        Cli.Outcome second =
                cli.runScript(SCRIPT.formatted("small", "4m", command("Grows.java", "small/in"), "small/in"));

        assertThat(read("first.err"))
                .matches("thalweg: cannot write checkpoint [0-9]+ to small/in: No space left on device;"
                        + " checkpoint [0-9]+ is whole\\n");
        assertThat(read("first.code")).isEqualTo("1\n");
        checkWhole(read("first.err").replaceAll("(?s).*checkpoint ([0-9]+) is whole.*", "$1"));
        assertThat(second.error()).isEmpty();
        assertThat(second.code()).isZero();
        checkSums(KEYS);
    }

    @Test
    void shouldSayThatTheDiskIsFull_whereResultsAreWritten() throws Exception {
        assumeMounts();
        WordCount words = new WordCount(cli, folder, LINES, LINES / SECONDS);

        Cli.Outcome second =
                cli.runScript(SCRIPT.formatted("out", "300k", command("Words.java", "checkpoints"), "checkpoints"));

        assertThat(read("first.err")).matches("thalweg: cannot write .*out/.*: No space left on device.*\\n");
        assertThat(read("first.code")).isEqualTo("1\n");
        List<SavedCheckpoint> there = SavedCheckpoint.in(folder.resolve("checkpoints"));
        assertThat(there).isNotEmpty().allMatch(each -> each.damage() == null);
        checkWhole("");
        assertThat(second.error()).isEmpty();
        assertThat(second.code()).isZero();
        Files.delete(folder.resolve("out"));
        Files.move(folder.resolve("after"), folder.resolve("out"));
        words.check("after the disk was full");
    }

    @Test
    void shouldGoOnInABiggerHeap_whereStateOutgrewMemory() throws Exception {
        long keys = 300_000;
        cli.job("Grows", GROWS.formatted(keys, keys / SECONDS));
        String[] command = command("Grows.java", "checkpoints").split(" ");

        Cli.Outcome first =
                new Cli(folder).withJava("-Xmx32m").withJava("-XX:+UseSerialGC").run(command);

        assertThat(first.error())
                .matches("thalweg: topology 'Grows'.*: (out of memory with a heap of \\d+ MB|the state of its operators"
                        + " takes about \\d+ MB).*\\n");
        assertThat(first.code()).isEqualTo(1);
        List<SavedCheckpoint> there = SavedCheckpoint.in(folder.resolve("checkpoints"));
        assertThat(there).isNotEmpty().allMatch(each -> each.damage() == null);
        Cli.Outcome second = cli.withJava("-Xmx768m").run(command);
        assertThat(second.error()).isEmpty();
        assertThat(second.code()).isZero();
        checkSums(keys);
    }

    /** Memory that no state of the engine's takes, so nobody can say which operator it is. */
    @Test
    void shouldEndInOneLine_whereAnOperatorsOwnObjectsFillTheHeap() throws Exception {
        cli.job("Hoards", """
                record Hoard(List<String> all) implements Operator<String, String> {
                    Hoard() {
                        this(new ArrayList<>());
                    }

                    @Override
                    public void process(String message, Output<String> output) {
                        all.add(message);
                    }
                }
                topology.from(Sources.generate(1_000_000_000L, n -> "message " + n + " ".repeat(500)))
                        .process(Hoard::new)
                        .to(Sinks.discard());
                """);
        checkOutOfMemory(new Cli(folder));
        checkOutOfMemory(new Cli(folder).withJava("-XX:-UseSerialGC").withJava("-XX:+UseG1GC"));
    }

    private static void checkOutOfMemory(Cli cli) throws Exception {
        Cli.Outcome run = cli.withJava("-Xmx48m").run("run", "Hoards.java", "--quiet");
        assertThat(run.error()).hasLineCount(1).startsWith("thalweg: ").contains("out of memory");
        assertThat(run.code()).isEqualTo(1);
    }

    /** A line is held in the input's buffer, as a text and in the output's buffer; queues do not hold it for longer. */
    @Test
    void shouldPassTwoLongLinesInASmallHeap() throws Exception {
        String first = "a".repeat(10 << 20);
        String second = "b".repeat(10 << 20);
        Files.writeString(folder.resolve("two.txt"), first + "\n" + second + "\n");
        cli.job("Lines", """
                topology.from(io.thalweg.files.TextLines.read("two.txt"))
                        .to(io.thalweg.files.TextLines.write("out.txt")).parallelism(1);
                """);

        Cli.Outcome run = cli.withJava("-Xmx64m").run("run", "Lines.java", "--parallelism", "2", "--quiet");

        assertThat(run.error()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(Files.mismatch(folder.resolve("two.txt"), folder.resolve("out.txt")))
                .isEqualTo(-1);
    }

    /** Each number once: no key comes twice. */
    private void checkSums(long keys) throws IOException {
        long[] numbers = Files.readAllLines(folder.resolve("sums.txt")).stream()
                .mapToLong(Long::parseLong)
                .sorted()
                .toArray();
        assertThat(numbers).hasSize((int) keys);
        for (int i = 0; i < numbers.length; i++) {
            assertThat(numbers[i]).isEqualTo(i);
        }
    }
}

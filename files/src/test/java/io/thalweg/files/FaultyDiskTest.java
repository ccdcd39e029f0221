// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.BadRecordListener;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.disk.FaultyDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A job with exactly-once writes to a disk that loses power, fails calls, tears writes and fills up. It is started again with
 * {@code --restore latest} until it ends, and then the power goes once more: each record is there once, or a bug is. Runs in a
 * JVM that has such a disk. More seeds:
 *
 * <pre>./mvnw -q -pl files -am test -Dtest=FaultyDiskTest -Dsurefire.failIfNoSpecifiedTests=false
 *     -Dthalweg.disk=5000</pre>
 *
 * and one alone, say seed 17, with {@code -Dthalweg.disk.first=17 -Dthalweg.disk=1}. {@code -Dthalweg.disk.mutations=true} makes
 * each fsync and rename do nothing, in turn, and prints the seed that notices; {@code -Dthalweg.disk.site=announce} only some.
 */
@Tag("faulty-disk")
final class FaultyDiskTest {
    private static final long FIRST = Long.getLong("thalweg.disk.first", 1);
    private static final long COUNT = Long.getLong("thalweg.disk", 30);

    /** Of the calls that may fail, each so many-th is tried: all of them with {@code -Pcrash}. */
    private static final int CALLS_APART = COUNT < 1_000 ? 13 : 1;

    /** A part of the name of the only places that are left out. */
    private static final String SITE = System.getProperty("thalweg.disk.site", "");

    /** Seeds tried until a call that does nothing is noticed. */
    private static final long MOST_TO_NOTICE = 1_500;

    private static final long SEEDS_FOR_SITES = 100;
    private static final int RECORDS = 60;
    private static final int MOST_STEPS = 20_000;
    private static final String LETTERS = "kept/letters.jsonl";
    private static final String EARLIER = "{\"text\":\"of an earlier run\"}\n";
    private static final String TEXT = "\"text\":\"";
    private static final String CHECKPOINTS = "state/checkpoints";
    private static final int MOST_CHECKPOINTS = 3;

    private final FaultyDisk disk = FaultyDisk.mounted();

    /** The power may go in this attempt. */
    private boolean losesPower;

    /** Parts that a reader took away as soon as it saw them, by name. */
    private final Map<String, List<String>> taken = new TreeMap<>();

    private enum Fault {
        POWER_LOSS,
        KILL,
        CALL,
        FULL
    }

    private enum Output {
        FILE("out.txt"),
        PACKED("out.txt.gz"),
        PARTS("parts/"),
        BELOW("new/below/parts/");

        private final String path;

        Output(String path) {
            this.path = path;
        }
    }

    @Test
    void shouldShowEachRecordOnce_whateverTheDiskDoes() throws Exception {
        List<String> failures = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + COUNT && failures.size() < 5; seed++) {
            String failure = failure(seed);
            if (failure != null) {
                failures.add("seed " + seed + ": " + failure);
            }
        }
        assertThat(failures).isEmpty();
    }

    /** SQLite's method: whichever call fails, the job says so, or ends right. */
    @Test
    void shouldShowEachRecordOnce_whicheverCallFails() throws Exception {
        List<String> failures = new ArrayList<>();
        long first = 1;
        for (Output output : Output.values()) {
            long calls = Long.MAX_VALUE;
            for (long call = first; call <= calls && failures.size() < 5; call += CALLS_APART) {
                format(call);
                Files.writeString(disk.root().resolve(LETTERS), EARLIER);
                disk.heal();
                disk.failCall(call);
                Random random = new Random(42);
                String failure = attempt(output, random);
                if (failure == null) {
                    calls = Math.min(calls, disk.calls());
                }
                if (failure != null && disk.hit() == null) {
                    failures.add(output + ", call " + call + ": " + failure);
                }
                String hit = disk.hit();
                disk.kill();
                String again = failure == null ? null : attempt(output, random);
                String wrong = again == null ? difference(output) : again;
                wrong = wrong == null ? lostLetters() : wrong;
                if (wrong == null
                        && !Files.readString(disk.root().resolve(LETTERS)).startsWith(EARLIER)) {
                    wrong = "dead letters of earlier runs are gone";
                }
                if (wrong != null) {
                    failures.add(output + ", failed " + hit + " (" + failure + "): " + wrong);
                }
            }
            first = first % CALLS_APART + 1; // others for the next, where not all are tried
        }
        assertThat(failures).isEmpty();
    }

    /** Without a guarantee: a reader finds what was there before, or all that the job wrote. */
    @Test
    void shouldLeaveWhatWasThere_orAllThatIsNew() throws Exception {
        List<String> failures = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + COUNT && failures.size() < 5; seed++) {
            String failure = withoutGuarantee(seed);
            if (failure != null) {
                failures.add("seed " + seed + ": " + failure);
            }
        }
        assertThat(failures).isEmpty();
    }

    private @Nullable String withoutGuarantee(long seed) throws IOException {
        Random random = random(seed);
        format(seed);
        Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
        String story = String.valueOf(fault);
        try {
            Path out = disk.root().resolve(Output.FILE.path);
            try (FileChannel old = FileChannel.open(out, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                old.write(ByteBuffer.wrap("old\n".getBytes(StandardCharsets.UTF_8)));
                old.force(true);
            }
            forceRoot();
            disk.heal();
            schedule(fault, random);
            String failed = run(RunSettings.defaults().withThreads(0).withSpecialise(false), Output.FILE, random);
            String hit = disk.hit();
            story += (hit == null ? "" : " hit " + hit) + (failed == null ? "" : ", failed: " + failed);
            if (failed != null && hit == null && fault != Fault.FULL) {
                return story;
            }
            disk.heal();
            disk.capacity(Long.MAX_VALUE);
            disk.restart();
            boolean isOld = lines(out).equals(List.of("old"));
            String difference = isOld && failed != null ? null : difference(Output.FILE);
            difference = difference == null && failed == null ? lostLetters() : difference;
            return difference == null ? null : story + ": " + difference;
        } catch (IOException | AssertionError e) {
            return story + ": " + e;
        }
    }

    /** What no seed notices is needless, or not tested. In the profile {@code crash}, because it takes minutes. */
    @Test
    @EnabledIfSystemProperty(named = "thalweg.disk.mutations", matches = "true")
    void shouldNotice_ifAnyFsyncOrRenameDoesNothing() throws Exception {
        for (long seed = 1; seed <= SEEDS_FOR_SITES; seed++) {
            assertThat(anyFailure(seed)).as("seed %d", seed).isNull();
        }
        Map<String, String> noticed = new TreeMap<>();
        List<String> unnoticed = new ArrayList<>();
        for (String site : disk.sites()) {
            if (!site.contains(SITE) || site.startsWith("delete ")) { // what is not removed now is by the next start
                continue;
            }
            disk.skip(site);
            String failure = null;
            for (long seed = 1; seed <= MOST_TO_NOTICE && failure == null; seed++) {
                failure = anyFailure(seed);
                if (failure != null) {
                    noticed.put(site, "seed " + seed + ": " + failure);
                }
            }
            if (failure == null) {
                unnoticed.add(site);
            }
        }
        disk.skip(null);
        noticed.forEach((site, how) ->
                System.out.println(site + "  " + how.lines().findFirst().orElse("")));
        assertThat(unnoticed).isEmpty();
    }

    private @Nullable String anyFailure(long seed) throws IOException {
        String failure = failure(seed);
        failure = failure == null ? withoutGuarantee(seed) : failure;
        failure = failure == null ? takenAsThePowerGoes(seed) : failure;
        return failure == null ? diedBeforeANameWasSafe(seed) : failure;
    }

    /** The job has not heard that a part has its name, when a reader has it and has removed it: what is lost then may be any of it. */
    @Test
    void shouldShowEachRecordOnce_ifAPartIsTakenAsThePowerGoes() throws Exception {
        List<String> failures = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + COUNT && failures.size() < 5; seed++) {
            String failure = takenAsThePowerGoes(seed);
            if (failure != null) {
                failures.add("seed " + seed + ": " + failure);
            }
        }
        assertThat(failures).isEmpty();
    }

    /** A run continues from a checkpoint whose name is not safe, its parts are taken away, and then the power goes. */
    @Test
    void shouldShowEachRecordOnce_ifTheProcessDiesBeforeANameIsSafe() throws Exception {
        List<String> failures = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + COUNT && failures.size() < 5; seed++) {
            String failure = diedBeforeANameWasSafe(seed);
            if (failure != null) {
                failures.add("seed " + seed + ": " + failure);
            }
        }
        assertThat(failures).isEmpty();
    }

    private @Nullable String diedBeforeANameWasSafe(long seed) throws IOException {
        Random random = random(seed);
        format(seed);
        int[] left = {1 + random.nextInt(4)};
        disk.onRename(to -> {
            if (to.getFileName().toString().startsWith("checkpoint-") && left[0]-- == 0) {
                disk.losePowerAt(disk.calls() + 1);
            }
        });
        String failed = attempt(Output.PARTS, random);
        if (failed == null) {
            return null; // it took fewer checkpoints
        }
        disk.kill();
        disk.onRename(this::takePart);
        disk.losePowerAt(40L + random.nextInt(80));
        String second = attempt(Output.PARTS, random);
        String hit = disk.hit();
        disk.restart();
        disk.onRename(to -> {});
        String again = second == null ? null : attempt(Output.PARTS, random);
        disk.restart();
        String wrong = again == null ? difference(Output.PARTS) : "failed without a fault: " + again;
        return wrong == null ? null : "hit " + hit + " (" + second + "); " + wrong;
    }

    private void takePart(Path to) {
        if (to.getFileName().toString().startsWith("part-")) {
            try {
                take(to);
            } catch (IOException | UncheckedIOException e) {
                // the disk fails, and the reader comes back later
            }
        }
    }

    private @Nullable String takenAsThePowerGoes(long seed) throws IOException {
        Random random = random(seed);
        format(seed);
        int[] left = {random.nextInt(4)};
        disk.onRename(to -> {
            if (to.getFileName().toString().startsWith("part-") && left[0]-- == 0) {
                try {
                    take(to);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                disk.losePowerAt(disk.calls() + 1);
            }
        });
        String failed = attempt(Output.PARTS, random);
        String hit = disk.hit();
        if (failed != null && hit == null) {
            return "failed without a fault: " + failed;
        }
        disk.restart();
        disk.onRename(to -> {});
        String again = failed == null ? null : attempt(Output.PARTS, random);
        disk.restart();
        return again == null ? difference(Output.PARTS) : "hit " + hit + "; then failed without a fault: " + again;
    }

    /** An empty disk, but for a directory that the user made. */
    private void format(long seed) throws IOException {
        taken.clear();
        disk.format(seed);
        Files.createDirectory(disk.root().resolve("kept"));
        forceRoot();
        disk.heal();
    }

    private void forceRoot() throws IOException {
        try (FileChannel names = FileChannel.open(disk.root())) {
            names.force(true);
        }
    }

    /** Null if all is well. */
    private @Nullable String failure(long seed) throws IOException {
        Random random = random(seed);
        Output output = Output.values()[random.nextInt(Output.values().length)];
        format(seed);
        if (random.nextInt(4) == 0) {
            disk.writeShort();
        }
        if (output.path.endsWith("/") && random.nextBoolean()) {
            disk.onRename(to -> take(to, random));
        }
        int faults = 1 + random.nextInt(4);
        StringBuilder story = new StringBuilder(output.toString());
        try {
            for (int attempt = 0; ; attempt++) {
                Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
                boolean last = attempt >= faults;
                losesPower = !last && fault == Fault.POWER_LOSS;
                if (!last) {
                    schedule(fault, random);
                }
                String failed = attempt(output, random);
                String hit = disk.hit();
                story.append("; ").append(last ? "no fault" : fault).append(hit == null ? "" : " hit " + hit);
                if (failed != null && hit == null && (last || fault != Fault.FULL)) {
                    return story + "; failed without a fault: " + failed + "\n" + disk.lastCalls();
                }
                disk.heal();
                disk.capacity(Long.MAX_VALUE);
                String wrong = failed == null && hit == null ? leftovers(output) : null;
                if (fault == Fault.POWER_LOSS || failed == null) {
                    disk.restart();
                } else {
                    disk.kill();
                }
                if (failed == null) {
                    wrong = wrong == null ? difference(output) : wrong;
                    wrong = wrong == null ? lostLetters() : wrong;
                    return wrong == null ? null : story + ": " + wrong;
                }
            }
        } catch (Exception | AssertionError e) {
            return story + ": " + e;
        }
    }

    /** The first numbers of Java's generator are much alike for seeds that are. */
    private static Random random(long seed) {
        return new Random(new SplittableRandom(seed).nextLong());
    }

    private void schedule(Fault fault, Random random) {
        long call = 1L + random.nextInt(1 << (3 + random.nextInt(7)));
        switch (fault) {
            case POWER_LOSS, KILL -> disk.losePowerAt(call);
            case CALL -> disk.failCall(call);
            case FULL -> disk.capacity(random.nextInt(4000));
        }
    }

    /** Runs the job until it ends or fails; what it failed of, or null. */
    private @Nullable String attempt(Output output, Random random) {
        RunSettings settings = RunSettings.defaults()
                .withThreads(0)
                .withParallelism(1 + random.nextInt(3))
                .withSteps(4, 2, 4)
                .withSpecialise(false)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(disk.root().resolve(CHECKPOINTS)).restoringLatest());
        return run(settings, output, random);
    }

    private @Nullable String run(RunSettings settings, Output output, Random random) {
        try (Letters letters = new Letters(new DeadLetterFile(disk.root().resolve(LETTERS)))) {
            Job job =
                    new EmbeddedRunner(settings.withBadRecords(letters)).start(graph(disk.root() + "/" + output.path));
            int every = 2 + random.nextInt(20);
            for (int step = 0; job.step(); step++) {
                if (random.nextInt(every) == 0) {
                    job.checkpoint();
                }
                if (step == MOST_STEPS) {
                    job.kill();
                }
            }
            job.await();
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return null;
    }

    /** As the command line keeps bad records. */
    private record Letters(DeadLetterFile file) implements BadRecordListener, AutoCloseable {
        @Override
        public void bad(String topology, String operator, BadRecord record) {
            file.accept(topology, operator, record);
        }

        @Override
        public void force() throws IOException {
            file.force();
        }

        @Override
        public void close() {
            file.close();
        }
    }

    private static TopologyGraph graph(String path) {
        Topology topology = Topology.named("disk");
        topology.from(Sources.generate(RECORDS, FaultyDiskTest::line))
                .map(FaultyDiskTest::unlessBad)
                .shuffle()
                .to(TextLines.write(path))
                .name("lines");
        return topology.graph();
    }

    private static String line(long index) {
        return "record " + index;
    }

    private static String unlessBad(String line) {
        if (isBad(line)) {
            throw new BadRecordException("it ends in 7", line);
        }
        return line;
    }

    private static boolean isBad(String line) {
        return line.endsWith("7");
    }

    /** Bad records that nobody has kept; null if there is none. A torn line is nobody's. */
    private @Nullable String lostLetters() throws IOException {
        Set<String> kept = new TreeSet<>();
        for (String line : lines(disk.root().resolve(LETTERS))) {
            int text = line.indexOf(TEXT);
            if (text >= 0 && line.endsWith("\"}")) {
                kept.add(line.substring(text + TEXT.length(), line.length() - 2));
            }
        }
        List<String> lost = IntStream.range(0, RECORDS)
                .mapToObj(FaultyDiskTest::line)
                .filter(FaultyDiskTest::isBad)
                .filter(each -> !kept.contains(each))
                .toList();
        return lost.isEmpty() ? null : "no dead letter of " + lost;
    }

    /** What the output holds less what it should; null if that is nothing. */
    private @Nullable String difference(Output output) throws IOException {
        List<String> found = new ArrayList<>();
        Path path = disk.root().resolve(output.path);
        if (output.path.endsWith("/")) {
            takeParts(output);
            taken.values().forEach(found::addAll);
        } else {
            found.addAll(lines(path));
        }
        List<String> missing = IntStream.range(0, RECORDS)
                .mapToObj(FaultyDiskTest::line)
                .collect(ArrayList::new, List::add, List::addAll);
        List<String> extra = new ArrayList<>(found);
        new TreeSet<>(missing).forEach(extra::remove);
        missing.removeAll(found);
        missing.removeIf(FaultyDiskTest::isBad);
        return missing.isEmpty() && extra.isEmpty() ? null : "missing " + missing + ", more than once or torn " + extra;
    }

    /** A reader that copies parts and removes them: one that is there again after a power loss it knows by its name. */
    private void takeParts(Output output) {
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(disk.root().resolve(output.path), "part-*")) {
            for (Path part : parts) {
                take(part);
            }
        } catch (IOException | UncheckedIOException e) {
            // the disk fails, and the reader comes back later
        }
    }

    private void take(Path part, Random random) {
        if (part.getFileName().toString().startsWith("part-") && random.nextInt(3) == 0) {
            try {
                take(part);
                if (losesPower && random.nextInt(4) == 0) { // the job has not heard that the part has its name
                    disk.losePowerAt(disk.calls() + 1 + random.nextInt(4));
                }
            } catch (IOException | UncheckedIOException e) {
                // as above
            }
        }
    }

    private void take(Path part) throws IOException {
        List<String> lines = lines(part);
        Files.delete(part);
        taken.putIfAbsent(String.valueOf(part.getFileName()), lines);
    }

    /** What should have been removed by the end; null if that is nothing. */
    private @Nullable String leftovers(Output output) throws IOException {
        List<Path> left = new ArrayList<>();
        Path path = disk.root().resolve(output.path);
        boolean directory = output.path.endsWith("/");
        try (DirectoryStream<Path> hidden =
                Files.newDirectoryStream(directory ? path : disk.root(), directory ? ".part-*" : ".out*")) {
            hidden.forEach(left::add);
        }
        Path checkpoints = disk.root().resolve(CHECKPOINTS);
        try (DirectoryStream<Path> hidden = Files.newDirectoryStream(checkpoints, ".checkpoint-*")) {
            hidden.forEach(left::add);
        }
        List<Path> kept = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(checkpoints, "checkpoint-*")) {
            all.forEach(kept::add);
        }
        if (kept.size() > MOST_CHECKPOINTS) {
            left.addAll(kept);
        }
        return left.isEmpty() ? null : "left behind: " + left;
    }

    private static List<String> lines(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                BufferedReader reader = new BufferedReader(new InputStreamReader(
                        file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in, StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        }
    }
}

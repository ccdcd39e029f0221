// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.kafka.PhaseSink.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Starts a {@link CrashJob} again and again, and kills it; where it was, its log and its checkpoints say. */
public final class Killer {
    public static final int KILLS = Integer.getInteger("thalweg.kills", 4);

    private static final int LONGEST_MS = 600_000;
    private static final int PAUSE_MS = 500;

    /** Others wait 6 s for a broker. */
    private static final int LONGEST_AWAY_MS = 10_000;

    private final KilledJob job;
    private final TestBroker broker;
    private final Path folder;
    private final String from;
    private final String to;
    private final Guarantee guarantee;
    private final long seed = Long.getLong("thalweg.kills.seed", System.nanoTime() & 0xffff);
    private final Random random = new Random(seed);
    private final Map<Phase, Integer> met = new EnumMap<>(Phase.class);
    private int kills;
    private int brokerKills;

    Killer(KilledJob job, TestBroker broker, Path folder, String from, String to, Guarantee guarantee) {
        this.job = job;
        this.broker = broker;
        this.folder = folder;
        this.from = from;
        this.to = to;
        this.guarantee = guarantee;
    }

    /** So often at least, and, if that is enough for each phase, until each was met as often as its share. */
    void kill(int atLeast) throws Exception {
        List<Phase> aims = new ArrayList<>(phases());
        int share = atLeast < aims.size() ? 0 : Math.max(1, atLeast / (aims.size() + 2));
        while (kills < atLeast || rarest(aims) < share) {
            assertThat(kills).as("%s", this).isLessThan(10 * atLeast);
            aims.sort((one, other) -> met.getOrDefault(one, 0) - met.getOrDefault(other, 0));
            boolean any = kills % 5 == 4;
            // a broker that is alone loses the end of a transaction that it was about to end, KAFKA-20734
            boolean mayBeKilled = guarantee != Guarantee.EXACTLY_ONCE || broker.brokers() > 1;
            boolean alsoBroker = mayBeKilled && job.killsBroker(kills);
            kill(any ? Phase.WRITE : aims.get(0), alsoBroker);
        }
    }

    private int rarest(List<Phase> aims) {
        return aims.stream().mapToInt(aim -> met.getOrDefault(aim, 0)).min().orElse(0);
    }

    /** Those that a kill aims at. */
    private Set<Phase> phases() {
        if (guarantee != Guarantee.EXACTLY_ONCE) {
            return Set.of(Phase.WRITE, Phase.FLUSH, Phase.CHECKPOINT);
        }
        return job.replaysFromTopic()
                ? Set.of(Phase.FLUSH, Phase.CHECKPOINT, Phase.BETWEEN, Phase.COMMIT)
                : Set.of(Phase.CHECKPOINT, Phase.BETWEEN, Phase.COMMIT); // a commit flushes
    }

    private Process start(Path log, Phase aim) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp"))));
        command.add("-D" + CrashJob.REPLAY_FROM_TOPIC + "=" + job.replaysFromTopic());
        command.addAll(job.options());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                job.main().getName(),
                broker.address(),
                from,
                to,
                checkpoints().toString(),
                guarantee.name(),
                String.valueOf(1 + random.nextInt(3)),
                log.toString(),
                aim.name(),
                String.valueOf(PAUSE_MS)));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output().toFile())
                .start();
    }

    private Path checkpoints() {
        return folder.resolve("checkpoints");
    }

    private Path output() {
        return folder.resolve("output");
    }

    private void kill(Phase aim, boolean alsoBroker) throws Exception {
        Path log = folder.resolve("phases-" + kills);
        Process process = start(log, aim);
        try {
            int after = 1 + random.nextInt(3);
            await(process, () -> count(log, Phase.WRITE) >= after + 1);
            if (alsoBroker) {
                killBroker(process);
            }
            int before = count(log, aim);
            if (aim == Phase.WRITE) {
                process.waitFor(random.nextInt(300), TimeUnit.MILLISECONDS);
            } else {
                await(process, () -> count(log, aim) > before);
            }
            assertThat(process.isAlive()).as("%s: %s", this, said()).isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
        kills++;
        met.merge(phase(log), 1, Integer::sum);
        if (alsoBroker) {
            broker.process().restart(); // unless it runs again
        }
    }

    /** One of several stays away at random until the job is killed, too, or for longer than the others wait for it, or not. */
    private void killBroker(Process process) throws Exception {
        broker.awaitInSync();
        process.waitFor(random.nextInt(300), TimeUnit.MILLISECONDS);
        broker.process().kill(1 + random.nextInt(broker.brokers()));
        brokerKills++;
        if (broker.brokers() == 1 || random.nextBoolean()) {
            process.waitFor(random.nextInt(broker.brokers() == 1 ? 1_000 : LONGEST_AWAY_MS), TimeUnit.MILLISECONDS);
            broker.process().restart();
        }
    }

    /** A look at a file. */
    private interface Look {
        boolean found() throws IOException;
    }

    private void await(Process process, Look look) throws IOException {
        long began = System.nanoTime();
        while (!look.found()) {
            assertThat(process.isAlive()).as("%s: %s", this, said()).isTrue();
            assertThat((System.nanoTime() - began) / 1_000_000)
                    .as("%s: waited too long: %s", this, said())
                    .isLessThan(LONGEST_MS);
            LockSupport.parkNanos(50_000);
        }
    }

    private String said() throws IOException {
        return Files.exists(output()) ? Files.readString(output()) : "";
    }

    private static List<String> lines(Path log) throws IOException {
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    private static int count(Path log, Phase phase) throws IOException {
        return (int) lines(log).stream()
                .filter(line -> line.contains(" " + phase + " "))
                .count();
    }

    /** The latest phase that a task had come to when the process died. */
    private Phase phase(Path log) throws IOException {
        long complete = newest();
        Map<String, String[]> last = new HashMap<>();
        for (String line : lines(log)) {
            last.put(line.split(" ")[0], line.split(" "));
        }
        Phase latest = Phase.WRITE;
        for (String[] line : last.values()) {
            Phase phase = Phase.valueOf(line[1]);
            if (phase == Phase.CHECKPOINT && Long.parseLong(line[2]) <= complete) {
                phase = Phase.BETWEEN;
            }
            latest = phase.compareTo(latest) > 0 ? phase : latest;
        }
        return latest;
    }

    /** Runs it, unharmed, until the results of so many numbers are there. */
    void runUntil(int numbers) throws Exception {
        Process process = start(folder.resolve("phases-last"), Phase.RESTORE);
        try {
            Set<String> found = new HashSet<>();
            try (TestBroker.Following following = broker.follow(to)) {
                while (found.size() < numbers) { // each step has its time: what is left grows with what the kills took
                    int before = found.size();
                    await(process, () -> {
                        following.poll().forEach(line -> found.add(line.substring(0, line.indexOf(','))));
                        return found.size() > before;
                    });
                }
            }
            // what comes twice would come now
            long complete = newest();
            await(process, () -> newest() > complete + 1);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** What is done while the job runs; gives a number whose result shows that the job has seen it. */
    interface Change {
        String make() throws Exception;
    }

    /** Runs it until it has seen a change, and kills it. */
    void runThrough(Change change) throws Exception {
        Path log = folder.resolve("phases-change");
        Process process = start(log, Phase.RESTORE);
        try {
            await(process, () -> count(log, Phase.WRITE) > 1);
            String number = change.make();
            try (TestBroker.Following following = broker.follow(to)) {
                await(process, () -> following.poll().stream().anyMatch(line -> line.startsWith(number + ",")));
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private long newest() throws IOException {
        return job.newestCheckpoint(checkpoints());
    }

    @Override
    public String toString() {
        return "seed " + seed + ": " + kills + " kills, " + met + ", and " + brokerKills + " of the broker";
    }
}

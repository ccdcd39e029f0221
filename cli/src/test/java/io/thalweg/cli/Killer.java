// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.SavedCheckpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts a job again and again, and kills it with SIGKILL: at random moments, while a checkpoint is being written, while
 * sinks commit. It counts what it interrupted, and may damage checkpoints while nobody runs.
 */
final class Killer {
    /** How many kills a test has. */
    static final int KILLS = Integer.getInteger("thalweg.kills", 4);

    private static final int START_MS = 60_000;
    private static final int WAIT_MS = 5_000;
    private static final Pattern CHECKPOINT = Pattern.compile("checkpoint-([0-9]+)");
    private static final Pattern PART = Pattern.compile("(\\.?)part-[0-9]+-([0-9]+)\\..*");

    private final Cli cli;
    private final Path checkpoints;
    private final Path parts;
    private final String[] command;
    private final long seed = Long.getLong("thalweg.kills.seed", System.nanoTime() & 0xffff);
    private final Random random = new Random(seed);
    private int kills;
    private int starting;
    private int ended;
    private int writing;
    private int committing;
    private int damaged;
    private int takenBack;

    /** @param parts where the job writes a directory of parts */
    Killer(Cli cli, Path checkpoints, Path parts, String... command) {
        this.cli = cli;
        this.checkpoints = checkpoints;
        this.parts = parts;
        this.command = command;
    }

    /** Kills it so often, then runs it to its end. */
    Cli.Outcome run(boolean damage) throws Exception {
        while (kills < KILLS) {
            kill(aim(), damage ? "thalweg: .* cannot be used: .*; continuing from checkpoint-[0-9]+\\R" : "");
            if (damage) {
                damage();
            }
        }
        Cli.Outcome end = cli.run(command);
        System.out.println(this);
        return end;
    }

    private enum Aim {
        START,
        ANY,
        WRITING,
        COMMITTING
    }

    /** At random, but each of them soon. */
    private Aim aim() {
        if (kills % Aim.values().length == 0) {
            Collections.shuffle(order, random);
        }
        return order.get(kills % order.size());
    }

    private final List<Aim> order = new ArrayList<>(List.of(Aim.values()));

    private void kill(Aim aim, String mayWarn) throws Exception {
        long before = newest();
        Process process = cli.start(command);
        if (aim == Aim.START) {
            process.waitFor(random.nextInt(1_000), TimeUnit.MILLISECONDS);
        } else {
            until(process, START_MS, () -> newest() > before);
            process.waitFor(random.nextInt(300), TimeUnit.MILLISECONDS);
            if (aim == Aim.WRITING) {
                until(process, WAIT_MS, () -> count(checkpoints, ".checkpoint-*") > 0);
            } else if (aim == Aim.COMMITTING) {
                until(process, WAIT_MS, this::isCommitting);
            }
        }
        boolean alive = process.isAlive();
        process.toHandle().destroyForcibly(); // leaves the pipes open
        process.waitFor();
        String error = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(error).as("%s", this).matches("(" + mayWarn + ")*");
        assertThat(alive || process.exitValue() == 0).as("%s", this).isTrue();
        kills++;
        ended += alive ? 0 : 1;
        starting += newest() == before ? 1 : 0;
        writing += count(checkpoints, ".checkpoint-*") > 0 ? 1 : 0;
        committing += isCommitting() ? 1 : 0;
    }

    /** Some parts of a complete checkpoint are not visible yet. */
    private boolean isCommitting() {
        return partsAfter(0, newest(), true) > 0;
    }

    private static void until(Process process, int atMostMs, BooleanSupplier moment) {
        long began = System.nanoTime();
        while (process.isAlive() && !moment.getAsBoolean() && System.nanoTime() - began < atMostMs * 1_000_000L) {
            LockSupport.parkNanos(20_000);
        }
    }

    /** Some of the newest, but not all. */
    private void damage() throws IOException {
        if (!Files.isDirectory(checkpoints)) {
            return; // it was killed before it made one
        }
        List<SavedCheckpoint> whole = new ArrayList<>(SavedCheckpoint.in(checkpoints));
        whole.removeIf(each -> each.stats() == null);
        int many = Math.max(0, Math.min(random.nextInt(3), whole.size() - 1));
        for (int i = 0; i < many; i++) {
            damage(whole.get(whole.size() - 1 - i).path(), random);
            damaged++;
        }
        if (many > 0) {
            long left = numberOf(whole.get(whole.size() - 1 - many).path());
            takenBack += partsAfter(left, Long.MAX_VALUE, false);
        }
    }

    /** Cuts the file off, or turns a bit round. */
    static void damage(Path file, Random random) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (random.nextBoolean()) {
            Files.write(file, Arrays.copyOf(bytes, random.nextInt(bytes.length)));
        } else {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, bytes);
        }
    }

    /** Number of the newest that has its name; 0 if there is none. */
    private long newest() {
        long newest = 0;
        for (Path each : files(checkpoints, "checkpoint-*")) {
            newest = Math.max(newest, numberOf(each));
        }
        return newest;
    }

    private static long numberOf(Path checkpoint) {
        Matcher matcher = CHECKPOINT.matcher(checkpoint.getFileName().toString());
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** Parts of checkpoints later than one and not later than another. */
    private int partsAfter(long after, long upTo, boolean hidden) {
        int count = 0;
        for (Path each : files(parts, "*")) {
            Matcher matcher = PART.matcher(each.getFileName().toString());
            if (matcher.matches() && matcher.group(1).isEmpty() != hidden) {
                long number = Long.parseLong(matcher.group(2));
                count += number > after && number <= upTo ? 1 : 0;
            }
        }
        return count;
    }

    private static int count(Path folder, String pattern) {
        return files(folder, pattern).size();
    }

    private static List<Path> files(Path folder, String pattern) {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
                files.forEach(found::add);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
        return found;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "seed %d: %d kills: %d before the first checkpoint since the start, %d with one half-written,"
                        + " %d with parts to commit, %d after the end; %d checkpoints damaged, %d parts to take back",
                seed,
                kills,
                starting,
                writing,
                committing,
                ended,
                damaged,
                takenBack);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.tune.Choice;
import io.thalweg.files.input.ByteInput;
import io.thalweg.run.CacheFolder;
import io.thalweg.run.Runner;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was withdrawn for a job on this machine, in a file of the user's cache. It holds as long as the job's file, its settings, the
 * goal, Thalweg, Java and the machine are the same. Only one process at a time has it. For one thread.
 */
public final class Withdrawals implements AutoCloseable {
    private static final int VERSION = 1;
    private static final int NAME_LENGTH = 16;

    private final @Nullable Path file;
    private final @Nullable Closeable lock;
    private final String circumstances;
    private final List<Choice> choices = new ArrayList<>();

    /**
     * What is in the file.
     *
     * @param job its path, for people
     * @param circumstances under which the choices were withdrawn
     */
    record Kept(int version, String job, String circumstances, List<Choice> withdrawn) {}

    private Withdrawals(@Nullable Path file, @Nullable Closeable lock, String circumstances) {
        this.file = file;
        this.lock = lock;
        this.circumstances = circumstances;
    }

    /**
     * Opens what is known of a job.
     *
     * @param job its file
     * @param road that it is tuned on, by its name: each has its own
     * @param circumstances all that matters beside the contents of that file
     * @throws ConnectorException if another process tunes this job
     */
    public static Withdrawals open(Path job, String road, String circumstances) {
        Path real = job.toAbsolutePath().normalize();
        String hash = hash(real.toString().getBytes(StandardCharsets.UTF_8));
        return in(CacheFolder.ofTuning(hash.substring(0, NAME_LENGTH)), job, road, circumstances);
    }

    /** @param folder of the job; null if there is no place for one */
    static Withdrawals in(@Nullable Path folder, Path job, String road, String circumstances) {
        String all;
        try {
            all = "contents " + hash(Files.readAllBytes(job)) + ", " + circumstances;
        } catch (IOException e) {
            throw new ConnectorException(job + " cannot be read: " + ByteInput.reason(e), e);
        }
        if (folder == null) {
            return new Withdrawals(null, null, all);
        }
        try {
            CacheFolder.ownerOnly(folder);
            Closeable lock = CacheFolder.lock(
                    folder,
                    "another process tunes " + job + " just now, and both would measure each other; wait for it");
            String name = road.equals(Runner.EMBEDDED) ? "withdrawn.json" : "withdrawn-" + road + ".json";
            Withdrawals opened = new Withdrawals(folder.resolve(name), lock, all);
            opened.read();
            return opened;
        } catch (IOException e) {
            return new Withdrawals(null, null, all); // a cache that cannot be written is none
        }
    }

    private void read() {
        if (file == null || !Files.isRegularFile(file)) {
            return;
        }
        try {
            Kept kept = RecordJson.read(Files.readAllBytes(file), Kept.class);
            if (kept.version() == VERSION && kept.circumstances().equals(circumstances)) {
                choices.addAll(kept.withdrawn());
            }
        } catch (IOException e) {
            choices.clear(); // of another version, or damaged: it can be found out again
        }
    }

    /** Those of earlier calls, and those that were added. */
    public List<Choice> choices() {
        return List.copyOf(choices);
    }

    /** Where they are; null if there is no place for them. */
    public @Nullable Path file() {
        return file;
    }

    /** Remembers one more. */
    public void add(Choice choice, Path job) {
        choices.add(choice);
        if (file == null) {
            return;
        }
        try {
            Path unfinished = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(
                    unfinished,
                    RecordJson.text(new Kept(VERSION, job.toAbsolutePath().toString(), circumstances, choices)));
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new ConnectorException(file + " cannot be written: " + ByteInput.reason(e), e);
        }
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    @Override
    public void close() {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            return; // it is given back when the process ends
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkContext;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A sink's right to its output: one sink of one run has it at a time. All processes of the run share a lock on a file beside the
 * output, and another file names the run, so that a run that lost the output notices before it changes anything (fencing).
 *
 * <p>Two bytes are locked: the first by whoever is just taking or giving up the output, the second by all who have it. The
 * operating system drops the locks of a process that was killed; it also drops them if the process closes the lock file once,
 * however often it is open. So each JVM opens it once, and counts.
 */
final class Ownership {
    private static final long GATE = 0;
    private static final long ALIVE = 1;
    private static final int MOST_TRIES = 1_000;

    /** What this JVM holds, under this key of the system properties: job class loaders have a copy of this class each. */
    private static final String HELD = "io.thalweg.files.output.held";

    private final String key;
    private final String owner;
    private final String output;
    private final Path lock;
    private final Path record;
    private final OwnerRecord own;
    private boolean released;

    private Ownership(String key, String owner, String output, Path lock, Path record, OwnerRecord own) {
        this.key = key;
        this.owner = owner;
        this.output = output;
        this.lock = lock;
        this.record = record;
        this.own = own;
    }

    /** Looks at what is there, and clears away what nobody counts on. */
    interface Beginning {
        /**
         * Called once a run that does not continue from a checkpoint, while nobody else has the output.
         *
         * @param completed a checkpoint of an earlier run needs hidden files
         */
        void begin(boolean completed) throws IOException;
    }

    /** Of a directory of parts, which is there. */
    static Ownership ofDirectory(Path directory, SinkContext context, Beginning beginning) throws IOException {
        return of(directory.toRealPath(), ".", directory.toString(), context, beginning);
    }

    /** Of a file in a directory that is there. */
    static Ownership ofFile(Path place, SinkContext context, Beginning beginning) throws IOException {
        Path absolute = place.toAbsolutePath();
        Path directory = absolute.getParent();
        if (directory == null) {
            throw new FileSystemException(place.toString(), null, "it is not a file");
        }
        return of(directory.toRealPath(), "." + absolute.getFileName() + ".", place.toString(), context, beginning);
    }

    private static Ownership of(Path directory, String prefix, String output, SinkContext context, Beginning beginning)
            throws IOException {
        Path lock = directory.resolve(prefix + "lock");
        Path record = directory.resolve(prefix + "owner");
        String owner = (context.run() + " " + context.operator()).replaceAll("\\R", " ");
        Map<String, Map<String, Object>> all = held();
        synchronized (all) {
            Map<String, Object> held = all.get(lock.toString());
            if (held == null) {
                held = taken(lock, record, owner, output, context, beginning);
                all.put(lock.toString(), held);
            } else if (!owner.equals(held.get("owner"))) {
                throw inUse(output, String.valueOf(held.get("owner")), owner);
            }
            held.merge("count", 1, (count, one) -> (Integer) count + (Integer) one);
            Ownership made = null;
            try {
                OwnerRecord own = OwnerRecord.read(record);
                if (own == null || !own.owner().equals(owner)) {
                    throw lost(output, own);
                }
                made = new Ownership(lock.toString(), owner, output, lock, record, own);
                return made;
            } finally {
                if (made == null) {
                    letGo(all, lock.toString(), lock, record, owner, false);
                }
            }
        }
    }

    @SuppressWarnings("unchecked") // of JDK classes only, whoever put it there
    private static Map<String, Map<String, Object>> held() {
        Properties properties = System.getProperties();
        synchronized (properties) {
            Object known = properties.get(HELD);
            if (known == null) {
                known = new HashMap<String, Map<String, Object>>();
                properties.put(HELD, known);
            }
            return (Map<String, Map<String, Object>>) known;
        }
    }

    private static Map<String, Object> taken(
            Path lock, Path record, String owner, String output, SinkContext context, Beginning beginning)
            throws IOException {
        Gate gate = Gate.pass(lock);
        boolean taken = false;
        try {
            FileLock alone = gate.file.tryLock(ALIVE, 1, false);
            OwnerRecord earlier = OwnerRecord.read(record);
            boolean sameRun = earlier != null && earlier.owner().equals(owner);
            if (alone == null && !sameRun) {
                throw inUse(output, earlier == null ? "" : earlier.owner(), owner);
            }
            if (alone != null) {
                if (!sameRun) {
                    claim(record, earlier, owner, context, beginning);
                }
                alone.release();
            }
            Map<String, Object> held = new HashMap<>();
            held.put("owner", owner);
            held.put("count", 0);
            held.put("file", gate.file);
            held.put("alive", gate.file.lock(ALIVE, 1, true));
            gate.lock.release();
            taken = true;
            return held;
        } finally {
            if (!taken) {
                gate.file.close();
            }
        }
    }

    private static void claim(
            Path record, @Nullable OwnerRecord earlier, String owner, SinkContext context, Beginning beginning)
            throws IOException {
        boolean goesOn = context.checkpoint() > 0;
        if (!goesOn) {
            beginning.begin(earlier != null && earlier.completed());
        }
        String name = Pattern.quote(String.valueOf(record.getFileName()));
        Pattern left = Pattern.compile(name + "\\." + Temporaries.RANDOM + "\\.tmp");
        for (Path temporary :
                Temporaries.list(record.getParent(), each -> left.matcher(each).matches())) {
            Files.delete(temporary);
        }
        new OwnerRecord(
                        owner,
                        earlier == null ? 1 : earlier.epoch() + 1,
                        goesOn && earlier != null ? earlier.begun() : owner,
                        goesOn && earlier != null && earlier.completed())
                .write(record);
    }

    /** The lock file, opened and locked at its first byte. */
    private record Gate(FileChannel file, FileLock lock) {
        /** Whoever gives up the output last removes the file, so the lock counts only if the file still has its name. */
        static Gate pass(Path path) throws IOException {
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                try {
                    if (!Fingerprint.isThere(path, LinkOption.NOFOLLOW_LINKS)) {
                        Files.createFile(path);
                    }
                    String before = Fingerprint.key(path);
                    FileChannel file = FileChannel.open(
                            path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                    Gate passed = pass(path, before, file);
                    if (passed != null) {
                        return passed;
                    }
                } catch (FileAlreadyExistsException | NoSuchFileException e) {
                    // another process has just made or removed it
                }
            }
            throw new FileSystemException(
                    path.toString(), null, path + " keeps appearing and disappearing; is it removed in a loop?");
        }

        private static @Nullable Gate pass(Path path, String before, FileChannel file) throws IOException {
            boolean passed = false;
            try {
                FileLock lock = file.lock(GATE, 1, false);
                passed = before.equals(Fingerprint.key(path));
                return passed ? new Gate(file, lock) : null;
            } finally {
                if (!passed) {
                    file.close();
                }
            }
        }
    }

    private static ConnectorException inUse(String output, String other, String owner) {
        boolean sameJob = run(other).equals(run(owner));
        String who = sameJob ? "operator '" + operator(other) + "' of this job" : "another job";
        return new ConnectorException(who + " writes to " + output + "; give each sink an output of its own"
                + (sameJob || other.isEmpty() ? "" : ", or wait until that run has ended (" + run(other) + ")"));
    }

    private static String run(String owner) {
        return owner.substring(0, Math.max(0, owner.indexOf(' ')));
    }

    private static String operator(String owner) {
        return owner.substring(owner.indexOf(' ') + 1);
    }

    private static FileSystemException lost(String output, @Nullable OwnerRecord now) {
        String how = now == null ? "its owner file was removed" : "the run " + run(now.owner()) + " took it over";
        return new FileSystemException(
                output,
                null,
                "this job no longer owns it: " + how
                        + "; nothing more was published, and hidden files stay. Stop the other job, then restore"
                        + " a checkpoint");
    }

    /** The run that began the output; those that continue from its checkpoints keep it. */
    String begun() {
        return own.begun();
    }

    /**
     * Called before anything is renamed, cut off or removed.
     *
     * @throws IOException if another run has the output by now
     */
    void check() throws IOException {
        OwnerRecord now = OwnerRecord.read(record);
        if (now == null || !now.owner().equals(owner) || now.epoch() != own.epoch()) {
            throw lost(output, now);
        }
    }

    /** A checkpoint is complete that counts on what is hidden: a run that begins again must not clear it away. */
    void completed() throws IOException {
        Map<String, Map<String, Object>> all = held();
        synchronized (all) {
            Map<String, Object> held = all.get(key);
            if (held != null && held.get("completed") == null) {
                check();
                new OwnerRecord(owner, own.epoch(), own.begun(), true).write(record);
                held.put("completed", true);
            }
        }
    }

    /** Gives a hidden file the permissions that any new file has here. */
    void permit(Path hidden) throws IOException {
        if (Temporaries.hasPermissions(hidden)) {
            Set<PosixFilePermission> ordinary = Files.getPosixFilePermissions(record, LinkOption.NOFOLLOW_LINKS);
            Files.setPosixFilePermissions(hidden, ordinary);
        }
    }

    /**
     * Gives up the output.
     *
     * @param clean true if nothing hidden is left that somebody counts on
     */
    void release(boolean clean) throws IOException {
        if (released) {
            return;
        }
        released = true;
        Map<String, Map<String, Object>> all = held();
        synchronized (all) {
            letGo(all, key, lock, record, owner, clean);
        }
    }

    private static void letGo(
            Map<String, Map<String, Object>> all, String key, Path lock, Path record, String owner, boolean clean)
            throws IOException {
        Map<String, Object> held = all.get(key);
        if (held == null) {
            return;
        }
        int left = (Integer) held.merge("count", -1, (count, one) -> (Integer) count + (Integer) one);
        if (!clean) {
            held.put("keep", true);
        }
        if (left > 0) {
            return;
        }
        all.remove(key);
        if (held.get("file") instanceof FileChannel file && held.get("alive") instanceof FileLock alive) {
            try (file) {
                if (held.get("keep") == null) {
                    remove(file, alive, lock, record, owner);
                }
            }
        }
    }

    /** Unless another process of the run has the output still, or another run took it over. */
    private static void remove(FileChannel file, FileLock alive, Path lock, Path record, String owner)
            throws IOException {
        FileLock gate = file.lock(GATE, 1, false);
        alive.release();
        FileLock alone = file.tryLock(ALIVE, 1, false);
        OwnerRecord now = OwnerRecord.read(record);
        if (gate.isValid() && alone != null && now != null && now.owner().equals(owner)) {
            Files.deleteIfExists(record);
            Files.deleteIfExists(lock);
        }
    }
}

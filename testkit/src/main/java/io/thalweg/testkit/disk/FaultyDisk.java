// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.disk;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory with the minimal guarantees of POSIX: the contents of a file are safe after an fsync of the file, a
 * name is safe
 * after an fsync of its directory, and a rename within a directory is atomic. Anything else may be lost on power loss,
 * and later
 * changes may survive without earlier ones. It is mounted at {@link #MOUNT} in a JVM that was started with
 *
 * <pre>-Djava.nio.file.spi.DefaultFileSystemProvider=io.thalweg.testkit.disk.FaultyProvider</pre>
 *
 * and is used so, one disk a JVM; any thread may call:
 *
 * <pre>{@code
 * FaultyDisk disk = FaultyDisk.mounted();
 * disk.format(seed);
 * disk.losePowerAt(17);            // the 17th call fails, and so do all that follow
 * runJob(disk.root());             // ends in an IOException
 * disk.restart();                  // what survived is there
 * runJob(disk.root());             // continues
 * }</pre>
 */
public final class FaultyDisk {
    /** Paths that begin so lie on the disk; no such directory may exist in the system. */
    public static final String MOUNT = "/thalweg-faulty-disk";

    private static final int REMEMBERED_CALLS = 40;

    static final FaultyDisk DISK = new FaultyDisk();

    private final Set<Long> failing = new TreeSet<>();
    private final Deque<String> log = new ArrayDeque<>();
    private Random random = new Random(0);
    private DiskNode root = DiskNode.directory(0);
    private long nodes = 1;
    private long calls;
    private long powerLossAt = Long.MAX_VALUE;
    private boolean off;
    private boolean shortWrites;
    private long capacity = Long.MAX_VALUE;
    private long boots;
    private @Nullable String hit;

    /** Where the code under test fsyncs, renames and deletes: {@code fsync in OutputFile.finish:285, called by TextOutput.finish:142}. */
    private final SortedSet<String> sites = new TreeSet<>();

    private @Nullable String skipped;
    private Consumer<Path> onRename = to -> {};

    private FaultyDisk() {}

    /** @throws IllegalStateException if the JVM was started without the disk */
    public static FaultyDisk mounted() {
        if (!(FileSystems.getDefault().provider() instanceof FaultyProvider)) {
            throw new IllegalStateException("start this JVM with -Djava.nio.file.spi.DefaultFileSystemProvider="
                    + FaultyProvider.class.getName());
        }
        return DISK;
    }

    /** The directory that is the disk. */
    public Path root() {
        return Path.of(MOUNT);
    }

    /**
     * Empties the disk and removes all faults.
     *
     * @param seed decides what survives a power loss, and where writes are torn
     */
    public synchronized void format(long seed) {
        random = new Random(seed);
        root = DiskNode.directory(0);
        nodes = 1;
        boots++;
        shortWrites = false;
        capacity = Long.MAX_VALUE;
        onRename = to -> {};
        heal();
    }

    /** Removes faults that have not been hit, and restarts counting calls at 0. */
    public synchronized void heal() {
        failing.clear();
        log.clear();
        calls = 0;
        powerLossAt = Long.MAX_VALUE;
        off = false;
        hit = null;
    }

    /** Makes one call fail, counted from 1 since {@link #format} or {@link #heal}. */
    public synchronized void failCall(long call) {
        failing.add(call);
    }

    /** Makes a call, and all that follow it, fail. */
    public synchronized void losePowerAt(long call) {
        powerLossAt = call;
    }

    /** Lets a write take only a part of its bytes, as systems may do. */
    public synchronized void writeShort() {
        shortWrites = true;
    }

    /** Bytes in all files beyond which the disk is full. */
    public synchronized void capacity(long bytes) {
        capacity = bytes;
    }

    /**
     * Makes an fsync, a rename or a deletion do nothing, wherever it is called from this site: what a test must notice.
     *
     * @param site one of {@link #sites}; null for none
     */
    public synchronized void skip(@Nullable String site) {
        skipped = site;
    }

    /** Calls a reader each time that something has got its name, before the renaming call returns. */
    public synchronized void onRename(Consumer<Path> reader) {
        onRename = reader;
    }

    synchronized void renamed(Path to) {
        onRename.accept(to);
    }

    /** Where fsyncs, renames and deletions were called from since this JVM began. */
    public synchronized SortedSet<String> sites() {
        return new TreeSet<>(sites);
    }

    /** Records the call site; true if the call must do nothing. */
    synchronized boolean skips(String what) {
        List<String> callers = StackWalker.getInstance()
                .walk(frames -> frames.filter(FaultyDisk::isUnderTest)
                        .limit(2)
                        .map(each -> each.getClassName()
                                        .substring(each.getClassName().lastIndexOf('.') + 1) + "."
                                + each.getMethodName() + ":" + each.getLineNumber())
                        .toList());
        String site = what + " in " + String.join(", called by ", callers);
        sites.add(site);
        return site.equals(skipped);
    }

    private static boolean isUnderTest(StackWalker.StackFrame frame) {
        return frame.getClassName().startsWith("io.thalweg.")
                && !frame.getClassName().startsWith(FaultyDisk.class.getPackageName() + ".");
    }

    /** Calls since {@link #format} or {@link #heal}. */
    public synchronized long calls() {
        return calls;
    }

    /** The call that the last fault hit, with its number; null if none was hit. */
    public synchronized @Nullable String hit() {
        return hit;
    }

    /** The last calls, one a line, for messages. */
    public synchronized String lastCalls() {
        return String.join("\n", log);
    }

    /** After a power loss, or instead of one: whatever was not fsynced survives or not, and all that was open is closed. */
    public synchronized void restart() {
        boots++;
        root.losePower(random);
        heal();
    }

    /** The process is gone and the system is not: nothing is lost, but all that was open is closed. */
    public synchronized void kill() {
        boots++;
        heal();
    }

    /** Changes when what was open is not open any more. */
    synchronized long boots() {
        return boots;
    }

    /** Counts a call, and fails it if it is its turn. */
    synchronized void call(String what, Path path) throws IOException {
        calls++;
        String told = calls + " " + what + " " + path;
        log.addLast(told);
        if (log.size() > REMEMBERED_CALLS) {
            log.removeFirst();
        }
        if (off || calls >= powerLossAt) {
            if (!off) {
                hit = told;
            }
            off = true;
            throw new FileSystemException(path.toString(), null, "the power is off (call " + told + ")");
        }
        if (failing.contains(calls)) {
            hit = told;
            throw new FileSystemException(path.toString(), null, "Input/output error (call " + told + ")");
        }
    }

    synchronized DiskNode find(Path path) throws IOException {
        DiskNode node = root;
        Path within = within(path);
        for (Path name : within) {
            DiskNode next = name.toString().isEmpty() ? node : node.entry(name.toString());
            if (next == null) {
                throw new NoSuchFileException(path.toString());
            }
            node = next;
        }
        return node;
    }

    private static Path within(Path path) {
        return Path.of(MOUNT).relativize(path.toAbsolutePath().normalize());
    }

    private DiskNode parent(Path path) throws IOException {
        Path parent = path.toAbsolutePath().normalize().getParent();
        if (parent == null || !parent.startsWith(MOUNT)) {
            throw new FileSystemException(path.toString(), null, "the mount point itself stays");
        }
        DiskNode node = find(parent);
        if (!node.isDirectory()) {
            throw new NotDirectoryException(parent.toString());
        }
        return node;
    }

    private static String name(Path path) {
        return String.valueOf(path.toAbsolutePath().normalize().getFileName());
    }

    synchronized DiskNode create(Path path, boolean directory, Set<String> permissions) throws IOException {
        DiskNode parent = parent(path);
        if (parent.entry(name(path)) != null) {
            throw new FileAlreadyExistsException(path.toString());
        }
        DiskNode made = directory ? DiskNode.directory(nodes++) : DiskNode.file(nodes++);
        made.permissions(permissions);
        parent.put(name(path), made);
        return made;
    }

    synchronized void delete(Path path) throws IOException {
        DiskNode node = find(path);
        if (node.isDirectory() && !node.names().isEmpty()) {
            throw new DirectoryNotEmptyException(path.toString());
        }
        parent(path).remove(name(path));
    }

    synchronized void move(Path from, Path to, boolean replace) throws IOException {
        DiskNode node = find(from);
        DiskNode source = parent(from);
        DiskNode target = parent(to);
        DiskNode there = target.entry(name(to));
        if (there == node) {
            return;
        }
        if (there != null && !replace) {
            throw new FileAlreadyExistsException(to.toString());
        }
        if (there != null && there.isDirectory()) {
            throw new FileSystemException(to.toString(), null, "Is a directory");
        }
        if (source == target) {
            source.rename(name(from), name(to));
        } else {
            target.put(name(to), node);
            source.remove(name(from));
        }
    }

    synchronized List<String> list(Path path) throws IOException {
        DiskNode node = find(path);
        if (!node.isDirectory()) {
            throw new NotDirectoryException(path.toString());
        }
        return new ArrayList<>(node.names());
    }

    /** Takes as many bytes as there is room for, or as it pleases. */
    synchronized int write(DiskNode node, Path path, byte[] bytes, long at) throws IOException {
        long used = root.bytes();
        long room = capacity - used + Math.max(0, node.size() - at);
        int length = bytes.length;
        if (room < length) {
            length = (int) Math.max(0, room);
            if (length == 0) {
                throw new FileSystemException(path.toString(), null, "No space left on device");
            }
        } else if (shortWrites && length > 1) {
            length = 1 + random.nextInt(length);
        }
        node.write(Arrays.copyOf(bytes, length), at);
        return length;
    }
}

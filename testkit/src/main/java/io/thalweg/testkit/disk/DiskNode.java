// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.disk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory of a {@link FaultyDisk}: its contents, the part that is safe, and the changes since its last
 * fsync. Guarded by the disk.
 */
final class DiskNode {
    private final long id;
    private final boolean directory;
    private Set<String> permissions = Set.of();
    private long changes;

    // A file.
    private byte[] bytes = {};
    private byte[] safeBytes = {};
    private final List<Write> writes = new ArrayList<>();

    // A directory.
    private Map<String, DiskNode> names = new TreeMap<>();
    private Map<String, DiskNode> safeNames = new TreeMap<>();
    private final List<Naming> namings = new ArrayList<>();

    /** @param bytes null if the file was cut at {@code at} */
    private record Write(long at, byte @Nullable [] bytes) {}

    /** One atomic change of a directory: a name goes, another one comes, or both. */
    private record Naming(
            @Nullable String gone,
            @Nullable String came,
            @Nullable DiskNode node) {}

    private DiskNode(long id, boolean directory) {
        this.id = id;
        this.directory = directory;
    }

    static DiskNode file(long id) {
        return new DiskNode(id, false);
    }

    static DiskNode directory(long id) {
        return new DiskNode(id, true);
    }

    long id() {
        return id;
    }

    boolean isDirectory() {
        return directory;
    }

    Set<String> permissions() {
        return permissions;
    }

    void permissions(Set<String> granted) {
        permissions = Set.copyOf(granted);
    }

    /** Grows with every change; stands in for the time of the last one. */
    long changes() {
        return changes;
    }

    long size() {
        return bytes.length;
    }

    /** In this file, or in all files below this directory. */
    long bytes() {
        long sum = bytes.length;
        for (DiskNode each : names.values()) {
            sum += each.bytes();
        }
        return sum;
    }

    byte[] read(long at, int length) {
        int from = (int) Math.min(at, bytes.length);
        return Arrays.copyOfRange(bytes, from, (int) Math.min((long) from + length, bytes.length));
    }

    void write(byte[] written, long at) {
        bytes = with(bytes, new Write(at, written));
        writes.add(new Write(at, written));
        changes++;
    }

    void truncate(long length) {
        if (length < bytes.length) {
            bytes = with(bytes, new Write(length, null));
            writes.add(new Write(length, null));
            changes++;
        }
    }

    private static byte[] with(byte[] before, Write write) {
        if (write.bytes == null) {
            return Arrays.copyOf(before, (int) write.at);
        }
        int end = (int) write.at + write.bytes.length;
        byte[] after = Arrays.copyOf(before, Math.max(before.length, end));
        System.arraycopy(write.bytes, 0, after, (int) write.at, write.bytes.length);
        return after;
    }

    @Nullable DiskNode entry(String name) {
        return names.get(name);
    }

    SortedSet<String> names() {
        return new TreeSet<>(names.keySet());
    }

    void put(String name, DiskNode node) {
        name(new Naming(null, name, node));
    }

    void remove(String name) {
        name(new Naming(name, null, null));
    }

    void rename(String from, String to) {
        name(new Naming(from, to, names.get(from)));
    }

    private void name(Naming naming) {
        apply(names, naming);
        namings.add(naming);
        changes++;
    }

    private static void apply(Map<String, DiskNode> names, Naming naming) {
        if (naming.gone != null) {
            names.remove(naming.gone);
        }
        if (naming.came != null && naming.node != null) {
            names.put(naming.came, naming.node);
        }
    }

    /** An fsync: the current contents are safe. */
    void sync() {
        safeBytes = bytes;
        writes.clear();
        safeNames = new TreeMap<>(names);
        namings.clear();
    }

    /** A power loss: keeps what is safe, and some of the changes since. */
    void losePower(Random random) {
        for (Naming each : survivors(namings, random)) {
            apply(safeNames, each);
        }
        names = new TreeMap<>(safeNames);
        for (Write each : survivors(writes, random)) {
            safeBytes = with(safeBytes, torn(each, random));
        }
        bytes = safeBytes;
        writes.clear();
        namings.clear();
        for (DiskNode each : names.values()) {
            each.losePower(random);
        }
    }

    private static Write torn(Write write, Random random) {
        if (write.bytes == null || random.nextInt(4) > 0) {
            return write;
        }
        return new Write(write.at, Arrays.copyOf(write.bytes, random.nextInt(write.bytes.length + 1)));
    }

    /** None of them, all, those before one, those behind one, or any. */
    private static <E> List<E> survivors(List<E> all, Random random) {
        int one = random.nextInt(all.size() + 1);
        int kind = random.nextInt(5);
        if (kind < 4) {
            int from = kind == 3 ? one : 0;
            int to = kind == 0 ? 0 : kind == 2 ? one : all.size();
            return List.copyOf(all.subList(from, to));
        }
        List<E> some = new ArrayList<>(all);
        some.removeIf(each -> random.nextBoolean());
        return some;
    }
}

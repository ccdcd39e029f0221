// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Compiled jobs on disk, so that a later start needs no compiler: one file for each job, class path and Java. It holds
 * the sources too and serves only while they are what they were, byte for byte. A file that is damaged, or a folder that
 * cannot be written, costs a compilation and nothing else.
 */
final class CompileCache {
    private static final int FORMAT = 0x54484C01;
    private static final int CHECKSUM_BYTES = Long.BYTES;
    private static final long KEPT_UNUSED_MS = 30L * 24 * 60 * 60 * 1000;

    private final Path folder;

    CompileCache(Path folder) {
        this.folder = folder;
    }

    /** All that a compilation depends on besides the sources' contents. */
    static String key(Path job, List<Path> libraries) {
        StringBuilder key = new StringBuilder();
        key.append(job.toAbsolutePath().normalize()).append('\n');
        key.append(System.getProperty("java.vm.vendor")).append(' ').append(Runtime.version());
        List<Path> elements = new ArrayList<>();
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
            elements.add(Path.of(element));
        }
        if (elements.size() == 1 && Files.isRegularFile(elements.get(0))) {
            elements = new ArrayList<>(siblings(elements.get(0))); // java -jar: the manifest names the jars beside it
        }
        elements.addAll(libraries);
        elements.forEach(element -> appendState(element, key));
        return key.toString();
    }

    @Nullable CompiledJob find(String key) {
        try {
            CompiledJob kept = decode(Files.readAllBytes(file(key)), key);
            for (CompiledJob.Source source : kept.sources()) {
                if (!Arrays.equals(source.bytes(), Files.readAllBytes(Path.of(source.path())))) {
                    return null;
                }
            }
            return kept;
        } catch (IOException | RuntimeException e) {
            return null; // absent, damaged, or a source is gone: compile
        }
    }

    void keep(String key, CompiledJob job) {
        try {
            ownFolder(folder);
            Path written = Files.createTempFile(folder, "new", ".tmp");
            try {
                Files.write(written, encode(key, job));
                Files.move(written, file(key), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(written);
            }
            removeOld(Files.getLastModifiedTime(file(key)).toMillis());
        } catch (IOException | SecurityException e) {
            return; // without a cache the job runs nevertheless
        }
    }

    /** For its owner only, as the files in it are: they hold the job's sources. */
    static Path ownFolder(Path folder) throws IOException {
        if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return Files.createDirectories(folder);
        }
        Set<PosixFilePermission> ownerOnly = PosixFilePermissions.fromString("rwx------");
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(ownerOnly));
        if (!Files.getPosixFilePermissions(folder).equals(ownerOnly)) { // made by an older version
            Files.setPosixFilePermissions(folder, ownerOnly);
        }
        return folder;
    }

    private Path file(String key) {
        CRC32 low = new CRC32();
        low.update(key.getBytes(StandardCharsets.UTF_8));
        return folder.resolve(String.format("%08x%08x.job", key.hashCode(), low.getValue()));
    }

    private void removeOld(long nowMs) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.{job,libraries,tmp}")) {
            for (Path file : files) {
                if (Files.getLastModifiedTime(file).toMillis() < nowMs - KEPT_UNUSED_MS) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static List<Path> siblings(Path jar) {
        try (Stream<Path> beside = Files.list(jar.toAbsolutePath().getParent())) {
            return beside.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of(jar);
        }
    }

    /** A jar by its size and time; a folder of classes by the newest of all that lies in it. */
    private static void appendState(Path element, StringBuilder key) {
        key.append('\n').append(element);
        try (Stream<Path> files = Files.walk(element)) {
            long[] state = new long[3];
            for (Path file : (Iterable<Path>) files::iterator) {
                state[0]++;
                state[1] += Files.size(file);
                state[2] = Math.max(state[2], Files.getLastModifiedTime(file).toMillis());
            }
            key.append(' ').append(Arrays.toString(state));
        } catch (IOException e) {
            key.append(" absent");
        }
    }

    private static byte[] encode(String key, CompiledJob job) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(FORMAT);
        write(out, key.getBytes(StandardCharsets.UTF_8));
        out.writeInt(job.sources().size());
        for (CompiledJob.Source source : job.sources()) {
            out.writeUTF(source.path());
            write(out, source.bytes());
        }
        out.writeInt(job.classes().size());
        for (CompiledJob.ClassFile type : job.classes()) {
            out.writeUTF(type.name());
            out.writeBoolean(type.ofJob());
            write(out, type.bytes());
        }
        out.writeLong(checksum(bytes.toByteArray(), bytes.size()));
        return bytes.toByteArray();
    }

    private static CompiledJob decode(byte[] bytes, String key) throws IOException {
        int length = bytes.length - CHECKSUM_BYTES;
        if (length < 0 || ByteBuffer.wrap(bytes).getLong(length) != checksum(bytes, length)) {
            throw new IOException("damaged");
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 0, length));
        if (in.readInt() != FORMAT || !new String(read(in), StandardCharsets.UTF_8).equals(key)) {
            throw new IOException("of another version, or for another job");
        }
        List<CompiledJob.Source> sources = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            sources.add(new CompiledJob.Source(in.readUTF(), read(in)));
        }
        List<CompiledJob.ClassFile> classes = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
            classes.add(new CompiledJob.ClassFile(in.readUTF(), in.readBoolean(), read(in)));
        }
        return new CompiledJob(sources, classes);
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] read(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }

    private static long checksum(byte[] bytes, int length) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes, 0, length);
        return checksum.getValue();
    }
}

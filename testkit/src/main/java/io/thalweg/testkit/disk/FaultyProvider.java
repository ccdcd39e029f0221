// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for a JVM's default file system: what lies below {@link FaultyDisk#MOUNT} is on that disk, all else where it was. A
 * JVM makes it by itself when it is told to (see {@link FaultyDisk}).
 */
public final class FaultyProvider extends FileSystemProvider {
    private final FileSystemProvider system;
    private final FaultyFileSystem fileSystem;
    private final FaultyDisk disk = FaultyDisk.DISK;

    /** @param system the provider that the JVM would have used */
    public FaultyProvider(FileSystemProvider system) {
        this.system = system;
        fileSystem = new FaultyFileSystem(this, system.getFileSystem(URI.create("file:///")));
    }

    private static boolean onDisk(Path path) {
        return path instanceof FaultyPath faulty && faulty.isOnDisk();
    }

    private static Path system(Path path) {
        return FaultyPath.system(path);
    }

    @Override
    public String getScheme() {
        return system.getScheme();
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) throws IOException {
        return system.newFileSystem(uri, environment);
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return fileSystem;
    }

    @Override
    public Path getPath(URI uri) {
        return new FaultyPath(fileSystem, system.getPath(uri));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return onDisk(path)
                ? newFileChannel(path, options, attributes)
                : system.newByteChannel(system(path), options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        if (!onDisk(path)) {
            return system.newFileChannel(system(path), options, attributes);
        }
        synchronized (disk) {
            disk.call("open" + options, path);
            boolean append = options.contains(StandardOpenOption.APPEND);
            boolean writes = append || options.contains(StandardOpenOption.WRITE);
            DiskNode node;
            try {
                node = disk.find(path);
                if (writes && options.contains(StandardOpenOption.CREATE_NEW)) {
                    throw new FileAlreadyExistsException(path.toString());
                }
            } catch (NoSuchFileException e) {
                if (!writes
                        || !(options.contains(StandardOpenOption.CREATE)
                                || options.contains(StandardOpenOption.CREATE_NEW))) {
                    throw e;
                }
                node = disk.create(path, false, permissions(attributes));
            }
            if (writes && options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
                node.truncate(0);
            }
            return new FaultyChannel(disk, node, path, writes, append);
        }
    }

    private static Set<String> permissions(FileAttribute<?>... attributes) {
        Set<String> granted = new TreeSet<>();
        for (FileAttribute<?> each : attributes) {
            if (each.name().equals("posix:permissions") && each.value() instanceof Set<?> values) {
                values.forEach(value -> granted.add(String.valueOf(value)));
            }
        }
        return granted;
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        List<Path> paths = new ArrayList<>();
        if (onDisk(directory)) {
            disk.call("open directory", directory);
            for (String name : disk.list(directory)) {
                paths.add(directory.resolve(name));
            }
        } else {
            try (DirectoryStream<Path> all = system.newDirectoryStream(system(directory), each -> true)) {
                all.forEach(each -> paths.add(new FaultyPath(fileSystem, each)));
            }
        }
        List<Path> accepted = new ArrayList<>();
        for (Path path : paths) {
            if (filter.accept(path)) {
                accepted.add(path);
            }
        }
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return new Listing(directory, accepted.iterator());
            }

            @Override
            public void close() {}
        };
    }

    /** The system reads a directory as one goes through it, and has no other way to say that it fails. */
    private final class Listing implements Iterator<Path> {
        private final Path directory;
        private final Iterator<Path> found;
        private boolean read;

        Listing(Path directory, Iterator<Path> found) {
            this.directory = directory;
            this.found = found;
        }

        @Override
        public boolean hasNext() {
            try {
                if (!read && onDisk(directory)) {
                    disk.call("list", directory);
                }
            } catch (IOException e) {
                throw new DirectoryIteratorException(e);
            } finally {
                read = true;
            }
            return found.hasNext();
        }

        @Override
        public Path next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return found.next();
        }
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        if (onDisk(directory)) {
            disk.call("make directory", directory);
            disk.create(directory, true, permissions(attributes));
        } else {
            system.createDirectory(system(directory), attributes);
        }
    }

    @Override
    public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes) throws IOException {
        if (onDisk(link)) {
            throw new UnsupportedOperationException("the faulty disk has no links");
        }
        system.createSymbolicLink(system(link), system(target), attributes);
    }

    @Override
    public Path readSymbolicLink(Path link) throws IOException {
        return new FaultyPath(fileSystem, system.readSymbolicLink(system(link)));
    }

    @Override
    public void delete(Path path) throws IOException {
        if (onDisk(path)) {
            disk.call("delete", path);
            if (!disk.skips("delete")) {
                disk.delete(path);
            }
        } else {
            system.delete(system(path));
        }
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        if (onDisk(source) || onDisk(target)) {
            throw new UnsupportedOperationException("the faulty disk copies nothing by itself");
        }
        system.copy(system(source), system(target), options);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        if (onDisk(source) && onDisk(target)) {
            disk.call("rename to " + target.getFileName() + ":", source);
            List<CopyOption> asked = Arrays.asList(options);
            boolean replace = asked.contains(StandardCopyOption.REPLACE_EXISTING)
                    || asked.contains(StandardCopyOption.ATOMIC_MOVE);
            if (!disk.skips("rename")) {
                disk.move(source, target, replace);
            }
            disk.renamed(target);
        } else if (onDisk(source) || onDisk(target)) {
            throw new UnsupportedOperationException("nothing moves to or from the faulty disk");
        } else {
            system.move(system(source), system(target), options);
        }
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
        if (onDisk(one) && onDisk(other)) {
            disk.call("compare", one);
            return disk.find(one) == disk.find(other);
        }
        return !onDisk(one) && !onDisk(other) && system.isSameFile(system(one), system(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return system.isHidden(system(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        Path root = system(path).toAbsolutePath().getRoot();
        return system.getFileStore(onDisk(path) && root != null ? root : system(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        if (onDisk(path)) {
            disk.call("check", path);
            disk.find(path);
        } else {
            system.checkAccess(system(path), modes);
        }
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return onDisk(path)
                ? DiskAttributes.view(disk, path, type)
                : system.getFileAttributeView(system(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        if (onDisk(path)) {
            disk.call("stat", path);
            return type.cast(DiskAttributes.of(disk, path));
        }
        return system.readAttributes(system(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        if (onDisk(path)) {
            throw new UnsupportedOperationException("the faulty disk gives attributes by their class alone");
        }
        return system.readAttributes(system(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        if (onDisk(path)) {
            throw new UnsupportedOperationException("the faulty disk sets permissions alone, by their view");
        }
        system.setAttribute(system(path), attribute, value, options);
    }
}

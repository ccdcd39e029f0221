// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.disk;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Iterator;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A path of the system, which {@link FaultyProvider} is asked about. */
final class FaultyPath implements Path {
    private final FaultyFileSystem fileSystem;
    private final Path path;

    FaultyPath(FaultyFileSystem fileSystem, Path path) {
        this.fileSystem = fileSystem;
        this.path = path;
    }

    /** As the system knows it. */
    static Path system(Path path) {
        return path instanceof FaultyPath faulty ? faulty.path : path;
    }

    boolean isOnDisk() {
        return path.toAbsolutePath().normalize().startsWith(FaultyDisk.MOUNT);
    }

    private Path of(Path other) {
        return new FaultyPath(fileSystem, other);
    }

    private @Nullable Path orNull(@Nullable Path other) {
        return other == null ? null : of(other);
    }

    @Override
    public FileSystem getFileSystem() {
        return fileSystem;
    }

    @Override
    public boolean isAbsolute() {
        return path.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
        return orNull(path.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
        return orNull(path.getFileName());
    }

    @Override
    public @Nullable Path getParent() {
        return orNull(path.getParent());
    }

    @Override
    public int getNameCount() {
        return path.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return of(path.getName(index));
    }

    @Override
    public Path subpath(int from, int to) {
        return of(path.subpath(from, to));
    }

    @Override
    public boolean startsWith(Path other) {
        return path.startsWith(system(other));
    }

    @Override
    public boolean endsWith(Path other) {
        return path.endsWith(system(other));
    }

    @Override
    public Path normalize() {
        return of(path.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return of(path.resolve(system(other)));
    }

    @Override
    public Path relativize(Path other) {
        return of(path.relativize(system(other)));
    }

    @Override
    public URI toUri() {
        return path.toUri();
    }

    @Override
    public Path toAbsolutePath() {
        return of(path.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        if (isOnDisk()) {
            Path real = of(path.toAbsolutePath().normalize());
            FaultyDisk.DISK.call("real path", real);
            FaultyDisk.DISK.find(real);
            return real;
        }
        return of(path.toRealPath(options));
    }

    @Override
    public File toFile() {
        if (isOnDisk()) {
            throw new UnsupportedOperationException(
                    path + " lies on the faulty disk, which java.io does not see; use java.nio.file");
        }
        return path.toFile();
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers)
            throws IOException {
        return path.register(watcher, events, modifiers);
    }

    @Override
    public Iterator<Path> iterator() {
        return StreamSupport.stream(path.spliterator(), false).map(this::of).iterator();
    }

    @Override
    public int compareTo(Path other) {
        return path.compareTo(system(other));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FaultyPath faulty && path.equals(faulty.path);
    }

    @Override
    public int hashCode() {
        return path.hashCode();
    }

    @Override
    public String toString() {
        return path.toString();
    }
}

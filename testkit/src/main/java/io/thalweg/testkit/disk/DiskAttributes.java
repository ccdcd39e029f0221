// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The attributes of a file of a {@link FaultyDisk}. */
record DiskAttributes(long id, boolean isDirectory, long size, long changes, Set<PosixFilePermission> permissions)
        implements PosixFileAttributes {
    static DiskAttributes of(FaultyDisk disk, Path path) throws IOException {
        synchronized (disk) {
            DiskNode node = disk.find(path);
            Set<PosixFilePermission> granted = node.permissions().stream()
                    .map(PosixFilePermission::valueOf)
                    .collect(Collectors.toSet());
            return new DiskAttributes(node.id(), node.isDirectory(), node.size(), node.changes(), granted);
        }
    }

    @Override
    public boolean isRegularFile() {
        return !isDirectory;
    }

    @Override
    public boolean isSymbolicLink() {
        return false;
    }

    @Override
    public boolean isOther() {
        return false;
    }

    @Override
    public Object fileKey() {
        return "disk-" + id;
    }

    @Override
    public FileTime lastModifiedTime() {
        return FileTime.fromMillis(changes);
    }

    @Override
    public FileTime lastAccessTime() {
        return FileTime.fromMillis(0);
    }

    @Override
    public FileTime creationTime() {
        return FileTime.fromMillis(0);
    }

    @Override
    public UserPrincipal owner() {
        throw new UnsupportedOperationException("files of the faulty disk belong to nobody");
    }

    @Override
    public GroupPrincipal group() {
        throw new UnsupportedOperationException("files of the faulty disk belong to nobody");
    }

    static <V extends FileAttributeView> @Nullable V view(FaultyDisk disk, Path path, Class<V> type) {
        View view = new View(disk, path);
        return type.isInstance(view) ? type.cast(view) : null;
    }

    private record View(FaultyDisk disk, Path path) implements PosixFileAttributeView {
        @Override
        public String name() {
            return "posix";
        }

        @Override
        public PosixFileAttributes readAttributes() throws IOException {
            disk.call("stat", path);
            return of(disk, path);
        }

        @Override
        public void setPermissions(Set<PosixFilePermission> granted) throws IOException {
            disk.call("set permissions of", path);
            synchronized (disk) {
                disk.find(path).permissions(granted.stream().map(Enum::name).collect(Collectors.toSet()));
            }
        }

        @Override
        public void setTimes(@Nullable FileTime modified, @Nullable FileTime accessed, @Nullable FileTime created) {
            throw new UnsupportedOperationException("the faulty disk has no times");
        }

        @Override
        public UserPrincipal getOwner() {
            throw new UnsupportedOperationException("files of the faulty disk belong to nobody");
        }

        @Override
        public void setOwner(UserPrincipal owner) {
            throw new UnsupportedOperationException("files of the faulty disk belong to nobody");
        }

        @Override
        public void setGroup(GroupPrincipal group) {
            throw new UnsupportedOperationException("files of the faulty disk belong to nobody");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.disk;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Set;
import java.util.stream.StreamSupport;

/** The system's file system, with paths that lead to {@link FaultyProvider}. */
final class FaultyFileSystem extends FileSystem {
    private final FaultyProvider provider;
    private final FileSystem system;

    FaultyFileSystem(FaultyProvider provider, FileSystem system) {
        this.provider = provider;
        this.system = system;
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() throws IOException {
        system.close();
    }

    @Override
    public boolean isOpen() {
        return system.isOpen();
    }

    @Override
    public boolean isReadOnly() {
        return system.isReadOnly();
    }

    @Override
    public String getSeparator() {
        return system.getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return StreamSupport.stream(system.getRootDirectories().spliterator(), false)
                .map(root -> (Path) new FaultyPath(this, root))
                .toList();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return system.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return system.supportedFileAttributeViews();
    }

    @Override
    public Path getPath(String first, String... more) {
        return new FaultyPath(this, system.getPath(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        PathMatcher matcher = system.getPathMatcher(syntaxAndPattern);
        return path -> matcher.matches(FaultyPath.system(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return system.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() throws IOException {
        return system.newWatchService();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files of the working tree, without what builds and tools put beside them. */
final class Repository {

    static final Path ROOT = root();

    private static final Set<String> NOT_OURS =
            Set.of(".git", ".idea", ".vscode", ".thalweg", "target", "node_modules");
    private static final List<Path> FILES = files();

    private Repository() {}

    static List<Path> filesEndingIn(String suffix) {
        return FILES.stream().filter(file -> file.toString().endsWith(suffix)).toList();
    }

    static List<Path> modules() {
        return FILES.stream()
                .filter(file -> file.endsWith("pom.xml"))
                .map(Path::getParent)
                .toList();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** As a person would name it: from the root, with slashes. */
    static String name(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve(".mvn"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("started outside the repository: no .mvn above "
                        + Path.of("").toAbsolutePath());
            }
        }
        return folder;
    }

    private static List<Path> files() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return NOT_OURS.contains(String.valueOf(folder.getFileName()))
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(file);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot walk " + ROOT, e);
        }
        files.sort(null);
        return files;
    }
}

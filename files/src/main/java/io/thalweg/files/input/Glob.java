// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.WriteTarget;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files that a glob matches. {@code **} between slashes stands for any number of directories, none included, and
 * does not go through symbolic links to directories that it meets, so it meets each file once; a glob without it does, as a shell
 * does, and so do all globs where no wildcard stands yet.
 */
final class Glob {
    private static final String SPECIAL = "*?[{";

    /** What {@code **} of the JDK does not go past, though names may have it. */
    private static final Pattern LINE_END = Pattern.compile("\\R");

    private final String glob;
    private final Path root;
    private final int depth;
    private final boolean anyDepth;
    private final LeftOut leftOut;
    private final List<PathMatcher> matchers = new ArrayList<>();

    /** @throws ConnectorException if it cannot be understood */
    Glob(String path) {
        glob = path.replaceAll("//+", "/");
        int first = 0;
        while (SPECIAL.indexOf(glob.charAt(first)) < 0) {
            first++;
        }
        int rest = glob.lastIndexOf('/', first) + 1;
        root = Path.of(glob.substring(0, rest));
        anyDepth = glob.contains("**");
        depth = anyDepth
                ? Integer.MAX_VALUE
                : (int) glob.substring(rest).chars().filter(c -> c == '/').count() + 1;
        String names = "/" + glob.substring(rest);
        leftOut = new LeftOut(!names.contains("/."), !names.contains("/_"));
        try {
            for (String each : variants(inOneLine(glob), 0)) {
                matchers.add(FileSystems.getDefault().getPathMatcher("glob:" + each));
            }
        } catch (PatternSyntaxException e) {
            throw new ConnectorException("cannot read " + path + ": " + e.getDescription(), e);
        }
    }

    static boolean is(String path) {
        return path.chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0);
    }

    /** The glob with and without each {@code **} that stands between slashes: for the JDK it is one directory at least. */
    private static List<String> variants(String glob, int from) {
        String plain = glob.replace("**/**/", "**/");
        int at = plain.indexOf("**/", from);
        if (at < 0) {
            return List.of(plain);
        }
        List<String> all = new ArrayList<>(variants(plain, at + 3));
        if (at == 0 || plain.charAt(at - 1) == '/') {
            all.addAll(variants(plain.substring(0, at) + plain.substring(at + 3), at));
        }
        return all;
    }

    /**
     * @param other something else that matches, such as a pipe
     * @param mark a file that matches, but for the underscore with which its name begins
     */
    record Found(
            List<Path> files,
            @Nullable Path other,
            @Nullable Path mark) {}

    boolean matches(Path file) {
        String name = file.toString();
        String line = inOneLine(name);
        Path plain = line.equals(name) ? file : Path.of(line);
        return matchers.stream().anyMatch(matcher -> matcher.matches(plain));
    }

    /** With a character in place of each line end that no name has. */
    private static String inOneLine(String text) {
        return LINE_END.matcher(text).replaceAll("\u0001");
    }

    /** @throws ConnectorException if the directory in which it begins is not there */
    Found files() throws IOException {
        return search().found();
    }

    /** True if a file of the place matches, or will as soon as it is there. */
    boolean finds(WriteTarget place) throws IOException {
        return search().finds(place.files());
    }

    private Search search() throws IOException {
        if (!Files.isDirectory(root)) {
            throw new ConnectorException("cannot read " + glob + ": there is no directory " + root);
        }
        Set<FileVisitOption> options =
                anyDepth ? EnumSet.noneOf(FileVisitOption.class) : EnumSet.of(FileVisitOption.FOLLOW_LINKS);
        Path begin = anyDepth && Files.isSymbolicLink(root) ? root.toRealPath() : root; // else only the link is visited
        Search search = new Search(root, begin, this::matches, leftOut);
        Files.walkFileTree(begin, options, depth, search);
        return search;
    }

    /** The files in a directory, without those in directories below. */
    static Found inDirectory(Path directory) throws IOException {
        return searchIn(directory).found();
    }

    /** True if a file of the place is in the directory, or will be as soon as it is there. */
    static boolean findsIn(Path directory, WriteTarget place) throws IOException {
        return searchIn(directory).finds(place.files());
    }

    private static Search searchIn(Path directory) throws IOException {
        Search search = new Search(directory, directory, file -> isIn(directory, file), new LeftOut(true, true));
        Files.walkFileTree(directory, EnumSet.of(FileVisitOption.FOLLOW_LINKS), 1, search);
        return search;
    }

    private static boolean isIn(Path directory, Path file) {
        Path parent = file.getParent(); // null in the directory of an empty path, the working directory
        return parent == null || parent.equals(directory);
    }

    /**
     * Names that are met only if they are asked for.
     *
     * @param hidden those that begin with a dot, checksums of Hadoop among them
     * @param marks those that begin with an underscore, as Spark, Hive and MapReduce name what is no data in a folder of theirs,
     *     {@code _SUCCESS} and {@code _metadata}; but no partition by a column {@code _name=value}
     */
    private record LeftOut(boolean hidden, boolean marks) {
        boolean has(String name) {
            return (hidden && name.startsWith(".")) || (marks && name.startsWith("_") && name.indexOf('=') < 0);
        }
    }

    private static final class Search extends SimpleFileVisitor<Path> {
        private final Path root;
        private final Path begin;
        private final PathMatcher wanted;
        private final LeftOut leftOut;
        private final List<Path> files = new ArrayList<>();
        private final List<Path> directories = new ArrayList<>();
        private @Nullable Path other;
        private @Nullable Path mark;
        private boolean begun;

        /**
         * @param root as the user names it, which the names of all files found begin with
         * @param begin where the walk begins: the root, or where it leads
         */
        Search(Path root, Path begin, PathMatcher wanted, LeftOut leftOut) {
            this.root = root;
            this.begin = begin;
            this.wanted = wanted;
            this.leftOut = leftOut;
        }

        Found found() {
            return new Found(files, other, mark);
        }

        /** True if one of these real paths is among the files found, by whatever links, or would be if it were there. */
        boolean finds(List<Path> paths) {
            Set<String> there =
                    paths.stream().filter(Files::exists).map(SpecialFile::key).collect(Collectors.toSet());
            if (!there.isEmpty() && files.stream().map(SpecialFile::key).anyMatch(there::contains)) {
                return true;
            }
            Map<Path, List<Path>> searched = directories.stream().collect(Collectors.groupingBy(WriteTarget::real));
            return paths.stream().anyMatch(path -> wouldFind(path, searched));
        }

        /** @param searched directories by their real paths, as they were met */
        private boolean wouldFind(Path path, Map<Path, List<Path>> searched) {
            Path there = path.getParent();
            while (there != null && !Files.exists(there)) {
                there = there.getParent();
            }
            if (there == null) {
                return false;
            }
            Path rest = there.relativize(path);
            for (Path name : rest) {
                if (!seen(name)) {
                    return false;
                }
            }
            return searched.getOrDefault(there, List.of()).stream()
                    .anyMatch(directory -> wanted.matches(directory.resolve(rest)));
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            boolean root = !begun;
            begun = true;
            if (!root && !seen(directory)) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            directories.add(named(directory));
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path met, BasicFileAttributes attributes) throws IOException {
            Path file = named(met);
            if (seen(file) && wanted.matches(file)) {
                BasicFileAttributes target = attributes;
                if (attributes.isSymbolicLink()) {
                    try {
                        target = Files.readAttributes(file, BasicFileAttributes.class);
                    } catch (IOException e) {
                        return visitFileFailed(file, e);
                    }
                }
                if (target.isRegularFile()) {
                    files.add(file);
                } else if (target.isOther()) {
                    other = file;
                }
            } else if (String.valueOf(file.getFileName()).startsWith("_") && wanted.matches(file)) {
                mark = file;
            }
            return FileVisitResult.CONTINUE;
        }

        private Path named(Path met) {
            return root.equals(begin) ? met : root.resolve(begin.relativize(met));
        }

        private boolean seen(Path path) {
            Path name = path.getFileName();
            return name == null || !leftOut.has(name.toString());
        }

        /** What vanished meanwhile, and a link that leads nowhere, back or to itself, hold no file. */
        @Override
        public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
            boolean nothing = e instanceof NoSuchFileException
                    || e instanceof NotDirectoryException
                    || e instanceof FileSystemLoopException
                    || isToItself(e);
            if (nothing && begun) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }

        /** The JDK has no class for it. What it says of it is not translated. */
        private static boolean isToItself(IOException e) {
            return e instanceof FileSystemException failure
                    && String.valueOf(failure.getReason()).endsWith("of symbolic link");
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
            if (e == null || e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }
    }
}

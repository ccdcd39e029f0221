// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Objects;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * What a path of an input means: a file, the files of a directory, those that a glob matches, or {@code -} for standard
 * input. Files whose name begins with a dot are left out of directories and globs.
 */
public record InputFiles(String path) implements Serializable {
    public static final String STANDARD_INPUT = "-";

    /** For plans and messages. */
    public String name() {
        return path.equals(STANDARD_INPUT) ? "standard input" : path;
    }

    /** True for standard input and for what is there but neither file nor directory, such as a pipe. */
    public boolean blocking() {
        return path.equals(STANDARD_INPUT)
                || (literal()
                        && Files.exists(Path.of(path))
                        && !Files.isRegularFile(Path.of(path))
                        && !Files.isDirectory(Path.of(path)));
    }

    /** Each file is one split, in the order of the names. */
    public List<String> splits() {
        if (path.equals(STANDARD_INPUT)) {
            return List.of(path);
        }
        try {
            if (!literal()) {
                return matching();
            }
            Path file = Path.of(path);
            if (Files.isDirectory(file)) {
                return ofDirectory(file);
            }
            ByteInput.check(file);
            return List.of(path);
        } catch (UncheckedIOException e) {
            throw unreadable(Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /**
     * As {@link io.thalweg.api.connector.Source#checkSplits} has it. Files that are gone are none of its business: who opens
     * them says so, and those that were read to their end need not be there.
     */
    public void check(List<String> splits) {
        for (String split : splits) {
            if (!covers(split)) {
                throw new ConnectorException("it reads " + path + ", and the checkpoint goes on in " + split
                        + ", which is not part of that");
            }
        }
    }

    private boolean covers(String split) {
        if (split.equals(path)) {
            return true;
        }
        if (path.equals(STANDARD_INPUT) || split.equals(STANDARD_INPUT)) {
            return false;
        }
        if (!literal()) {
            return matcher().matches(Path.of(split));
        }
        Path file = Path.of(split).toAbsolutePath().normalize();
        Path own = Path.of(path).toAbsolutePath().normalize();
        return file.equals(own) || own.equals(file.getParent());
    }

    /** True where the path is to be taken by its letters: it exists, or has nothing of a glob. */
    private boolean literal() {
        try {
            return path.chars().noneMatch(c -> "*?[{".indexOf(c) >= 0) || Files.exists(Path.of(path));
        } catch (InvalidPathException e) {
            throw new ConnectorException("cannot read '" + path + "': " + e.getReason(), e);
        }
    }

    private List<String> ofDirectory(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return sorted(files, "the directory holds no files");
        }
    }

    private List<String> matching() throws IOException {
        int glob = 0;
        while ("*?[{".indexOf(path.charAt(glob)) < 0) {
            glob++;
        }
        int separator = path.lastIndexOf('/', glob);
        Path root = Path.of(separator < 0 ? "" : path.substring(0, separator + 1));
        if (!Files.isDirectory(root)) {
            throw new ConnectorException("cannot read " + path + ": there is no directory " + root);
        }
        PathMatcher matcher = matcher();
        int depth = path.contains("**")
                ? Integer.MAX_VALUE
                : (int) path.substring(glob).chars().filter(c -> c == '/').count() + 1;
        try (Stream<Path> files = Files.find(root, depth, (file, attributes) -> matcher.matches(file))) {
            return sorted(files, "no file matches");
        }
    }

    private PathMatcher matcher() {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + path.replaceAll("//+", "/"));
        } catch (PatternSyntaxException e) {
            throw new ConnectorException("cannot read " + path + ": " + e.getDescription(), e);
        }
    }

    private List<String> sorted(Stream<Path> all, String none) {
        List<String> files = all.filter(file -> Files.isRegularFile(file)
                        && !file.getFileName().toString().startsWith("."))
                .sorted()
                .map(Path::toString)
                .toList();
        if (files.isEmpty()) {
            throw new ConnectorException("cannot read " + path + ": " + none);
        }
        return files;
    }

    private ConnectorException unreadable(IOException e) {
        return new ConnectorException("cannot read " + path + ": " + ByteInput.reason(e), e);
    }
}

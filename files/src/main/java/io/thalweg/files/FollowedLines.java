// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.files.input.FollowReader;
import io.thalweg.files.input.InputFiles;
import io.thalweg.files.input.LineInput;
import io.thalweg.files.input.LineParser;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What is appended to files that others write, without an end, also across log rotation. Replayable. Made by {@link
 * TextLines#follow} and {@link JsonLines#follow}.
 *
 * @param <T> records
 */
public final class FollowedLines<T> implements LiveSource<T> {
    private static final long serialVersionUID = 1L;

    /** Makes what parses lines, for one task. */
    @FunctionalInterface
    interface Parsers<T> extends Serializable {
        LineParser<T> parser();
    }

    private final List<String> paths;
    private final Type<T> type;
    private final Parsers<T> parsers;
    private final int maxLineBytes;

    private FollowedLines(List<String> paths, Type<T> type, Parsers<T> parsers, int maxLineBytes) {
        this.paths = paths;
        this.type = type;
        this.parsers = parsers;
        this.maxLineBytes = LineInput.checkMaxLineBytes(maxLineBytes);
    }

    static <T> FollowedLines<T> of(List<String> paths, Type<T> type, Parsers<T> parsers) {
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("name at least one file to follow");
        }
        if (Set.copyOf(paths).size() < paths.size()) {
            throw new IllegalArgumentException("a file is named twice: " + String.join(", ", paths));
        }
        return new FollowedLines<>(List.copyOf(paths), type, parsers, LineInput.DEFAULT_MAX_LINE_BYTES);
    }

    /**
     * Limits the length of a line; a longer one is a bad record.
     *
     * @param bytes 16 MiB by default
     */
    public FollowedLines<T> maxLineBytes(int bytes) {
        return new FollowedLines<>(paths, type, parsers, bytes);
    }

    @Override
    public String name() {
        return String.join(", ", paths);
    }

    @Override
    public Type<T> type() {
        return type;
    }

    @Override
    public List<String> splits(int parallelism) {
        for (String path : paths) {
            check(path);
        }
        return paths;
    }

    /** A file that is not there yet is waited for, if its directory is, so a name that is hardly that of a file is refused. */
    private static void check(String path) {
        Path file;
        try {
            file = Path.of(path);
        } catch (InvalidPathException e) {
            throw new ConnectorException("cannot follow '" + path + "': " + e.getReason(), e);
        }
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw new ConnectorException("cannot follow " + path + ": it is a directory; name its files");
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw new ConnectorException("cannot follow " + path + ": there is no directory " + folder);
        }
        if (!Files.exists(file) && path.equals(InputFiles.STANDARD_INPUT)) {
            throw new ConnectorException("cannot follow -: it is standard input; read it with read()");
        }
        if (!Files.exists(file) && InputFiles.isGlob(path)) {
            throw new ConnectorException("cannot follow " + path + ": there is no such file, and a glob cannot be"
                    + " followed; name its files");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new ConnectorException("cannot follow " + path + ": it is not a regular file; read it with read()");
        }
        if (Files.exists(file) && !Files.isReadable(file)) {
            throw new ConnectorException("cannot follow " + path + ": permission denied");
        }
    }

    @Override
    public void checkSplits(List<String> splits) {
        for (String split : splits) {
            if (!paths.contains(split)) {
                throw new ConnectorException(
                        "it follows " + name() + ", but the checkpoint was following " + split + ", too");
            }
        }
    }

    @Override
    public LiveReader<T> open(SourceContext context) {
        return new FollowReader<>(parsers.parser(), maxLineBytes, context);
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public boolean endless() {
        return true;
    }

    @Override
    public boolean reads(WriteTarget place) {
        return paths.stream().anyMatch(path -> FollowReader.follows(path, place));
    }
}

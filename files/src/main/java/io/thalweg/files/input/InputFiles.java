// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.WriteTarget;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a path of an input means: a file, the files of a directory, those that a glob matches, or {@code -} for standard
 * input. Of directories and globs only regular files are read, and none whose name begins with a dot or
 * an underscore, unless the glob says so.
 *
 * @param path as the user gave it
 */
public record InputFiles(String path) implements Serializable {
    public static final String STANDARD_INPUT = "-";

    /** Names that a system has for standard input. A file that stands there is read from its beginning, as any file is. */
    private static final Set<String> OTHER_NAMES = Set.of("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0");

    /** @throws IllegalArgumentException if the path is empty, which would be the working directory */
    public InputFiles {
        if (path.isEmpty()) {
            throw new IllegalArgumentException(
                    "the path of an input is empty; name a file, a directory, or - for standard input");
        }
    }

    /** True for a path that, where no file has that name, is a glob. */
    public static boolean isGlob(String path) {
        return Glob.is(path);
    }

    /** For plans and messages. */
    public String name() {
        return standard() ? "standard input" : path;
    }

    /** True for standard input and for what is there but neither file nor directory, such as a pipe. */
    public boolean blocking() {
        return standard() || (literal() && isSpecial(Path.of(path)));
    }

    /** What of these can be read only once, in names that are equal for the same thing. */
    public List<String> readOnce() {
        List<String> names = new ArrayList<>();
        if (standard()) {
            names.add("standard input");
        }
        Path pipe = Path.of(standard() ? "/dev/stdin" : path);
        if (blocking() && SpecialFile.isPipe(pipe)) {
            names.add(SpecialFile.key(pipe));
        }
        return names;
    }

    private boolean standard() {
        return path.equals(STANDARD_INPUT) || (OTHER_NAMES.contains(path) && isSpecial(Path.of(path)));
    }

    private static boolean isSpecial(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).isOther();
        } catch (IOException e) {
            return false; // whoever opens it says what is wrong
        }
    }

    /** Each file is one split, in the order of the names. */
    public List<String> splits() {
        if (standard()) {
            return List.of(STANDARD_INPUT);
        }
        try {
            if (!literal()) {
                return names(new Glob(path).files(), "no file matches");
            }
            Path file = Path.of(path);
            if (Files.isDirectory(file)) {
                return names(Glob.inDirectory(file), "the directory holds no files");
            }
            ByteInput.check(file);
            return List.of(path);
        } catch (IOException e) {
            String where = e instanceof java.nio.file.FileSystemException failed && failed.getFile() != null
                    ? failed.getFile()
                    : path;
            throw new ConnectorException("cannot read " + where + ": " + ByteInput.reason(e), e);
        }
    }

    /**
     * As {@link io.thalweg.api.connector.Source#checkSplits} has it. Files that are gone are none of its business: who opens
     * them says so, and those that were read to their end need not be there.
     */
    public void check(List<String> splits) {
        for (String split : splits) {
            if (!covers(split)) {
                throw new ConnectorException("it reads " + path + ", but the checkpoint was reading " + split
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
            return new Glob(path).matches(Path.of(split));
        }
        Path file = Path.of(split).toAbsolutePath().normalize();
        Path own = Path.of(path).toAbsolutePath().normalize();
        return file.equals(own) || own.equals(file.getParent());
    }

    /** As {@link io.thalweg.api.connector.Source#reads} has it. */
    public boolean reads(WriteTarget place) {
        if (standard() || place.files().isEmpty()) {
            return false;
        }
        try {
            if (!literal()) {
                return new Glob(path).finds(place);
            }
            Path file = Path.of(path);
            return Files.isDirectory(file) ? Glob.findsIn(file, place) : place.has(file);
        } catch (IOException | ConnectorException e) {
            return false; // it cannot be read either; whoever lists the files says why
        }
    }

    /** True if the path is to be taken by its letters: it exists, or has nothing of a glob. */
    private boolean literal() {
        try {
            return !Glob.is(path) || Files.exists(Path.of(path));
        } catch (InvalidPathException e) {
            throw new ConnectorException("cannot read '" + path + "': " + e.getReason(), e);
        }
    }

    private List<String> names(Glob.Found found, String none) {
        if (found.files().isEmpty()) {
            String left = "";
            if (found.other() != null) {
                left = "; " + found.other() + " is not a regular file and must be named by itself";
            } else if (found.mark() != null) {
                left = "; " + found.mark()
                        + " begins with an underscore, which marks what is no data, and must be named by itself";
            }
            throw new ConnectorException("cannot read " + path + ": " + none + left);
        }
        return found.files().stream().sorted().map(InputFiles::name).toList();
    }

    /** A split is known by its name, which must lead back to the file. */
    private static String name(Path file) {
        String name = file.toString();
        try {
            if (Path.of(name).equals(file)) {
                return name;
            }
        } catch (InvalidPathException e) {
            // told below
        }
        throw new ConnectorException("cannot read " + name + ": its name cannot be decoded as "
                + System.getProperty("sun.jnu.encoding", "this locale")
                + "; rename it, or, if they are UTF-8, set LC_ALL=C.UTF-8");
    }
}

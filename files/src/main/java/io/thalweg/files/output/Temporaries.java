// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Hidden files on their way to a place: {@code .out.csv.RANDOM.tmp}. Nobody but their owner may read them. */
final class Temporaries {
    static final String RANDOM = "[0-9a-z]{1,13}";
    private static final SecureRandom NAMES = new SecureRandom();

    private Temporaries() {}

    /** Part of a name that nobody can guess, so that nobody can plant a link there. */
    static String random() {
        return Long.toString(NAMES.nextLong() >>> 1, 36);
    }

    static Path of(Path place) {
        return place.resolveSibling("." + place.getFileName() + "." + random() + ".tmp");
    }

    static boolean isOf(Path place, String name) {
        return Pattern.matches(
                "\\." + Pattern.quote(String.valueOf(place.getFileName())) + "\\." + RANDOM + "\\.tmp", name);
    }

    /** Those that are there. */
    static List<Path> all(Path place) throws IOException {
        return list(place.toAbsolutePath().getParent(), name -> isOf(place, name));
    }

    interface Wanted {
        boolean wants(String name);
    }

    static List<Path> list(@Nullable Path directory, Wanted wanted) throws IOException {
        List<Path> found = new ArrayList<>();
        if (directory == null) {
            return found; // of the root
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (wanted.wants(String.valueOf(file.getFileName()))) {
                    found.add(file);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    /** Makes a file that was not there. */
    static FileChannel create(Path path) throws IOException {
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return hasPermissions(path) ? FileChannel.open(path, options, ownersOnly()) : FileChannel.open(path, options);
    }

    private static FileAttribute<?> ownersOnly() {
        return PosixFilePermissions.asFileAttribute(
                Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    }

    static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Opens one that is there, and not as a link, to write on, and to read what is there. */
    static FileChannel open(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }
}

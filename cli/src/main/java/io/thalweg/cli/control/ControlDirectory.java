// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.control;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the sockets of this user's jobs are: {@code $XDG_RUNTIME_DIR/thalweg}, and {@code thalweg-USER} in the directory for
 * temporary files. A job takes the first that it can use. A service and a login of the same user may differ in their
 * environment, so whoever looks for jobs looks into both.
 */
final class ControlDirectory {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

    private ControlDirectory() {}

    static List<Path> places() {
        return places(System.getenv("XDG_RUNTIME_DIR"), System.getProperty("java.io.tmpdir", "/tmp"));
    }

    static List<Path> places(@Nullable String runtime, String temporary) {
        List<Path> places = new ArrayList<>();
        if (runtime != null && !runtime.isEmpty() && Path.of(runtime).isAbsolute()) {
            places.add(Path.of(runtime, "thalweg"));
        }
        String user = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9._-]", "-");
        places.add(Path.of(temporary, "thalweg-" + user).toAbsolutePath());
        return places;
    }

    /**
     * Creates the directory, or checks it and takes the rights to it from all but its owner.
     *
     * @throws IOException if it cannot be used, with the reason
     */
    static void create(Path place) throws IOException {
        if (!isPosix(place)) {
            Files.createDirectories(place);
            return;
        }
        try {
            Files.createDirectory(place, PosixFilePermissions.asFileAttribute(OWNER));
        } catch (FileAlreadyExistsException e) {
            check(place);
            Files.setPosixFilePermissions(place, OWNER);
        }
    }

    /** True if it is there, and nobody else can have put anything into it. */
    static boolean isTrusted(Path place) {
        try {
            if (isPosix(place)) {
                check(place);
                return EnumSet.copyOf(OWNER)
                        .containsAll(Files.getPosixFilePermissions(place, LinkOption.NOFOLLOW_LINKS));
            }
            return Files.isDirectory(place);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isPosix(Path place) throws IOException {
        Path parent = place.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            throw new IOException("its parent is missing");
        }
        return parent == null || Files.getFileStore(parent).supportsFileAttributeView("posix");
    }

    private static void check(Path place) throws IOException {
        if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(place + " is a file or a symbolic link, not a directory");
        }
        if (!Files.getOwner(place, LinkOption.NOFOLLOW_LINKS).equals(self(place))) {
            throw new IOException(place + " belongs to another user");
        }
    }

    private static UserPrincipal self(Path place) throws IOException {
        Path process = Path.of("/proc/self");
        return Files.isDirectory(process)
                ? Files.getOwner(process)
                : place.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(System.getProperty("user.name", ""));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Where a job writes. A sink says it with {@link Sink#writes}, and each source of the topology is asked with {@link
 * Source#reads} whether it reads what is written there. Its text is for messages.
 */
public sealed interface WriteTarget {
    /**
     * What is written there as files, whether they are there yet or not, by their real paths. Where there may be many, examples.
     * Empty for a topic.
     */
    List<Path> files();

    /** True if the path leads to one of the {@link #files}, also by a symbolic or a hard link. */
    default boolean has(Path path) {
        Path real = real(path);
        boolean there = Files.exists(real);
        for (Path file : files()) {
            if (file.equals(real) || (there && isSameFile(file, real))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSameFile(Path file, Path other) {
        try {
            return Files.exists(file) && Files.isSameFile(file, other);
        } catch (IOException e) {
            return false; // one has just gone, or cannot be looked at; who opens it says why
        }
    }

    /** What links lead to, also those that lead to nothing yet, and the rest of the path: equal for all paths to one place. */
    static Path real(Path path) {
        return followed(path.toAbsolutePath(), 40); // as many links in a row as Linux follows
    }

    private static Path followed(Path absolute, int links) {
        for (Path there = absolute; there != null; there = there.getParent()) {
            try {
                if (Files.exists(there)) {
                    return there.toRealPath()
                            .resolve(there.relativize(absolute))
                            .normalize();
                }
                if (links > 0 && Files.isSymbolicLink(there)) {
                    Path target = there.resolveSibling(Files.readSymbolicLink(there));
                    return followed(target.resolve(there.relativize(absolute)), links - 1);
                }
            } catch (IOException e) {
                break; // it cannot be looked at; who opens it says why
            }
        }
        return absolute.normalize();
    }

    /**
     * A file, whether it is there or not.
     *
     * @param path becomes the {@linkplain WriteTarget#real real} one
     */
    record File(Path path) implements WriteTarget {
        /** Follows the links of the path. */
        public File {
            path = real(path);
        }

        @Override
        public List<Path> files() {
            return List.of(path);
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /**
     * Files in a directory, whether it is there or not.
     *
     * @param path becomes the {@linkplain WriteTarget#real real} one
     * @param names of files in it, as examples: one of each kind that a pattern could tell from the others; they may be in
     *     directories below
     */
    record Directory(Path path, List<String> names) implements WriteTarget {
        /** Follows the links of the path. */
        public Directory {
            path = real(path);
            names = List.copyOf(names);
        }

        @Override
        public List<Path> files() {
            return names.stream().map(path::resolve).toList();
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /**
     * A topic of a message broker. One job may read and write it: that is a loop, and only warned of.
     *
     * @param servers of its cluster, {@code HOST:PORT}, separated by commas
     * @param name of the topic
     */
    record Topic(String servers, String name) implements WriteTarget {
        @Override
        public List<Path> files() {
            return List.of();
        }

        /** True if the other list names one of the servers. */
        public boolean isAt(String others) {
            List<String> own = list(servers);
            return list(others).stream().anyMatch(own::contains);
        }

        private static List<String> list(String servers) {
            return Arrays.stream(servers.split(",", -1)).map(String::strip).toList();
        }

        @Override
        public String toString() {
            return "topic " + name + " of " + servers;
        }
    }
}

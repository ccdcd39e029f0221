// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.connector.WriteTarget;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files and directories that a topology's sinks write. */
final class Outputs {
    private final Map<WriteTarget, String> operators = new LinkedHashMap<>();

    /** Another sink, and where it writes. */
    record Clash(String operator, WriteTarget there) {}

    /** Null if no sink before writes there. */
    @Nullable Clash add(String operator, WriteTarget place) {
        for (Map.Entry<WriteTarget, String> other : operators.entrySet()) {
            if (meet(place, other.getKey())) {
                return new Clash(other.getValue(), other.getKey());
            }
        }
        operators.put(place, operator);
        return null;
    }

    private static boolean meet(WriteTarget one, WriteTarget other) {
        Path path = path(one);
        Path there = path(other);
        return path != null
                && there != null
                && (path.equals(there)
                        || isPartOf(path, there)
                        || isPartOf(there, path)
                        || one.has(there)
                        || other.has(path));
    }

    private static @Nullable Path path(WriteTarget place) {
        if (place instanceof WriteTarget.Directory directory) {
            return directory.path();
        }
        return place instanceof WriteTarget.File file ? file.path() : null;
    }

    /** A sink that writes into a directory may take such names there. */
    private static boolean isPartOf(Path file, Path directory) {
        String name = String.valueOf(file.getFileName());
        return directory.equals(file.getParent()) && (name.startsWith("part-") || name.startsWith("."));
    }
}

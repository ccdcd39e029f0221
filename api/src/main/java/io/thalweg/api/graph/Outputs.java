// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The outputs of a topology's sinks, by the place that a path really leads to. */
final class Outputs {
    private final Map<Path, String> operators = new LinkedHashMap<>();

    /** Another sink, where it writes, and where this one does. */
    record Clash(String operator, Path there, Path place) {}

    /** Null if no sink before has the output. */
    @Nullable Clash add(String operator, Path output) {
        Path place = place(output);
        for (Map.Entry<Path, String> other : operators.entrySet()) {
            Path there = other.getKey();
            if (there.equals(place) || isPartOf(place, there) || isPartOf(there, place)) {
                return new Clash(other.getValue(), there, place);
            }
        }
        operators.put(place, operator);
        return null;
    }

    /** A sink that writes into a directory may take such names there. */
    private static boolean isPartOf(Path file, Path directory) {
        String name = String.valueOf(file.getFileName());
        return directory.equals(file.getParent()) && (name.startsWith("part-") || name.startsWith("."));
    }

    /** The real path of what is there of a path, and the rest of it. */
    private static Path place(Path output) {
        Path absolute = output.toAbsolutePath();
        for (Path there = absolute; there != null; there = there.getParent()) {
            if (Files.exists(there)) {
                try {
                    Path real = there.toRealPath();
                    return real.resolve(there.relativize(absolute)).normalize();
                } catch (IOException e) {
                    break; // it cannot be looked at, and writing will say why
                }
            }
        }
        return absolute.normalize();
    }
}

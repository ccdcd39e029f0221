// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What modules of a source tree are built of: a hash, by a module's folder, of its files, what they hold with their names. Times say
 * nothing: a file that is copied, or checked out by a tool that sets times, may be older than what was built of another one.
 *
 * @param hashes by the folder, relative to the source tree; empty for the tree itself
 */
record ModuleSources(Map<String, String> hashes) {
    private static final String COMPILED = "compiled-by-the-lab";
    private static final List<String> PARTS =
            List.of("pom.xml", "driver.yaml", "src/main"); // drivers have the second in their jar

    /** As they are now. */
    static ModuleSources of(Path home, Collection<Path> modules) throws IOException {
        Map<String, String> hashes = new TreeMap<>();
        for (Path module : modules) {
            hashes.put(home.relativize(module).toString(), hash(module));
        }
        return new ModuleSources(hashes);
    }

    /** Those of all modules that drivers can be built of. */
    static ModuleSources ofAll(Path home) throws IOException {
        Set<Path> modules = new TreeSet<>(Set.of(home));
        for (Path folder : List.of(home, home.resolve("lab"), home.resolve("lab/drivers"))) {
            try (Stream<Path> all = Files.list(folder)) {
                all.filter(each -> Files.exists(each.resolve("pom.xml"))).forEach(modules::add);
            }
        }
        return of(home, modules);
    }

    private static String hash(Path module) throws IOException {
        StringBuilder listing = new StringBuilder();
        for (String part : PARTS) {
            Path root = module.resolve(part);
            if (Files.exists(root)) {
                try (Stream<Path> files = Files.walk(root)) {
                    for (Path file : files.sorted().toList()) {
                        if (Files.isRegularFile(file)) {
                            listing.append(Engine.sha256(file)).append(' ');
                            listing.append(module.relativize(file)).append('\n');
                        }
                    }
                } catch (UncheckedIOException e) {
                    throw e.getCause();
                }
            }
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(listing.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A line for each module. */
    String text() {
        return hashes.entrySet().stream()
                .map(each -> each.getValue() + "  " + each.getKey() + "\n")
                .collect(Collectors.joining());
    }

    /** Of these modules alone. */
    ModuleSources only(Path home, Collection<Path> modules) {
        Map<String, String> some = new TreeMap<>(hashes);
        some.keySet()
                .retainAll(modules.stream()
                        .map(each -> home.relativize(each).toString())
                        .toList());
        return new ModuleSources(some);
    }

    /** Keeps for {@link #forgetClasses} that the classes of these modules were compiled of these sources. */
    void keep(Path home) throws IOException {
        for (Map.Entry<String, String> each : hashes.entrySet()) {
            Path output = output(home, each.getKey());
            if (Files.isDirectory(output)) {
                Files.writeString(output.resolve(COMPILED), each.getValue());
            }
        }
    }

    /** Deletes classes that the lab had compiled of other sources: Maven takes a source that is older than its class for compiled. */
    void forgetClasses(Path home) throws IOException {
        for (Map.Entry<String, String> each : hashes.entrySet()) {
            Path output = output(home, each.getKey());
            Path kept = output.resolve(COMPILED);
            if (Files.exists(kept) && !Files.readString(kept).equals(each.getValue())) {
                Files.delete(kept);
                delete(output.resolve("classes"));
            }
        }
    }

    private static Path output(Path home, String module) {
        return home.resolve(module).resolve("target/fast");
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}

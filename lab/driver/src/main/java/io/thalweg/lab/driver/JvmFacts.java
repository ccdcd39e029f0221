// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The JVM that a source or sink of a run was in.
 *
 * @param java its name and version
 * @param flags what it was started with, without system properties, which may hold paths of this machine
 * @param heapMb the most that its heap may take
 * @param collectors its garbage collectors
 */
public record JvmFacts(String java, List<String> flags, long heapMb, List<String> collectors) {
    static JvmFacts here() {
        return new JvmFacts(
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(each -> !each.startsWith("-D") && !each.startsWith("-javaagent"))
                        .map(each -> each.replaceAll("\\R", " "))
                        .toList(),
                Runtime.getRuntime().maxMemory() >> 20,
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .toList());
    }

    void write(Path file) throws IOException {
        Files.writeString(
                file, java + "\n" + heapMb + "\n" + String.join(",", collectors) + "\n" + String.join("\n", flags));
    }

    /** @throws IOException if the file cannot be read, or was not written to its end yet */
    static JvmFacts read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.size() < 3) {
            throw new IOException(file + " does not hold all of it");
        }
        List<String> flags = lines.subList(3, lines.size()).stream()
                .filter(each -> !each.isEmpty())
                .toList();
        return new JvmFacts(
                lines.get(0),
                flags,
                Long.parseLong(lines.get(1)),
                List.of(lines.get(2).split(",")));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Jars that users' own topologies need beside those of an engine's driver.
 *
 * @param connectors of what the job names, with the libraries that they were made for
 * @param others that the command line has
 */
public record JobJars(List<Path> connectors, List<Path> others) {
    private static final String LOGGER = "slf4j-api";

    private static final Pattern LIBRARY = Pattern.compile("(?<name>.+?)-\\d.*\\.jar");

    public JobJars {
        connectors = List.copyOf(connectors);
        others = List.copyOf(others);
    }

    /** None. */
    public static final JobJars NONE = new JobJars(List.of(), List.of());

    /**
     * The class path of a driver: its own jars first, but before them those libraries of connectors that the driver has in another version,
     * for connectors of the engine that a topology does not use. Otherwise Kafka would be read with a client for which nobody has made the
     * source, and with another one on each engine. A driver that logs by SLF4J keeps its own; another one needs it for connectors that do.
     *
     * @param driver class path of the driver
     * @param libraries its jars
     */
    String around(String driver, List<Path> libraries) {
        Map<String, String> known = new HashMap<>();
        libraries.forEach(jar -> known.put(name(jar), file(jar)));
        List<String> path = new ArrayList<>();
        List<String> behind = new ArrayList<>();
        boolean logs = known.containsKey(LOGGER);
        for (Path jar : connectors) {
            if (logs && isLogger(jar)) {
                continue;
            }
            boolean another = !known.getOrDefault(name(jar), file(jar)).equals(file(jar));
            (another ? path : behind).add(jar.toString());
        }
        path.add(driver);
        path.addAll(behind);
        others.stream().filter(jar -> !(logs && isLogger(jar))).forEach(jar -> path.add(jar.toString()));
        return path.stream().collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isLogger(Path jar) {
        return file(jar).startsWith("slf4j-");
    }

    private static String file(Path jar) {
        return jar.getFileName().toString();
    }

    private static String name(Path jar) {
        Matcher matcher = LIBRARY.matcher(file(jar));
        return matcher.matches() ? matcher.group("name") : file(jar);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the classes of Kafka's broker, which are rarely on the class path of the process that starts one. */
final class BrokerClassPath {
    private static final String BROKER = "kafka_2.13-";

    private BrokerClassPath() {}

    /** Beside this class's jar, in a list that the build has written, or on this JVM's class path. */
    static String find() throws IOException {
        Path own = ownPlace();
        Path folder = Objects.requireNonNull(own.getParent());
        if (Files.isRegularFile(own)) {
            try (Stream<Path> files = Files.list(folder)) {
                String jars = files.map(Path::toString)
                        .filter(file -> file.endsWith(".jar"))
                        .sorted()
                        .collect(Collectors.joining(File.pathSeparator));
                if (jars.contains(File.separator + BROKER)) {
                    return jars;
                }
            }
        }
        Path list = folder.resolve("class-path");
        if (Files.isRegularFile(list)) {
            return own + File.pathSeparator + Files.readString(list).strip();
        }
        String classPath = System.getProperty("java.class.path");
        if (classPath.contains(BROKER)) {
            return classPath;
        }
        throw new IOException(
                "the classes of Kafka's broker are missing: in a clone, ./thalweg kafka start fetches them;"
                        + " in a build of your own, add thalweg-kafka-broker with its dependencies");
    }

    /** A jar or a folder of classes. */
    private static Path ownPlace() throws IOException {
        try {
            return Path.of(BrokerClassPath.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }
}

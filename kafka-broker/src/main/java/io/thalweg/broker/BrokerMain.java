// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * {@code BrokerMain server.properties CLUSTER-ID [tethered]}: formats the broker's folder if it is new and runs the broker. A
 * tethered broker ends with its standard input, that is, with the process that started it.
 */
final class BrokerMain {
    static final String TETHERED = "tethered";

    /** A file beside the settings: the passwords of users who are to be created. It is deleted when they are. */
    static final String USERS = "users";

    private BrokerMain() {}

    public static void main(String[] arguments) throws IOException {
        if (List.of(arguments).contains(TETHERED)) {
            Thread tether = new Thread(BrokerMain::endWithInput, "tether");
            tether.setDaemon(true);
            tether.start();
        }
        Path settings = Path.of(arguments[0]);
        Path users = settings.resolveSibling(USERS);
        if (!Files.exists(settings.resolveSibling("data").resolve("meta.properties"))) {
            List<String> format =
                    new ArrayList<>(List.of("format", "--cluster-id", arguments[1], "--config", arguments[0]));
            addUsers(users, format);
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
            if (StorageTool.execute(format.toArray(String[]::new), out) != 0) {
                throw new IOException("the folder cannot be formatted: " + said.toString(StandardCharsets.UTF_8));
            }
        }
        Files.deleteIfExists(users);
        Kafka.main(new String[] {arguments[0]});
    }

    private static void addUsers(Path users, List<String> format) throws IOException {
        if (!Files.exists(users)) {
            return;
        }
        Properties passwords = new Properties();
        try (Reader reader = Files.newBufferedReader(users)) {
            passwords.load(reader);
        }
        for (String name : passwords.stringPropertyNames()) {
            format.add("--add-scram");
            format.add("SCRAM-SHA-512=[name=" + name + ",password=" + passwords.getProperty(name) + "]");
        }
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // nobody writes
            }
        } catch (IOException e) {
            // it has ended, too
        }
        Runtime.getRuntime().halt(1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * {@code BrokerMain server.properties CLUSTER-ID [tethered]}: formats the broker's folder if it is new and runs the broker. A
 * tethered broker ends with its standard input, that is, with the process that started it.
 */
final class BrokerMain {
    static final String TETHERED = "tethered";

    private BrokerMain() {}

    public static void main(String[] arguments) throws IOException {
        if (List.of(arguments).contains(TETHERED)) {
            Thread tether = new Thread(BrokerMain::endWithInput, "tether");
            tether.setDaemon(true);
            tether.start();
        }
        Path settings = Path.of(arguments[0]);
        if (!Files.exists(settings.resolveSibling("data").resolve("meta.properties"))) {
            String[] format = {"format", "--cluster-id", arguments[1], "--config", arguments[0]};
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            if (StorageTool.execute(format, new PrintStream(said, true, StandardCharsets.UTF_8)) != 0) {
                throw new IOException("the folder cannot be formatted: " + said.toString(StandardCharsets.UTF_8));
            }
        }
        Kafka.main(new String[] {arguments[0]});
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

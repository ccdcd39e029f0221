// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.UsageException;
import io.thalweg.kafka.KafkaCluster;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster a command talks to, and how. */
final class ClusterOptions {
    /** As Kafka's own provider of variables writes it. */
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:([^}]*)}");

    @Option(
            names = "--brokers",
            paramLabel = "HOST:PORT",
            description =
                    "where the cluster is, with commas between several; default: the trial broker that runs in DIR")
    private @Nullable String brokers;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "folder of the trial broker; default: in the user's cache")
    private @Nullable Path dir;

    @Option(
            names = "-X",
            paramLabel = "NAME=VALUE",
            description = "a setting of Kafka's client; $${env:NAME} in VALUE is a variable of the environment")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "-F",
            paramLabel = "FILE",
            description = "settings of Kafka's client, NAME=VALUE a line; -X goes before them")
    private @Nullable Path file;

    @Option(
            names = "--connect-timeout",
            paramLabel = "SECONDS",
            description = "how long to wait for a broker that does not answer; default: 15")
    private int connectSeconds = 15;

    @Option(names = "--debug", description = "prints errors with their stack trace")
    private boolean debug;

    boolean debug() {
        return debug;
    }

    KafkaCluster cluster() {
        if (connectSeconds < 1) {
            throw new UsageException("--connect-timeout must be at least 1 second, not " + connectSeconds);
        }
        KafkaCluster cluster = KafkaCluster.at(servers()).connectTimeout(Duration.ofSeconds(connectSeconds));
        Map<String, String> all = new LinkedHashMap<>(file == null ? Map.of() : read(file));
        all.putAll(settings);
        return with(cluster, all, "with --brokers");
    }

    /**
     * With settings of Kafka's client, in whose values variables of the environment may stand.
     *
     * @param named how brokers are named, for the message
     */
    static KafkaCluster with(KafkaCluster cluster, Map<String, String> settings, String named) {
        KafkaCluster with = cluster;
        try {
            for (Map.Entry<String, String> each : settings.entrySet()) {
                with = with.set(each.getKey(), withVariables(each.getKey(), each.getValue()));
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException("bootstrap.servers is named " + named + ", not as a setting");
        }
        return with;
    }

    private String servers() {
        if (brokers != null) {
            if (brokers.isBlank()) {
                throw new UsageException("--brokers must name a broker, as HOST:PORT");
            }
            return brokers;
        }
        TrialFolder folder = TrialFolder.of(dir);
        return folder.address()
                .orElseThrow(() -> new ConnectorException("no trial broker is running in " + folder.path()
                        + "; start one with 'thalweg kafka start" + folder.option()
                        + "', or name a cluster with --brokers HOST:PORT"));
    }

    /** Settings of Kafka's client, a line each. */
    static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException("the settings cannot be read from " + file
                    + (Files.exists(file) ? ": " + e.getMessage() : ": there is no such file"));
        }
        Map<String, String> all = new LinkedHashMap<>();
        properties.stringPropertyNames().forEach(name -> all.put(name, properties.getProperty(name)));
        return all;
    }

    private static String withVariables(String name, String value) {
        return VARIABLE.matcher(value).replaceAll(match -> Matcher.quoteReplacement(variable(name, match)));
    }

    private static String variable(String name, MatchResult match) {
        String value = System.getenv(match.group(1));
        if (value == null) {
            throw new UsageException(
                    "setting " + name + " needs the variable " + match.group(1) + ", which is not in the environment");
        }
        return value;
    }
}

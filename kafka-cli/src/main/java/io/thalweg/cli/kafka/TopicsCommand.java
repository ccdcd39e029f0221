// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.UsageException;
import io.thalweg.kafka.KafkaCluster;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code thalweg kafka topics}: lists topics, creates some, deletes some. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = "Lists the topics of a cluster, or creates or deletes some.",
        footer = {"", "Exit codes: 0 done, 1 it did not work, 2 the command line is wrong."})
final class TopicsCommand extends ClusterCommand {
    @Option(names = "--create", paramLabel = "NAME", description = "creates a topic; may be repeated")
    private List<String> created = new ArrayList<>();

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "of topics that are created; default: the broker's, 1")
    private @Nullable Integer partitions;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "of each partition; default: one on every trial broker")
    private @Nullable Short replicas;

    @Option(
            names = "--config",
            paramLabel = "NAME=VALUE",
            description = "a setting of topics that are created, such as cleanup.policy=compact; may be repeated")
    private List<String> settings = new ArrayList<>();

    @Option(names = "--delete", paramLabel = "NAME", description = "deletes a topic with its messages; may be repeated")
    private List<String> deleted = new ArrayList<>();

    @Override
    String what() {
        return created.isEmpty() ? deleted.isEmpty() ? "list topics" : "delete topics" : "create topics";
    }

    @Override
    void run(KafkaCluster cluster, AnswerWatch watch) throws ExecutionException, InterruptedException {
        if (created.isEmpty() && (partitions != null || replicas != null || !settings.isEmpty())) {
            throw new UsageException(
                    "--partitions, --replicas and --config say how a topic is created; name it with --create");
        }
        if ((partitions != null && partitions < 1) || (replicas != null && replicas < 1)) {
            throw new UsageException("--partitions and --replicas must be at least 1");
        }
        Map<String, String> configuration = configuration();
        for (String topic : deleted) {
            cluster.partitions(topic); // tells a name that is not there, and the nearest one
            watch.heard();
        }
        try (Admin admin = cluster.admin()) {
            if (!deleted.isEmpty()) {
                admin.deleteTopics(deleted).all().get();
            }
            for (String topic : created) {
                create(cluster, admin, topic, configuration);
                watch.heard();
            }
            if (created.isEmpty() && deleted.isEmpty()) {
                list(admin);
            }
        }
    }

    private Map<String, String> configuration() {
        Map<String, String> all = new HashMap<>();
        for (String setting : settings) {
            int end = setting.indexOf('=');
            if (end < 1) {
                throw new UsageException("--config takes NAME=VALUE, not " + setting);
            }
            all.put(setting.substring(0, end), setting.substring(end + 1));
        }
        return all;
    }

    private void create(KafkaCluster cluster, Admin admin, String topic, Map<String, String> configuration)
            throws ExecutionException, InterruptedException {
        try {
            admin.createTopics(
                            List.of(new NewTopic(topic, Optional.ofNullable(partitions), Optional.ofNullable(replicas))
                                    .configs(configuration)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TopicExistsException) {
                throw new ConnectorException("topic " + topic + " exists already at " + cluster.servers());
            }
            if (e.getCause() instanceof InvalidTopicException) {
                throw new UsageException("'" + topic + "' cannot be the name of a topic: a name has letters, digits,"
                        + " dots, underscores and hyphens, 249 of them at most");
            }
            throw e;
        }
    }

    private static void list(Admin admin) throws ExecutionException, InterruptedException {
        Map<String, TopicDescription> topics =
                described(admin, admin.listTopics().names().get());
        int width = topics.keySet().stream().mapToInt(String::length).max().orElse(0);
        topics.forEach((name, topic) -> System.out.println(name + " ".repeat(width - name.length()) + "  "
                + counted(topic.partitions().size(), "partition", "partitions") + ", "
                + counted(topic.partitions().get(0).replicas().size(), "replica", "replicas")));
    }

    /** In the order of their names; without those that somebody has deleted since they were listed. */
    static Map<String, TopicDescription> described(Admin admin, Collection<String> names)
            throws ExecutionException, InterruptedException {
        Map<String, TopicDescription> there = new TreeMap<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> each :
                admin.describeTopics(names).topicNameValues().entrySet()) {
            try {
                there.put(each.getKey(), each.getValue().get());
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw e;
                }
            }
        }
        return there;
    }

    private static String counted(int number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }
}

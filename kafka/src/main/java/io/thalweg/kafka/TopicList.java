// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Suggestion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Looks up topics and partitions in the cluster. */
record TopicList(ClientSettings settings) {
    /** How many names a message lists. */
    private static final int SHOWN_NAMES = 10;

    /** The servers that the settings name may be gone for good, while a job reads from others that it has heard of. */
    static final Duration OF_RUNNING = Duration.ofSeconds(5);

    /** One that gives up soon, for a thread that reads nothing while it asks. */
    static TopicList ofRunning(ClientSettings settings) {
        return new TopicList(settings.atMost(OF_RUNNING));
    }

    /**
     * The partitions that a source reads, as splits.
     *
     * @throws ConnectorException if a topic or a partition is missing, or no broker answers
     */
    List<String> splits(Topics topics) throws InterruptedException {
        try (Admin admin = admin()) {
            Map<String, TopicDescription> found = describe(admin, names(admin, topics), topics.areNamed());
            if (found.isEmpty()) {
                throw noneMatches(topics, List.of());
            }
            List<String> splits = new ArrayList<>();
            for (TopicDescription topic : found.values()) {
                int count = topic.partitions().size();
                for (int partition : topics.partitions()) {
                    if (partition >= count) {
                        throw new ConnectorException("topic " + topic.name() + " at " + settings.servers() + " has "
                                + count + (count == 1 ? " partition" : " partitions") + ", from 0 on, and no partition "
                                + partition);
                    }
                }
                for (int partition = 0; partition < count; partition++) {
                    if (topics.has(partition)) {
                        splits.add(topic.name() + "-" + partition);
                    }
                }
            }
            return splits;
        }
    }

    /** The ids of topics, which differ if a topic was deleted and created again. */
    Map<String, Uuid> ids(Collection<String> topics) throws InterruptedException {
        try (Admin admin = admin()) {
            return idsOf(describe(admin, topics, true));
        }
    }

    /** As {@link #ids}, without topics that are not there; empty if the cluster does not say, or its name is not known at the moment. */
    Optional<Map<String, Uuid>> idsNow(Collection<String> topics) throws InterruptedException {
        return now(topics).map(TopicList::idsOf);
    }

    static Map<String, Uuid> idsOf(Map<String, TopicDescription> topics) {
        Map<String, Uuid> ids = new LinkedHashMap<>();
        topics.forEach((name, topic) -> ids.put(name, topic.topicId()));
        return ids;
    }

    /** Those of the topics that are there; empty as {@link #idsNow}. */
    Optional<Map<String, TopicDescription>> now(Collection<String> topics) throws InterruptedException {
        try (Admin admin = admin()) {
            Map<String, TopicDescription> there = new LinkedHashMap<>();
            for (Map.Entry<String, KafkaFuture<TopicDescription>> answer :
                    admin.describeTopics(topics).topicNameValues().entrySet()) {
                try {
                    there.put(answer.getKey(), answer.getValue().get());
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                        return Optional.empty();
                    }
                }
            }
            return Optional.of(there);
        } catch (ConnectorException e) {
            return Optional.empty();
        }
    }

    /**
     * Where partitions end, with what transactions that are open have written.
     *
     * @throws KafkaException if the cluster does not say, also when it was asked again until the connect timeout
     */
    Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        partitions.forEach(each -> latest.put(each, OffsetSpec.latest()));
        Map<TopicPartition, Long> ends = new HashMap<>();
        try (Admin admin = admin()) {
            admin.listOffsets(latest).all().get().forEach((partition, end) -> ends.put(partition, end.offset()));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e);
        }
        return ends;
    }

    /**
     * The limits of a topic that will be written.
     *
     * @param warnings hears in a line if this client is not authorised to read them, so that there are none here
     * @throws ConnectorException if they cannot be read for another reason
     */
    TopicLimits limits(String topic, Consumer<String> warnings) throws InterruptedException {
        try (Admin admin = admin()) {
            int partitions = describe(admin, List.of(topic), true)
                    .values()
                    .iterator()
                    .next()
                    .partitions()
                    .size();
            return TopicLimits.of(partitions, configuration(admin, topic, warnings));
        }
    }

    /** The settings of a topic; empty if this client is not authorised to read them. */
    Map<String, String> configuration(Admin admin, String topic, Consumer<String> warnings)
            throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Map<String, String> found = new HashMap<>();
        try {
            for (Config config :
                    admin.describeConfigs(List.of(resource)).all().get().values()) {
                for (ConfigEntry entry : config.entries()) {
                    if (entry.value() != null) {
                        found.put(entry.name(), entry.value());
                    }
                }
            }
        } catch (ExecutionException e) {
            ConnectorException problem = new Failures(settings).of("read the settings of topic " + topic, e);
            if (!(e.getCause() instanceof AuthorizationException)) {
                throw problem;
            }
            warnings.accept(problem.getMessage()
                    + "; so a message that the topic does not take, as one that is too large, fails the job instead of being a bad"
                    + " record, and whether the topic is compacted is not known; allow DescribeConfigs on it");
        }
        return found;
    }

    Admin admin() {
        try {
            return Admin.create(settings.admin());
        } catch (KafkaException e) {
            throw new Failures(settings).of("list topics", e);
        }
    }

    private Collection<String> names(Admin admin, Topics topics) throws InterruptedException {
        if (topics.areNamed()) {
            return topics.names();
        }
        Collection<String> all = all(admin);
        List<String> matching = all.stream().filter(topics::has).toList();
        if (matching.isEmpty()) {
            throw noneMatches(topics, all);
        }
        return matching;
    }

    private ConnectorException noneMatches(Topics topics, Collection<String> all) {
        return new ConnectorException(
                "no topic at " + settings.servers() + " matches " + topics.pattern() + there(all));
    }

    private Collection<String> all(Admin admin) throws InterruptedException {
        try {
            return new TreeSet<>(admin.listTopics().names().get());
        } catch (ExecutionException e) {
            throw new Failures(settings).of("list topics", e);
        }
    }

    /** @param all each must be there; else one may have been deleted since it was listed */
    Map<String, TopicDescription> describe(Admin admin, Collection<String> names, boolean all)
            throws InterruptedException {
        Map<String, TopicDescription> found = new LinkedHashMap<>();
        Map<String, KafkaFuture<TopicDescription>> answers =
                admin.describeTopics(names).topicNameValues();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> answer : new TreeMap<>(answers).entrySet()) {
            String name = answer.getKey();
            try {
                found.put(name, answer.getValue().get());
            } catch (ExecutionException e) {
                boolean gone = e.getCause() instanceof UnknownTopicOrPartitionException;
                if (gone && !all) {
                    continue;
                }
                if (gone) {
                    Collection<String> others = all(admin);
                    String nearest = Suggestion.of(name, others);
                    throw new ConnectorException("there is no topic " + name + " at " + settings.servers()
                            + (nearest.isEmpty() ? there(others) : nearest));
                }
                if (e.getCause() instanceof InvalidTopicException) {
                    throw new ConnectorException("'" + name + "' cannot be the name of a topic: a name has letters,"
                            + " digits, dots, underscores and hyphens, 249 of them at most");
                }
                throw new Failures(settings).of("read topic " + name, e);
            }
        }
        return found;
    }

    private static String there(Collection<String> names) {
        if (names.isEmpty()) {
            return "; there are no topics";
        }
        List<String> some = names.stream().limit(SHOWN_NAMES).toList();
        return "; there are " + String.join(", ", some) + (names.size() > SHOWN_NAMES ? ", …" : "");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.UsageException;
import io.thalweg.cli.report.Report;
import io.thalweg.cli.report.Terminal;
import io.thalweg.kafka.KafkaCluster;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code thalweg kafka consume TOPIC}: messages to standard output. */
@Command(
        name = "consume",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = "Writes the messages of a topic to standard output; without --to or --count until Ctrl-C.",
        footer = {
            "",
            "Parts of a FORMAT: %%t topic, %%p partition, %%o offset, %%T timestamp, %%k key, %%K its length,",
            "%%s value, %%S its length (-1: none), %%h headers, %%%% a percent sign; \\n, \\t, \\r, \\0, \\xHH, \\\\.",
            "Exit codes: 0 done, or the reader of the output is gone; 1 it did not work, 2 the command line is wrong,",
            "130 stopped by Ctrl-C."
        })
final class ConsumeCommand extends ClusterCommand {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final Duration POLL = Duration.ofMillis(250);
    private static final int POLLS_UNTIL_CHECKED = 20;

    @Parameters(paramLabel = "TOPIC", description = "must exist")
    private String topic = "";

    @Option(
            names = "--from",
            paramLabel = "WHERE",
            description = "earliest (the default), latest, an offset, or a time as 2026-01-31 or 2026-01-31T12:00:00Z")
    private String from = Bounds.EARLIEST;

    @Option(
            names = "--to",
            paramLabel = "WHERE",
            description = "latest: what is there now; or an offset, which is not read any more, and is waited for")
    private @Nullable String to;

    @Option(names = "--count", paramLabel = "N", description = "ends after this number of messages")
    private long count = Long.MAX_VALUE;

    @Option(names = "-p", paramLabel = "N", description = "only this partition; may be repeated")
    private List<Integer> partitions = new ArrayList<>();

    @Option(names = "-f", paramLabel = "FORMAT", description = "how each message is written; default: %%s\\n")
    private @Nullable String format;

    @Option(names = "--json", description = "a JSON object a message; bytes that are not UTF-8 as {\"base64\":\"…\"}")
    private boolean json;

    @Override
    String what() {
        return "read topic " + topic;
    }

    @Override
    void run(KafkaCluster cluster, AnswerWatch watch) throws IOException, InterruptedException {
        if (count < 0) {
            throw new UsageException("--count must not be negative");
        }
        if (json && format != null) {
            throw new UsageException("--json and -f exclude each other");
        }
        Bounds bounds = new Bounds(from, to);
        boolean terminal = Terminal.isOutput();
        MessageWriter writer = json
                ? new MessageJson(terminal)
                : MessageFormat.of(format == null ? MessageFormat.VALUE : format, terminal);
        List<TopicPartition> all = partitions(cluster.partitions(topic));
        watch.heard();
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_BYTES);
        try (Consumer<byte[], byte[]> consumer = cluster.consumer()) {
            Map<TopicPartition, Long> begins = bounds.begins(consumer, all);
            Map<TopicPartition, Long> ends = bounds.ends(consumer, all);
            List<String> warnings = new ArrayList<>(bounds.warnings(begins));
            warnings.addAll(bounds.waits(consumer, ends));
            for (String warning : warnings) {
                Report.standardError().println("thalweg: " + warning);
            }
            watch.answered();
            consumer.assign(all);
            begins.forEach(consumer::seek);
            copy(
                    consumer,
                    ends,
                    message -> writer.write(message, out),
                    out,
                    new LostBroker(consumer, cluster.servers()));
        }
    }

    private List<TopicPartition> partitions(int there) {
        for (int each : partitions) {
            if (each < 0 || each >= there) {
                throw new UsageException("topic " + topic + " has " + there
                        + (there == 1 ? " partition" : " partitions") + ", from 0 on, and no partition " + each);
            }
        }
        return IntStream.range(0, there)
                .filter(each -> partitions.isEmpty() || partitions.contains(each))
                .mapToObj(each -> new TopicPartition(topic, each))
                .toList();
    }

    /** Takes a message to where it goes. */
    private interface Taker {
        void take(ConsumerRecord<byte[], byte[]> message) throws IOException;
    }

    /** The consumer waits for a topic that was deleted, without a word. */
    private void checkTopic(Consumer<?, ?> consumer) {
        boolean deleted;
        try {
            deleted = consumer.partitionsFor(topic, POLL).isEmpty();
        } catch (UnknownTopicOrPartitionException e) {
            deleted = true;
        } catch (RetriableException e) {
            deleted = false; // the cluster is away
        }
        if (deleted) {
            throw new ConnectorException("topic " + topic + " was deleted while it was read");
        }
    }

    private void copy(
            Consumer<byte[], byte[]> consumer,
            Map<TopicPartition, Long> ends,
            Taker taker,
            OutputStream out,
            LostBroker lost) {
        long left = count;
        long emptyPolls = 0;
        try {
            while (left > 0 && !endReached(consumer, ends)) {
                ConsumerRecords<byte[], byte[]> messages = consumer.poll(POLL);
                lost.check(messages.isEmpty());
                emptyPolls = messages.isEmpty() ? emptyPolls + 1 : 0;
                if (emptyPolls % POLLS_UNTIL_CHECKED == POLLS_UNTIL_CHECKED - 1) {
                    checkTopic(consumer);
                }
                for (ConsumerRecord<byte[], byte[]> message : messages) {
                    long end = ends.getOrDefault(new TopicPartition(message.topic(), message.partition()), 0L);
                    if (left > 0 && message.offset() < end) {
                        taker.take(message);
                        left--;
                    }
                }
                out.flush();
            }
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            if (!message.contains("Broken pipe") && !message.contains("pipe is being closed")) {
                throw new ConnectorException("cannot write to standard output: " + message, e);
            }
        }
    }

    /** Partitions that are read to their end are read no further. */
    private static boolean endReached(Consumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
        Set<TopicPartition> done = new HashSet<>();
        for (TopicPartition partition : consumer.assignment()) {
            if (consumer.position(partition) >= ends.getOrDefault(partition, 0L)) {
                done.add(partition);
            }
        }
        consumer.pause(done);
        return done.size() == consumer.assignment().size();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.UsageException;
import io.thalweg.cli.report.Report;
import io.thalweg.kafka.KafkaCluster;
import io.thalweg.kafka.KafkaHeader;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code thalweg kafka produce TOPIC}: the lines of standard input as messages. */
@Command(
        name = "produce",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = "Sends each line of standard input as a message; a last line without its end counts, too.",
        footer = {"", "Exit codes: 0 all are sent, 1 some are not, 2 the command line is wrong."})
final class ProduceCommand extends ClusterCommand {
    private static final int BUFFER_BYTES = 1 << 16;

    @Parameters(paramLabel = "TOPIC", description = "must exist")
    private String topic = "";

    @Option(
            names = "-K",
            paramLabel = "SEPARATOR",
            description = "what is before it in a line is the key; a line without it is an error")
    private @Nullable String separator;

    @Option(names = "-Z", description = "sends empty keys and values as null; a null value is a tombstone")
    private boolean nulls;

    @Option(names = "-H", paramLabel = "NAME=VALUE", description = "a header of every message; may be repeated")
    private List<String> headers = new ArrayList<>();

    @Option(
            names = "-p",
            paramLabel = "N",
            description = "partition; default: by the key, or as Kafka's client chooses")
    private @Nullable Integer partition;

    /** The first message that was not taken. */
    private final AtomicReference<@Nullable Refused> refused = new AtomicReference<>();

    private record Refused(long line, Exception why) {}

    @Override
    String what() {
        return "write topic " + topic;
    }

    @Override
    void run(KafkaCluster cluster) throws IOException, InterruptedException {
        if (separator != null && separator.isEmpty()) {
            throw new UsageException("-K takes the text that separates key and value, such as -K :");
        }
        List<Header> all = headers.stream().map(ProduceCommand::header).toList();
        int partitions = cluster.partitions(topic);
        if (partition != null && (partition < 0 || partition >= partitions)) {
            throw new UsageException("topic " + topic + " has " + partitions
                    + (partitions == 1 ? " partition" : " partitions") + ", from 0 on, and no partition " + partition);
        }
        long lines = 0;
        try (Producer<byte[], byte[]> producer = cluster.producer();
                InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in), BUFFER_BYTES)) {
            Lines input = new Lines(in);
            for (byte[] line = input.next(); line != null && refused.get() == null; line = input.next()) {
                lines++;
                send(producer, message(line, lines, all), lines);
            }
            producer.flush();
        }
        Refused first = refused.get();
        if (first != null) {
            throw new ConnectorException("line " + first.line() + " of standard input: "
                    + cluster.failure(what(), first.why()).getMessage()
                    + "; lines before it are sent, and some after it may be");
        }
        Report.standardError()
                .println("thalweg: sent " + lines + (lines == 1 ? " message" : " messages") + " to topic " + topic);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback hears of it
    private void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message, long line) {
        try {
            producer.send(message, (sent, e) -> {
                if (e != null) {
                    refused.accumulateAndGet(new Refused(line, e), ProduceCommand::earlier);
                }
            });
        } catch (KafkaException e) {
            refused.accumulateAndGet(new Refused(line, e), ProduceCommand::earlier);
        }
    }

    private static @Nullable Refused earlier(@Nullable Refused a, @Nullable Refused b) {
        return a == null || (b != null && b.line() < a.line()) ? b : a;
    }

    private ProducerRecord<byte[], byte[]> message(byte[] line, long number, List<Header> all) {
        if (separator == null) {
            return new ProducerRecord<>(topic, partition, null, null, sent(line), all);
        }
        byte[] between = separator.getBytes(StandardCharsets.UTF_8);
        int end = Lines.indexOf(line, between);
        if (end < 0) {
            throw new ConnectorException("line " + number + " of standard input has no key: there is no '" + separator
                    + "' in it; the lines before it are sent");
        }
        byte[] key = Arrays.copyOf(line, end);
        byte[] value = Arrays.copyOfRange(line, end + between.length, line.length);
        return new ProducerRecord<>(topic, partition, sent(key), sent(value), all);
    }

    private byte @Nullable [] sent(byte[] bytes) {
        return nulls && bytes.length == 0 ? null : bytes;
    }

    private static Header header(String option) {
        int end = option.indexOf('=');
        if (end < 1) {
            throw new UsageException("-H takes NAME=VALUE, not " + option);
        }
        KafkaHeader header = KafkaHeader.of(option.substring(0, end), option.substring(end + 1));
        return new RecordHeader(header.name(), header.value());
    }
}

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
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

    /** More than any broker takes unless it is told to, and it fits in memory several times. */
    private static final int LONGEST_LINE =
            (int) Math.min(128 << 20, Runtime.getRuntime().maxMemory() / 8);

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

    /** How many were not. */
    private final AtomicLong lost = new AtomicLong();

    /** How many were read and could be sent. */
    private final AtomicLong lines = new AtomicLong();

    /** Why no more could be; empty while all could. */
    private volatile String broken = "";

    /** Completed when the first is not taken. */
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    private record Refused(long line, Exception why) {}

    @Override
    String what() {
        return "write topic " + topic;
    }

    @Override
    void run(KafkaCluster cluster, AnswerWatch watch) throws ExecutionException, InterruptedException {
        if (separator != null && separator.isEmpty()) {
            throw new UsageException("-K takes the text that separates key and value, such as -K :");
        }
        List<Header> all = headers.stream().map(ProduceCommand::header).toList();
        int partitions = cluster.partitions(topic);
        if (partition != null && (partition < 0 || partition >= partitions)) {
            throw new UsageException("topic " + topic + " has " + partitions
                    + (partitions == 1 ? " partition" : " partitions") + ", from 0 on, and no partition " + partition);
        }
        watch.answered();
        try (Producer<byte[], byte[]> producer = cluster.producer()) {
            CompletableFuture<Void> read = new CompletableFuture<>();
            Thread reader = new Thread(() -> read(producer, all, watch, read), "standard input");
            reader.setDaemon(true); // it may wait for a line when the command ends
            reader.start();
            CompletableFuture.anyOf(read, stopped).get();
            producer.flush();
        }
        long lines = this.lines.get();
        Refused first = refused.get();
        if (first != null) {
            String sent = "of " + lines + (lines == 1 ? " line" : " lines") + " that " + (lines == 1 ? "was" : "were")
                    + " read, " + lost.get() + (lost.get() == 1 ? " was" : " were") + " not sent, ";
            String why = reason(cluster, first.why());
            throw new ConnectorException(
                    broken.isEmpty()
                            ? "line " + first.line() + " of standard input: " + why + "; " + sent + "this one first"
                            : broken + "; " + sent + "line " + first.line() + " first: " + why);
        }
        if (!broken.isEmpty()) {
            throw new ConnectorException(broken + "; what was read before is sent");
        }
        Report.standardError()
                .println("thalweg: sent " + lines + (lines == 1 ? " message" : " messages") + " to topic " + topic);
    }

    private void read(
            Producer<byte[], byte[]> producer, List<Header> headers, AnswerWatch watch, CompletableFuture<Void> read) {
        try (InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in), BUFFER_BYTES)) {
            Lines input = new Lines(in, LONGEST_LINE);
            for (byte[] line = input.next(); line != null && refused.get() == null; line = input.next()) {
                long number = lines.get() + 1;
                ProducerRecord<byte[], byte[]> message = message(line, number, headers);
                lines.set(number);
                send(producer, message, number, watch);
            }
            read.complete(null);
        } catch (IOException e) {
            broken = "cannot read standard input: " + e.getMessage();
            read.complete(null);
        } catch (ConnectorException e) {
            broken = String.valueOf(e.getMessage());
            read.complete(null);
        } catch (RuntimeException | Error e) {
            read.completeExceptionally(e);
        }
    }

    /** A message that the cluster has taken without its answer coming back counts as not sent. */
    private String reason(KafkaCluster cluster, Exception why) {
        return why instanceof TimeoutException
                ? "cannot " + what() + " at " + cluster.servers() + ": no answer in time (" + why.getMessage() + ")"
                : String.valueOf(cluster.failure(what(), why).getMessage());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback hears of it
    private void send(
            Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message, long line, AnswerWatch watch) {
        watch.asked();
        try {
            producer.send(message, (sent, e) -> {
                if (e == null) {
                    watch.answered();
                } else {
                    onRefused(new Refused(line, e), watch);
                }
            });
        } catch (KafkaException e) {
            onRefused(new Refused(line, e), watch);
        }
    }

    private void onRefused(Refused message, AnswerWatch watch) {
        lost.incrementAndGet();
        refused.accumulateAndGet(message, ProduceCommand::earlier);
        watch.gaveUp();
        stopped.complete(null);
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
            throw new ConnectorException(
                    "line " + number + " of standard input has no key: there is no '" + separator + "' in it");
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

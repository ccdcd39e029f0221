// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.KafkaSends;
import io.thalweg.doctor.observation.OperatorProfile;
import java.util.ArrayList;
import java.util.List;

/** The job waits for a sink that writes to Kafka: because of its batches, of how they are compressed, or of the brokers. */
final class KafkaSendsRule implements Rule {
    /** Of the busy time of its chain, in the sink, as for any slow sink. */
    private static final double MIN_SHARE = 0.5;

    /** Of the time of its tasks: then what they wait for is worth a change. */
    private static final double MIN_WAITING = 0.2;

    /** Then they do little else. */
    private static final double MOSTLY_WAITING = 0.5;

    /** Kafka's own {@code batch.size}; that of Thalweg's sink is eight times as large. */
    private static final long DEFAULT_BATCH = 16 << 10;

    private static final double OWN_BATCH = 8.0 * DEFAULT_BATCH;

    /** Of {@code batch.size}: one more record seldom fits. */
    private static final double FULL = 0.5;

    /** Kafka's own {@code linger.ms}, since version 4. */
    private static final long DEFAULT_LINGER = 5;

    /** Of a task in a second. One takes a thread of the client some 50 us, so this is a twentieth of a core. */
    private static final double MANY_REQUESTS = 1_000;

    /**
     * What a batch costs a task, in messages of a full one: 27 us were measured for a message of 120 bytes that has a batch to itself, and 5
     * for one in a batch of 128 KiB.
     */
    private static final double BATCH_MESSAGES = 4.4;

    /** Who waits all the time waits for less than it seems now and then. */
    private static final double MOST_WAITING = 0.99;

    /** In a second, of all producers: a tenth of what a network of a gigabit carries, or a slow disk. */
    private static final double MANY_BYTES = 10e6;

    /** Nobody knows before what it would bring. */
    private static final double UNKNOWN = 0.2;

    /**
     * Of the time in a sink that compresses by gzip, what zstd or lz4 save at least and at most: 0.2 and 0.3 were measured with messages of
     * 120 bytes, and there is less to do besides for those that are longer.
     */
    private static final double LEAST_SAVED = 0.15;

    private static final double MOST_SAVED = 0.7;

    @Override
    public List<Finding> findings(Facts facts) {
        List<Finding> found = new ArrayList<>();
        for (ChainFacts chain : facts.chains()) {
            chain.info().operators().forEach(operator -> found.addAll(of(facts, chain, operator)));
        }
        return found;
    }

    /** What is found of an operator of a chain. */
    static List<Finding> of(Facts facts, ChainFacts chain, String operator) {
        OperatorProfile profile = facts.profile(operator);
        KafkaSends sends = profile == null ? null : profile.sends();
        if (sends == null || sends.requests() == 0 || !isTaken(chain)) {
            return List.of();
        }
        double observedNs = (double) sends.observedNs() / sends.producers();
        // where a source has few splits, some tasks get nothing
        long tasks = Math.max(
                1, chain.tasks().stream().filter(task -> task.recordsIn() > 0).count());
        double tasksNs = observedNs * tasks;
        double full = Math.min(1, sends.bufferWaitNs() / tasksNs);
        double flushing = sends.flushNs() / tasksNs;
        double share = Math.max(full, facts.usefulNs(chain, operator) / Math.max(1, chain.busyNs()));
        double sent = sends.records() / observedNs;
        double came = chain.info().operators().size() == 1 ? perNs(facts, chain) : sent;
        // who waits for the answer to each record sends it alone, whatever the settings are
        return share < MIN_SHARE || flushing >= MIN_WAITING
                ? List.of()
                : new Judged(facts, operator, sends, tasks, share, full, sent == 0 ? 1 : Math.max(1, came / sent))
                        .findings();
    }

    /** What came to it over the whole observation, as producers are observed. */
    private static double perNs(Facts facts, ChainFacts chain) {
        long records = chain.tasks().stream()
                .mapToLong(task -> facts.whole(task).recordsIn())
                .sum();
        return records * facts.steadyShare() / facts.lengthNs();
    }

    /** A task has no time left. A call that takes seconds, as with a full buffer, counts as busy only when it has ended. */
    private static boolean isTaken(ChainFacts chain) {
        return chain.tasks().stream()
                .anyMatch(task -> task.isTimed()
                        && task.waitingNs() + task.heldBackNs() <= (1 - Facts.SATURATED) * chain.lengthNs());
    }

    /**
     * What is known of a sink that the job waits for.
     *
     * @param tasks that got messages
     * @param share of the time of its tasks, in the sink
     * @param full of the time of its tasks, in which a producer had no room for a message
     * @param ahead how many times as many messages came as were sent: until a buffer is full, it takes the others
     */
    private record Judged(
            Facts facts, String operator, KafkaSends sends, long tasks, double share, double full, double ahead) {
        List<Finding> findings() {
            boolean throttled = sends.throttleMs() >= KafkaFetchesRule.THROTTLED_MS;
            boolean filled = sends.batchBytes() >= FULL * sends.batchSize();
            if (!throttled && filled && sends.batchSize() < DEFAULT_BATCH) {
                return smallBatches();
            }
            if (!throttled && !filled && sends.lingerMs() < DEFAULT_LINGER && requests() >= MANY_REQUESTS) {
                return List.of(noLinger());
            }
            if (waiting() < MIN_WAITING) {
                return sends.compression().equals("gzip") ? gzip() : List.of();
            }
            if (sends.compression().equals("none") && (throttled || waitsForBytes())) {
                return List.of(uncompressed(throttled));
            }
            return List.of(throttled ? quota() : slowBroker());
        }

        /** How much faster its tasks are while they do not wait. */
        private double room() {
            return ahead / (1 - Math.min(MOST_WAITING, full));
        }

        /** Of the time of its tasks, once the buffers are full. */
        private double waiting() {
            return 1 - 1 / room();
        }

        private double seconds() {
            return sends.observedNs() / 1e9 / sends.producers();
        }

        /** Of a task in a second. */
        private double requests() {
            return sends.requests() / seconds() / tasks;
        }

        private double bytes() {
            return sends.bytes() / seconds();
        }

        /** There is much to send, it is sent in large batches, and a core is left to compress them. */
        private boolean waitsForBytes() {
            return waiting() >= MOSTLY_WAITING
                    && bytes() >= MANY_BYTES
                    && sends.batchBytes() >= FULL * DEFAULT_BATCH
                    && !facts.isMachineFull();
        }

        private Findings evidence(String rule) {
            return Findings.of(rule)
                    .operator(operator)
                    .share("of the time of its tasks in the sink", share)
                    .share("with a full buffer", full)
                    .figure("messages come", ahead * sends.records() / seconds(), "/s")
                    .figure("messages sent", sends.records() / seconds(), "/s")
                    .figure("requests", sends.requests() / seconds(), "/s")
                    .figure("of each", sends.latencyMs(), "ms")
                    .figure("records in each", (double) sends.records() / sends.requests(), "")
                    .figure("batches of", sends.batchBytes(), "bytes")
                    .figure("that waited for", sends.queueMs(), "ms")
                    .figure("sent", bytes() / 1e6, "MB/s");
        }

        private List<Finding> smallBatches() {
            double messages = sends.batchBytes() * sends.records() / Math.max(1, sends.bytes());
            double larger = OWN_BATCH / Math.max(1, sends.batchBytes());
            double least = Math.min(larger, room());
            double most = Math.min(larger, room() * (1 + BATCH_MESSAGES / Math.max(1, messages)));
            return evidence("producer-batches")
                    .figure("batch.size", sends.batchSize(), "")
                    .why("the job waits for '" + operator
                            + "', whose batches are full with few bytes: each of them costs"
                            + " what a large one costs")
                    .remedy("leave batch.size out of the settings of '" + operator + "', which is 128 KiB then")
                    .throughput(least, most, "without batch.size a request has as many records, or the job is as fast");
        }

        private Finding noLinger() {
            return evidence("producer-batches")
                    .figure("linger.ms", sends.lingerMs(), "")
                    .figure("batch.size", sends.batchSize(), "")
                    .why("the job waits for '" + operator + "', which sends batches before they are full")
                    .remedy("leave linger.ms out of the settings of '" + operator
                            + "', which is 5 then, or set it to 20: a record waits for so many milliseconds at most")
                    .made(UNKNOWN, null, "with linger.ms=20 a request has as many records, or the job is as fast");
        }

        private Finding uncompressed(boolean throttled) {
            Findings finding = evidence("compression");
            if (throttled) {
                finding.figure("a quota holds each back for", sends.throttleMs(), "ms");
            }
            return finding.why("the job waits for '" + operator + "', and that for the brokers"
                            + (throttled
                                    ? ", which hold it back because of a quota for bytes: they are not compressed"
                                    : " to take many bytes, which are not compressed, while cores are idle"))
                    .remedy("set compression.type=lz4 for '" + operator + "', or zstd, which is slower and makes fewer"
                            + " bytes; by how much they shrink depends on the records")
                    .made(waiting(), null, "with compression.type=lz4 it sends as many bytes, or the job is as fast");
        }

        private List<Finding> gzip() {
            double busy = Math.min(1, share);
            return evidence("compression")
                    .why("the job waits for '" + operator + "', which compresses what it writes by gzip")
                    .remedy("set compression.type=zstd for '" + operator
                            + "', which makes about as few bytes, or lz4, which is the fastest and makes more")
                    .throughput(
                            1 / (1 - LEAST_SAVED * busy),
                            1 / (1 - MOST_SAVED * busy),
                            "with compression.type=none the job is as fast");
        }

        private Finding quota() {
            return evidence("quota")
                    .figure("a quota holds each back for", sends.throttleMs(), "ms")
                    .why("the brokers hold the producers of '" + operator + "' back, because of a quota")
                    .remedy("have the quota producer_byte_rate raised")
                    .made(waiting(), null, "without the quota the job is as fast");
        }

        private Finding slowBroker() {
            return evidence("slow-broker")
                    .why("the job waits for '" + operator
                            + "': the buffers of its producers are full, because brokers take"
                            + " messages more slowly than they come, in batches that are large enough")
                    .remedy("look for what the brokers wait: their disks, replicas that are to have each message"
                            + " (acks=all), their cores; or give the topic more partitions on more brokers. A larger"
                            + " buffer.memory only delays it")
                    .made(waiting(), null, "with a sink that discards everything the job is as slow");
        }
    }
}

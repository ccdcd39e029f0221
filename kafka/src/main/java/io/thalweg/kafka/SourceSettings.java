// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.Secret;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * What a source reads, and how.
 *
 * @param group empty for none
 * @param untilLatest reading ends at the offsets that were the latest when the job started
 * @param discovery how often new partitions are looked for; zero for never
 * @param readAheadBytes that a task may hold of what it has not read
 */
record SourceSettings(
        ClientSettings settings,
        Topics topics,
        Start start,
        String group,
        boolean untilLatest,
        Duration discovery,
        OutOfRange outOfRange,
        long readAheadBytes)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final Duration DISCOVERY = Duration.ofMinutes(1);
    private static final int MAX_POLL_RECORDS = 10_000;
    private static final long READ_AHEAD_BYTES = 64 << 20;

    /** As in Kafka's own performance tool. By default a fetch of a megabyte comes in pieces of 64 KiB. */
    private static final int RECEIVE_BUFFER_BYTES = 2 << 20;

    /** Settings that would break the guarantees of the source. */
    private static final Map<String, String> OWNED = Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "name the servers in read(…)",
            ConsumerConfig.GROUP_ID_CONFIG, "name the group with group(…)",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "the checkpoint decides; group(…) shows others how far it is",
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "say it with from(…) and onOutOfRange(…)",
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, "the bytes of the key are in withRecord()",
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, "give read(…) a Decoder");

    static SourceSettings of(ClientSettings settings, Topics topics) {
        return new SourceSettings(
                settings, topics, Start.earliest(), "", false, DISCOVERY, OutOfRange.FAIL, READ_AHEAD_BYTES);
    }

    SourceSettings with(String name, Secret value) {
        return with(settings.with(name, value, OWNED));
    }

    SourceSettings with(String name, String value) {
        return with(settings.with(name, value, OWNED));
    }

    SourceSettings with(Map<String, String> properties) {
        return with(settings.with(properties, OWNED));
    }

    SourceSettings with(ClientSettings others) {
        return new SourceSettings(others, topics, start, group, untilLatest, discovery, outOfRange, readAheadBytes);
    }

    SourceSettings with(Topics others) {
        return new SourceSettings(settings, others, start, group, untilLatest, discovery, outOfRange, readAheadBytes);
    }

    SourceSettings with(Start other) {
        return new SourceSettings(settings, topics, other, group, untilLatest, discovery, outOfRange, readAheadBytes);
    }

    SourceSettings with(OutOfRange policy) {
        return new SourceSettings(settings, topics, start, group, untilLatest, discovery, policy, readAheadBytes);
    }

    SourceSettings inGroup(String name) {
        return new SourceSettings(settings, topics, start, name, untilLatest, discovery, outOfRange, readAheadBytes);
    }

    SourceSettings discovering(Duration interval) {
        return new SourceSettings(settings, topics, start, group, untilLatest, interval, outOfRange, readAheadBytes);
    }

    SourceSettings ending() {
        return new SourceSettings(settings, topics, start, group, true, Duration.ZERO, outOfRange, readAheadBytes);
    }

    SourceSettings readingAhead(long bytes) {
        return new SourceSettings(settings, topics, start, group, untilLatest, discovery, outOfRange, bytes);
    }

    /** The value of a numeric setting, Kafka's own default unless configured; the consumer refuses other values. */
    long number(String name) {
        Object ofKafka = ConsumerConfig.configDef().defaultValues().getOrDefault(name, "");
        try {
            return Long.parseLong(String.valueOf(settings.shownOver(defaults()).getOrDefault(name, ofKafka))
                    .strip());
        } catch (NumberFormatException e) {
            return Integer.MAX_VALUE;
        }
    }

    /** How long no answer may come, of a cluster that is asked for messages. */
    Duration patience() {
        Object wait = consumer().getOrDefault(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "0");
        try {
            Duration fetch =
                    Duration.ofMillis(2 * Long.parseLong(wait.toString().strip()));
            return fetch.compareTo(Silence.PATIENCE) > 0 ? fetch : Silence.PATIENCE;
        } catch (NumberFormatException e) {
            return Silence.PATIENCE; // the consumer refuses it
        }
    }

    /** Settings of the consumer. */
    Map<String, Object> consumer() {
        Map<String, Object> all = new HashMap<>(settings.over(defaults()));
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        if (!group.isEmpty()) {
            all.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        }
        return all;
    }

    private Map<String, Object> defaults() {
        int fetchBytes = (int) Math.min(ConsumerConfig.DEFAULT_FETCH_MAX_BYTES, readAheadBytes);
        return Map.of(
                ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                fetchBytes,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                MAX_POLL_RECORDS,
                ConsumerConfig.RECEIVE_BUFFER_CONFIG,
                RECEIVE_BUFFER_BYTES,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false);
    }

    /** {@code topic orders of localhost:9092 (reads 64 MiB ahead)}. */
    String describe() {
        long mebibytes = readAheadBytes >> 20;
        return this + " (reads " + (mebibytes << 20 == readAheadBytes ? mebibytes + " MiB" : readAheadBytes + " bytes")
                + " ahead)";
    }

    /** {@code topic orders of localhost:9092}. */
    @Override
    public String toString() {
        return topics + " of " + settings.servers();
    }
}

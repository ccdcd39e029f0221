// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.SourceContext;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads topics, each partition as a split, each task through one consumer. Without an end, unless {@link #untilLatest} is called. It
 * can be replayed, so it takes part in checkpoints. Immutable: each method returns another source. Made by {@link Kafka}.
 *
 * @param <T> records
 */
public final class KafkaSource<T> implements LiveSource<T> {
    private static final long serialVersionUID = 1L;

    private final Reading reading;
    private final MessageDecoder<T> decoder;

    private KafkaSource(Reading reading, MessageDecoder<T> decoder) {
        this.reading = reading;
        this.decoder = decoder;
    }

    static <T> KafkaSource<T> of(String servers, Topics topics, Decoder<T> decoder) {
        return new KafkaSource<>(Reading.of(ClientSettings.of(servers), topics), new MessageDecoder.Values<>(decoder));
    }

    private KafkaSource<T> with(Reading other) {
        return new KafkaSource<>(other, decoder);
    }

    /** Each value with its key, headers, timestamp, topic, partition and offset; messages without a value, too. */
    public KafkaSource<KafkaRecord<T>> withRecord() {
        if (decoder instanceof MessageDecoder.Values<T> values) {
            return new KafkaSource<>(reading, new MessageDecoder.Records<>(values.decoder()));
        }
        throw new IllegalStateException("withRecord() was called twice");
    }

    /** Only these partitions of each topic; all unless told. */
    public KafkaSource<T> partitions(Set<Integer> partitions) {
        return with(reading.with(reading.topics().only(partitions)));
    }

    /** Where it begins; {@link Start#earliest} unless told. */
    public KafkaSource<T> from(Start start) {
        return with(reading.with(start));
    }

    /** Ends at the offsets that were the latest when the job started, so that the job ends, too. */
    public KafkaSource<T> untilLatest() {
        return with(reading.ending());
    }

    /**
     * Commits offsets to this consumer group once they are safe, so that other tools show how far the job is. The job itself goes on
     * from its checkpoint. No consumer may be a member of the group.
     */
    public KafkaSource<T> group(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the group needs a name");
        }
        return with(reading.inGroup(name));
    }

    /** How often partitions are looked for that were created later; every minute unless told, never if zero. */
    public KafkaSource<T> discovery(Duration interval) {
        if (interval.isNegative()) {
            throw new IllegalArgumentException("the interval of discovery must not be negative: " + interval);
        }
        if (reading.untilLatest()) {
            throw new IllegalArgumentException("a source that ends looks for no new partitions");
        }
        return with(reading.discovering(interval));
    }

    /** What happens if the offset to go on from is not there; {@link OutOfRange#FAIL} unless told. */
    public KafkaSource<T> onOutOfRange(OutOfRange policy) {
        return with(reading.with(policy));
    }

    /** How long no broker may answer before the job fails to start; 30 seconds unless told. */
    public KafkaSource<T> connectTimeout(Duration atMost) {
        return with(reading.with(reading.settings().connectTimeout(atMost)));
    }

    /**
     * Any setting of Kafka's consumer: {@code set("fetch.max.bytes", "10485760")}. Passwords and keys appear in no message.
     *
     * @throws IllegalArgumentException for one that the source needs itself, with what to call instead
     */
    public KafkaSource<T> set(String name, String value) {
        return with(reading.with(name, value));
    }

    @Override
    public String name() {
        return reading.toString();
    }

    @Override
    public Type<T> type() {
        return decoder.type();
    }

    @Override
    public List<String> splits(int parallelism) throws InterruptedException {
        if (reading.start() instanceof Start.Committed && reading.group().isEmpty()) {
            throw new ConnectorException("Start.committed() needs group(…): whose offsets are meant?");
        }
        return new TopicList(reading.settings()).splits(reading.topics());
    }

    @Override
    public void checkSplits(List<String> splits) {
        for (String split : splits) {
            TopicPartition partition = Split.of(split);
            if (!reading.topics().has(partition.topic()) || !reading.topics().has(partition.partition())) {
                throw new ConnectorException(
                        "it reads " + name() + ", but the checkpoint was reading " + split + ", too");
            }
        }
    }

    @Override
    public Duration discovery() {
        return reading.discovery();
    }

    /** Partitions of one topic differ by one. */
    @Override
    public int spread(String split) {
        TopicPartition partition = Split.of(split);
        return partition.topic().hashCode() + partition.partition();
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public LiveReader<T> open(SourceContext context) {
        return KafkaReader.open(reading, decoder.open(), context);
    }
}

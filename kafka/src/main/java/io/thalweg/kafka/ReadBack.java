// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.record.TimestampType;

/** Reads messages of an aborted transaction from their topic and sends them again, to the same partitions and in the same order. */
final class ReadBack {
    private static final Duration POLL = Duration.ofMillis(100);

    private final SinkSettings sink;
    private final Sender sender;
    private final Map<TopicPartition, Wanted> wanted =
            new TreeMap<>(Comparator.comparingInt(TopicPartition::partition));
    private final SentOffsets.Sum sum = new SentOffsets.Sum();
    private long left;

    ReadBack(SinkSettings sink, Sender sender) {
        this.sink = sink;
        this.sender = sender;
    }

    /** Offsets of one partition, passed in their order. */
    private static final class Wanted {
        private final Iterator<SentOffsets.Range> later;
        private final long first;
        private final long end;
        private SentOffsets.Range range;

        Wanted(List<SentOffsets.Range> ranges) {
            List<SentOffsets.Range> inOrder = ranges.stream()
                    .sorted(Comparator.comparingLong(range -> range.first))
                    .toList();
            first = inOrder.get(0).first;
            end = inOrder.get(inOrder.size() - 1).end();
            later = inOrder.iterator();
            range = later.next();
        }

        boolean has(long offset) {
            while (offset >= range.end() && later.hasNext()) {
                range = later.next();
            }
            return offset >= range.first && offset < range.end();
        }
    }

    /**
     * Sends the messages in the sender's open transaction.
     *
     * @param places ranges of each partition
     * @param count how many messages there are
     * @param expected their {@link SentOffsets.Sum}
     * @throws ConnectorException if they are not all there any more; nothing may be committed then
     */
    void send(Map<Integer, List<SentOffsets.Range>> places, long count, long expected) throws InterruptedException {
        left = count;
        places.forEach(
                (partition, ranges) -> wanted.put(new TopicPartition(sink.topic(), partition), new Wanted(ranges)));
        try (Consumer<byte[], byte[]> consumer = sink.readingBack()) {
            consumer.assign(wanted.keySet());
            wanted.forEach((partition, offsets) -> consumer.seek(partition, offsets.first));
            long looks = sink.settings().connectTimeout().dividedBy(POLL);
            long empty = 0;
            while (!wanted.isEmpty()) {
                empty = readSome(consumer) ? 0 : empty + 1;
                if (empty > looks) {
                    throw gone(count, "and no more come");
                }
            }
        } catch (OffsetOutOfRangeException e) {
            throw gone(count, "the topic has no such offsets any more");
        } catch (InterruptException e) {
            Thread.interrupted(); // the exception reports the interrupt
            throw new InterruptedException("interrupted while reading " + sink);
        } catch (KafkaException e) {
            throw new Failures(sink.settings()).of("read messages of an aborted transaction in " + sink, e);
        }
        if (left > 0) {
            throw gone(count, "the others were deleted");
        }
        if (sum.value() != expected) {
            throw gone(count, "but not with what the job has written");
        }
    }

    private boolean readSome(Consumer<byte[], byte[]> consumer) throws InterruptedException {
        ConsumerRecords<byte[], byte[]> messages = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> message : messages) {
            Wanted offsets = wanted.get(new TopicPartition(message.topic(), message.partition()));
            if (offsets != null && offsets.has(message.offset())) {
                sum.add(message.key(), message.value());
                left--;
                sender.send(again(message));
            }
        }
        if (wanted.entrySet().removeIf(each -> consumer.position(each.getKey()) >= each.getValue().end)) {
            consumer.assign(wanted.keySet());
        }
        return !messages.isEmpty();
    }

    private ProducerRecord<byte[], byte[]> again(ConsumerRecord<byte[], byte[]> message) {
        boolean own = message.timestampType() == TimestampType.CREATE_TIME;
        return new ProducerRecord<>(
                sink.topic(),
                message.partition(),
                own ? message.timestamp() : null,
                message.key(),
                message.value(),
                message.headers());
    }

    private ConnectorException gone(long count, String why) {
        return new ConnectorException("cannot send the messages of an aborted transaction to " + sink
                + " again: of " + count + " messages, " + (count - left) + " are in the topic, " + why
                + ". The topic's retention has deleted them, or the topic was deleted and created again, or its brokers have"
                + " lost them. Restore an older checkpoint, from which the job makes them once more");
    }
}

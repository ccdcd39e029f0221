// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.RecordBatch;
import io.thalweg.api.connector.SourceContext;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** Reads all partitions of a task with one consumer, without a consumer group's assignment. */
final class KafkaReader<T> implements LiveReader<T> {
    private static final Duration COMMITTING = Duration.ofSeconds(2);

    /** By then a job with acks has confirmed something. */
    private static final long CONFIRMED_NS = Duration.ofSeconds(30).toNanos();

    private static final long LOOK_NS = Duration.ofMillis(500).toNanos();

    /** A bounded source without messages for so long looks whether its topics are still there. */
    private static final long CHECK_NS = Duration.ofSeconds(5).toNanos();

    /** How often it is asked whether topics are still there, and the same ones. */
    private static final long IDENTIFY_NS = Duration.ofMinutes(1).toNanos();

    /** How often it is tried to begin partitions that cannot begin yet: each try holds up those that are read. */
    private static final long BEGIN_NS = Duration.ofSeconds(10).toNanos();

    /** When it is asked first, unless a checkpoint has to know before that which ones they are. */
    private static final long FIRST_IDENTIFY_NS = Duration.ofSeconds(1).toNanos();

    private final SourceSettings source;
    private final MessageDecoder.Decoding<T> decoding;
    private final SourceContext context;
    private final Failures failures;
    private final Consumer<@Nullable ByteBuffer, @Nullable ByteBuffer> consumer;
    private final Silence silence;
    private final Lag lag = new Lag();
    private long lookedNs;

    /** When there was a message last, or nothing was asked for; or when the topics were looked at. */
    private long messageNs;

    private long identifiedNs;

    private final StartOffsets beginnings;
    private final GroupWatch groupWatch;
    private final OpenTransactions openTransactions;

    /** Of those that are read. */
    private final Leaderless leaderless;

    /** Of those that are to begin. */
    private final Leaderless leaderlessYet;

    /** The partitions that are read, with their state. */
    private final Map<TopicPartition, PartitionState> places = new LinkedHashMap<>();

    private final Map<TopicPartition, Long> positions = new LinkedHashMap<>();

    /** Partitions whose start offset is not known yet. */
    private final Map<TopicPartition, StartOffsets.From> waiting = new LinkedHashMap<>();

    /** Those of them that could not begin while others are read, until it is tried again. */
    private final Map<TopicPartition, StartOffsets.From> aside = new LinkedHashMap<>();

    private long triedNs;

    /** When those were added that the job begins with, and that have not begun: they may come one after the other. */
    private final Map<TopicPartition, Long> addedNs = new LinkedHashMap<>();

    /** Reading has begun, or partitions were found since: others that cannot begin are waited for. */
    private boolean running;

    /** The restored state of partitions. */
    private final Map<TopicPartition, PartitionState> saved = new LinkedHashMap<>();

    private final Map<String, Uuid> topicIds = new LinkedHashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> confirmed = new LinkedHashMap<>();

    /** Offsets that were sent to the group, until there is an answer. */
    private final Map<TopicPartition, OffsetAndMetadata> unanswered = new LinkedHashMap<>();

    /** Topics that were deleted, of which the user has heard. */
    private final Set<String> deleted = new TreeSet<>();

    private String complaint = "";

    /** Calls of the consumer that brought messages. */
    private long polls;

    private final long client = ClientMetrics.number();

    /** An offset was confirmed, or the user knows that none is. */
    private boolean confirms;

    private final long openedNs;

    private KafkaReader(
            SourceSettings source,
            MessageDecoder.Decoding<T> decoding,
            SourceContext context,
            Consumer<@Nullable ByteBuffer, @Nullable ByteBuffer> consumer) {
        this.source = source;
        this.decoding = decoding;
        this.context = context;
        this.consumer = consumer;
        openedNs = context.nowNs();
        identifiedNs = context.checkpoints() ? openedNs : openedNs - IDENTIFY_NS + FIRST_IDENTIFY_NS;
        failures = new Failures(source.settings());
        silence = new Silence(source.settings().servers(), context.connections(), source.patience());
        beginnings = new StartOffsets(source, consumer);
        groupWatch = new GroupWatch(source, context, consumer);
        openTransactions = new OpenTransactions(source, context);
        leaderless = new Leaderless(source, context);
        leaderlessYet = new Leaderless(source, context);
        report();
    }

    static <T> KafkaReader<T> open(SourceSettings source, MessageDecoder.Decoding<T> decoding, SourceContext context) {
        try {
            return new KafkaReader<>(
                    source, decoding, context, new KafkaConsumer<>(source.consumer(), new InPlace(), new InPlace()));
        } catch (KafkaException e) {
            throw new Failures(source.settings()).of("read " + source.topics(), e);
        }
    }

    @Override
    public void add(String split) {
        addedNs.put(Split.of(split), context.nowNs());
        waiting.put(Split.of(split), new StartOffsets.From(source.start(), -1));
    }

    @Override
    public void addFound(String split) {
        running = true;
        waiting.put(Split.of(split), new StartOffsets.From(Start.earliest(), -1));
    }

    @Override
    public void addAt(String split, long position) {
        waiting.put(Split.of(split), new StartOffsets.From(Start.earliest(), position));
    }

    @Override
    public @Nullable String changed(String split, byte[] fingerprint) throws InterruptedException {
        TopicPartition partition = Split.of(split);
        PartitionState before = PartitionState.of(fingerprint, split);
        saved.put(partition, before);
        Uuid now = savedTopicId(partition.topic());
        if (before.topic().equals(now)) {
            return null;
        }
        saved.put(
                partition,
                new PartitionState(now, -1, before.end())); // leader epochs of another topic mean nothing here
        return now.equals(Uuid.ZERO_UUID)
                ? "the topic " + partition.topic() + " was deleted"
                : "the topic " + partition.topic() + " was deleted and created again: it had the id " + before.topic()
                        + ", and has " + now;
    }

    /** Of the topics that match a pattern, some may be gone: they have no id. */
    private Uuid savedTopicId(String topic) throws InterruptedException {
        if (source.topics().areNamed()) {
            return topicId(topic);
        }
        Optional<Map<String, Uuid>> now = new TopicList(source.settings()).idsNow(Set.of(topic));
        if (now.isPresent() && !now.get().containsKey(topic)) {
            topicIds.put(topic, Uuid.ZERO_UUID);
        }
        return topicId(topic);
    }

    @Override
    public List<RecordBatch<T>> fetch(Duration atMost) throws InterruptedException {
        try {
            commit();
            List<RecordBatch<T>> begun = begin();
            return begun.isEmpty() && !places.isEmpty() ? readOn(atMost) : begun;
        } catch (WakeupException e) {
            return List.of();
        } catch (KafkaException e) {
            throw failures.of("read " + source.topics(), e);
        }
    }

    private List<RecordBatch<T>> readOn(Duration atMost) throws InterruptedException {
        try {
            return read(atMost);
        } catch (OffsetOutOfRangeException e) {
            return goOnBehind(e);
        }
    }

    // ---- beginning

    private List<RecordBatch<T>> begin() throws InterruptedException {
        if (running) {
            leaveOutThoseThatCannotBegin();
        }
        if (waiting.isEmpty()) {
            return List.of();
        }
        Map<TopicPartition, Long> begins;
        Map<TopicPartition, PartitionState> found;
        try {
            Map<TopicPartition, Long> logEnds = logEnds(); // first, so that who ends before one waits for a transaction
            begins = (running ? beginnings.ofRunning() : beginnings).offsets(waiting);
            found = ends();
            checkEnds(begins, found, logEnds);
        } catch (TimeoutException e) {
            if (!running || isOverdue(context.nowNs(), waiting.keySet())) {
                throw withoutLeader(e);
            }
            silence.lost(String.valueOf(e.getMessage())); // since the job started: wait for it
            if (!places.isEmpty()) {
                aside.putAll(waiting);
                waiting.clear();
            }
            return List.of();
        }
        List<RecordBatch<T>> batches = new ArrayList<>();
        found.forEach((partition, place) -> {
            long position = begins.getOrDefault(partition, 0L);
            batches.add(new KafkaBatch<>(partition.toString(), decoding, List.of(), position, position, place));
            lag.add(partition);
            if (position < place.end()) {
                places.put(partition, place);
            }
        });
        consumer.assign(places.keySet());
        found.forEach((partition, place) -> {
            if (places.containsKey(partition)) {
                seek(partition, begins.getOrDefault(partition, 0L), place);
            }
        });
        addedNs.keySet().removeAll(waiting.keySet());
        waiting.clear();
        running = true;
        return batches;
    }

    /** The job is not to wait longer for one that it begins with, whether or not others of them have begun before. */
    private boolean isOverdue(long nowNs, Set<TopicPartition> cannotBegin) {
        long longestNs = source.settings().connectTimeout().toNanos();
        for (TopicPartition each : cannotBegin) {
            Long sinceNs = addedNs.get(each);
            if (sinceNs != null && nowNs - sinceNs >= longestNs) {
                return true;
            }
        }
        return false;
    }

    /** Each fetch would wait for their offsets, and hardly anything be read of the others. */
    private void leaveOutThoseThatCannotBegin() throws InterruptedException {
        if (waiting.isEmpty() && aside.isEmpty()) {
            return;
        }
        long nowNs = context.nowNs();
        if (nowNs - triedNs >= BEGIN_NS || places.isEmpty()) {
            waiting.putAll(aside);
            aside.clear();
        }
        Set<TopicPartition> unknown = new LinkedHashSet<>(newlyRead()); // others are known to begin where they were
        if (unknown.isEmpty()) {
            return;
        }
        triedNs = nowNs;
        TopicList.ofRunning(source.settings()).now(topics(unknown)).ifPresent(topics -> {
            Set<TopicPartition> none = leaderlessYet.look(nowNs, topics, unknown);
            if (isOverdue(nowNs, none)) {
                throw withoutLeader(none);
            }
            boolean any = unknown.size() < waiting.size()
                    || unknown.stream().anyMatch(each -> topics.containsKey(each.topic()) && !none.contains(each));
            if (any || !places.isEmpty()) { // else asking for their offsets is how to wait
                unknown.removeIf(each -> topics.containsKey(each.topic()));
                leaveOutDeleted(unknown);
                none.forEach(each -> aside.put(each, Objects.requireNonNull(waiting.remove(each))));
            }
        });
    }

    private void leaveOutDeleted(Set<TopicPartition> gone) {
        if (source.untilLatest() && !gone.isEmpty()) { // it would wait for the end of it
            throw new ConnectorException("topic " + gone.iterator().next().topic() + " at "
                    + source.settings().servers()
                    + " was deleted before the job began to read it; leave the topic there until the job has ended, and start"
                    + " the job again");
        }
        waiting.keySet().removeAll(gone);
        topics(gone)
                .forEach(topic -> context.warn("topic " + topic + " at "
                        + source.settings().servers()
                        + " was deleted before the job began to read it; it goes on without it"));
    }

    /** The client says of a partition without a leader only that there was no answer. */
    private RuntimeException withoutLeader(TimeoutException thrown) throws InterruptedException {
        return TopicList.ofRunning(source.settings())
                .now(topics(waiting.keySet()))
                .map(topics -> leaderlessYet.look(context.nowNs(), topics, waiting.keySet()))
                .filter(none -> !none.isEmpty())
                .<RuntimeException>map(this::withoutLeader)
                .orElse(thrown);
    }

    private ConnectorException withoutLeader(Set<TopicPartition> none) {
        TopicPartition first = Collections.min(none, Comparator.comparing(TopicPartition::toString));
        return new ConnectorException("topic " + first.topic() + ", partition " + first.partition() + " at "
                + source.settings().servers()
                + " has no leader, so that nobody says where it begins or ends; start the brokers that have its data");
    }

    private void seek(TopicPartition partition, long position, PartitionState place) {
        Optional<Integer> epoch = place.epoch() < 0 ? Optional.empty() : Optional.of(place.epoch());
        consumer.seek(partition, new OffsetAndMetadata(position, epoch, ""));
        positions.put(partition, position);
    }

    /** The ends of partitions that a bounded source begins to read, open transactions included. */
    private Map<TopicPartition, Long> logEnds() throws InterruptedException {
        return source.untilLatest() && !saved.keySet().containsAll(waiting.keySet())
                ? new TopicList(source.settings()).ends(newlyRead())
                : Map.of();
    }

    private List<TopicPartition> newlyRead() {
        return waiting.keySet().stream()
                .filter(each -> !saved.containsKey(each))
                .toList();
    }

    /**
     * A bounded source would end without a word at an offset that its partition never had, of which others hear from the broker; and
     * before a transaction that is open, which may be for ever.
     */
    private void checkEnds(
            Map<TopicPartition, Long> begins,
            Map<TopicPartition, PartitionState> found,
            Map<TopicPartition, Long> logEnds) {
        List<String> open = new ArrayList<>();
        logEnds.forEach((partition, logEnd) -> {
            long end = Objects.requireNonNull(found.get(partition)).end();
            long begin = begins.getOrDefault(partition, 0L);
            if (begin > Math.max(end, logEnd)) {
                LostOffsets.Next next = new LostOffsets(source, beginnings).beyond(partition, begin, end);
                context.warn(next.what());
                begins.put(partition, next.offset());
            } else if (end < logEnd && begin < logEnd) {
                open.add("the offsets from " + Math.max(begin, end) + " to before " + logEnd + " of partition "
                        + partition.partition() + " of topic " + partition.topic());
            }
        });
        if (!open.isEmpty()) {
            context.warn(open.get(0) + " at " + source.settings().servers()
                    + " are not read, since a transaction is open there"
                    + (open.size() == 1 ? "" : "; so are those of " + (open.size() - 1) + " other partitions"));
        }
    }

    /** The end offsets; a restored source keeps those that it had. */
    private Map<TopicPartition, PartitionState> ends() throws InterruptedException {
        Map<TopicPartition, Long> ends = beginnings.latest(source.untilLatest() ? newlyRead() : List.of());
        Map<TopicPartition, PartitionState> found = new LinkedHashMap<>();
        for (TopicPartition partition : waiting.keySet()) {
            PartitionState before = saved.get(partition);
            Uuid topic = before != null
                    ? before.topic()
                    : context.checkpoints() ? topicId(partition.topic()) : Uuid.ZERO_UUID;
            PartitionState place = before != null ? before : new PartitionState(topic, -1, PartitionState.NO_END);
            if (!source.untilLatest()) {
                place = place.until(PartitionState.NO_END);
            } else if (before != null && topic.equals(Uuid.ZERO_UUID)) {
                place = place.until(0); // it was deleted: nothing more comes
            } else if (ends.containsKey(partition)) {
                place = place.until(ends.getOrDefault(partition, PartitionState.NO_END));
            }
            found.put(partition, place);
        }
        return found;
    }

    private Uuid topicId(String topic) throws InterruptedException {
        Uuid known = topicIds.get(topic);
        if (known == null) {
            topicIds.putAll(new TopicList(source.settings()).ids(Set.of(topic)));
            known = topicIds.getOrDefault(topic, Uuid.ZERO_UUID);
        }
        return known;
    }

    // ---- reading

    private List<RecordBatch<T>> read(Duration atMost) throws InterruptedException {
        ConsumerRecords<@Nullable ByteBuffer, @Nullable ByteBuffer> messages = consumer.poll(atMost);
        polls += messages.isEmpty() ? 0 : 1;
        List<RecordBatch<T>> batches = new ArrayList<>();
        messages.nextOffsets().forEach((partition, next) -> {
            PartitionState place = places.get(partition);
            if (place != null) {
                batches.add(batch(partition, messages.records(partition), next.offset(), place));
            }
        });
        look(batches.isEmpty());
        if (!batches.isEmpty() && places.size() < consumer.assignment().size()) {
            consumer.assign(places.keySet());
        }
        return batches;
    }

    /** Partitions that are not paused are asked for again as soon as there was an answer. */
    private void look(boolean empty) throws InterruptedException {
        long nowNs = context.nowNs();
        if (nowNs - lookedNs >= LOOK_NS) {
            lookedNs = nowNs;
            boolean waiting =
                    empty && consumer.paused().size() < consumer.assignment().size();
            silence.look(nowNs, waiting, ClientMetrics.bytesIn(consumer.metrics()));
            measure();
            if (nowNs - openedNs >= CONFIRMED_NS) {
                tellOfNoConfirmations();
            }
            if (!waiting) {
                messageNs = nowNs;
            } else if (source.untilLatest() && nowNs - messageNs >= CHECK_NS && silence.answers(nowNs)) {
                messageNs = nowNs;
                checkTopics();
            }
            if (nowNs - identifiedNs >= IDENTIFY_NS && silence.answers(nowNs)) {
                identifiedNs = nowNs;
                checkIds();
                openTransactions.look(nowNs, unpaused());
            }
        }
    }

    /** The positions of partitions that are asked for messages. */
    private Map<TopicPartition, Long> unpaused() {
        Map<TopicPartition, Long> asked = new LinkedHashMap<>(positions);
        asked.keySet().retainAll(places.keySet());
        asked.keySet().removeAll(consumer.paused());
        return asked;
    }

    private void checkIds() throws InterruptedException {
        TopicList.ofRunning(source.settings()).now(topics(places.keySet())).ifPresent(topics -> {
            Map<String, Uuid> now = TopicList.idsOf(topics);
            boolean ends = source.untilLatest();
            if (!ends) { // else it fails when no more messages come
                tellOfDeleted(now.keySet());
            }
            if (!ends || source.outOfRange() == OutOfRange.FAIL) {
                now.forEach(this::checkId);
            }
            leaderless.look(identifiedNs, topics, places.keySet());
            if (leaderless.suspects()) {
                identifiedNs -= IDENTIFY_NS - Silence.PATIENCE.toNanos(); // look again soon
            }
        });
    }

    private void tellOfDeleted(Set<String> there) {
        deleted.removeAll(there);
        for (String topic : topics(places.keySet())) {
            if (!discoveryTells() && !there.contains(topic) && deleted.add(topic)) {
                context.warn("topic " + topic + " at " + source.settings().servers()
                        + " was deleted while the job reads it; the job "
                        + (source.topics().areNamed() ? "waits for it" : "goes on with the others that match"));
            }
        }
    }

    /** Looking for new partitions says so of topics that are named, if it is done as often; of those that match it finds fewer. */
    private boolean discoveryTells() {
        long everyNs = source.discovery().toNanos();
        return source.topics().areNamed() && everyNs > 0 && everyNs <= IDENTIFY_NS;
    }

    /** In a topic that was created again, the consumer goes on behind the offsets that it has read of the old one, without a word. */
    private void checkId(String topic, Uuid id) {
        Uuid before = topicIds.putIfAbsent(topic, id);
        if (before != null && !before.equals(id)) {
            String what = "topic " + topic + " at " + source.settings().servers()
                    + " was deleted and created again while the job read it, so that messages of the new one may have"
                    + " been left out";
            if (source.outOfRange() != OutOfRange.FAIL) {
                topicIds.put(topic, id);
                places.replaceAll((partition, place) -> partition.topic().equals(topic)
                        ? new PartitionState(id, -1, place.end()) // so that a checkpoint is one of the new topic
                        : place);
                context.warn(what);
                return;
            }
            throw new ConnectorException(
                    what + "; start the job again from its beginning, or let it end before the topic is deleted");
        }
    }

    private static Set<String> topics(Set<TopicPartition> partitions) {
        Set<String> topics = new TreeSet<>();
        partitions.forEach(partition -> topics.add(partition.topic()));
        return topics;
    }

    /** The consumer waits without a word for a topic that was deleted, and a bounded source would wait for ever. */
    private void checkTopics() throws InterruptedException {
        Optional<Map<String, TopicDescription>> now =
                TopicList.ofRunning(source.settings()).now(topics(places.keySet()));
        if (now.isEmpty()) {
            return;
        }
        Map<String, Uuid> ids = TopicList.idsOf(now.get());
        for (Map.Entry<TopicPartition, PartitionState> each : places.entrySet()) {
            TopicPartition partition = each.getKey();
            Uuid id = ids.getOrDefault(partition.topic(), Uuid.ZERO_UUID);
            Uuid before = topicIds.getOrDefault(partition.topic(), id);
            if (id.equals(Uuid.ZERO_UUID) || !before.equals(id)) {
                throw new ConnectorException("topic " + partition.topic() + " at "
                        + source.settings().servers() + " was deleted while the job read it: of partition "
                        + partition.partition() + " the messages from offset " + positions.get(partition)
                        + " to before " + each.getValue().end()
                        + " are gone; leave the topic there until the job has ended, and start it again from its"
                        + " beginning if the topic has been created and filled again");
            }
        }
        Set<TopicPartition> led = new LinkedHashSet<>(places.keySet());
        led.removeAll(leaderless.look(messageNs, now.get(), led));
        checkEnds(led);
    }

    /** So does it for offsets that a partition has lost, since a new leader never had them. */
    private void checkEnds(Set<TopicPartition> led) {
        Map<TopicPartition, Long> ends;
        try {
            ends = beginnings.latest(led);
        } catch (TimeoutException e) {
            silence.lost(String.valueOf(e.getMessage()));
            return;
        }
        places.forEach((partition, place) -> {
            long end = ends.getOrDefault(partition, Long.MAX_VALUE);
            if (end < place.end()) {
                throw new ConnectorException("topic " + partition.topic() + ", partition " + partition.partition()
                        + " at " + source.settings().servers() + " ends at offset " + end + ", but ended at "
                        + place.end() + " when the job began to read it: " + LostOffsets.AFTER
                        + "; start the job again to read what is there");
            }
        });
    }

    private void measure() {
        context.measured(lag.measure(this::behind, consumer.metrics()));
        report();
    }

    /** Tells a recording that has asked for it what was done so far. */
    private void report() {
        if (ClientMetrics.RECORDED) {
            FetchesEvent.report(context.operator(), client, polls, source, consumer.metrics());
        }
    }

    /** Without a request: each answer to the consumer says where its partition ends, for this isolation level. */
    private long behind(TopicPartition partition) {
        PartitionState place = places.get(partition);
        if (place == null) {
            return 0; // read to its end
        }
        return place.end() == PartitionState.NO_END
                ? consumer.currentLag(partition).orElse(Lag.UNKNOWN)
                : Math.max(0, place.end() - positions.getOrDefault(partition, 0L));
    }

    private KafkaBatch<T> batch(
            TopicPartition partition,
            List<ConsumerRecord<@Nullable ByteBuffer, @Nullable ByteBuffer>> messages,
            long next,
            PartitionState place) {
        long position = positions.getOrDefault(partition, 0L);
        List<ConsumerRecord<@Nullable ByteBuffer, @Nullable ByteBuffer>> wanted = messages;
        if (next > place.end()) {
            wanted = messages.stream()
                    .filter(message -> message.offset() < place.end())
                    .toList();
        }
        long end = Math.min(next, place.end());
        KafkaBatch<T> batch = new KafkaBatch<>(partition.toString(), decoding, wanted, position, end, place);
        lag.add(partition, batch);
        positions.put(partition, end);
        if (batch.last()) {
            places.remove(partition);
        } else if (!messages.isEmpty()) {
            places.put(
                    partition,
                    place.at(messages.get(messages.size() - 1).leaderEpoch().orElse(-1)));
        }
        return batch;
    }

    /** @return for each partition of which nothing is left up to its end, a batch that says so: there may be no message behind it */
    private List<RecordBatch<T>> goOnBehind(OffsetOutOfRangeException thrown) {
        List<RecordBatch<T>> ended = new ArrayList<>();
        new LostOffsets(source, beginnings)
                .after(thrown, partition -> positions.getOrDefault(partition, 0L), this::endOf)
                .forEach((partition, next) -> {
                    context.warn(next.what());
                    PartitionState place = places.get(partition);
                    if (place != null && next.offset() >= place.end()) {
                        ended.add(batch(partition, List.of(), place.end(), place));
                    } else {
                        consumer.seek(partition, next.offset());
                        positions.put(partition, next.offset());
                        places.computeIfPresent(partition, (of, known) -> known.at(-1));
                    }
                });
        consumer.assign(places.keySet());
        return ended;
    }

    private long endOf(TopicPartition partition) {
        PartitionState place = places.get(partition);
        return place == null ? PartitionState.NO_END : place.end();
    }

    @Override
    public void wakeUp() {
        consumer.wakeup();
    }

    @Override
    public void pause(String split) {
        TopicPartition partition = Split.of(split);
        if (places.containsKey(partition)) {
            consumer.pause(Set.of(partition));
        }
    }

    @Override
    public void resume(String split) {
        TopicPartition partition = Split.of(split);
        if (places.containsKey(partition)) {
            consumer.resume(Set.of(partition));
        }
    }

    // ---- confirmations and wake-up

    @Override
    public void confirm(String split, long position) {
        if (!source.group().isEmpty()) {
            confirms = true;
            confirmed.put(Split.of(split), new OffsetAndMetadata(position));
        }
    }

    /** True for the one task that tells what concerns all. */
    private boolean isFirst() {
        return positions.keySet().stream()
                .anyMatch(each -> each.partition() == 0 || !source.topics().has(0));
    }

    private void tellOfNoConfirmations() {
        if (isFirst() && !confirms && !source.group().isEmpty() && !context.checkpoints()) {
            confirms = true;
            context.warn("no offsets are committed to group " + source.group()
                    + ": for that, a job needs --guarantee acked, at-least-once or exactly-once");
        }
    }

    private void commit() {
        if (!confirmed.isEmpty()) {
            if (unanswered.isEmpty() && isFirst()) {
                groupWatch.look();
            }
            unanswered.putAll(confirmed);
            consumer.commitAsync(Map.copyOf(confirmed), (offsets, problem) -> {
                offsets.forEach(unanswered::remove);
                groupWatch.onAnswer(offsets, problem == null);
                if (problem != null) {
                    complain(problem);
                }
            });
            confirmed.clear();
        }
    }

    private void complain(Exception problem) {
        String message = failures.of("commit offsets of group " + source.group(), problem)
                .getMessage();
        if (message != null && !message.equals(complaint)) {
            complaint = message;
            context.warn(message + "; the job continues, only other tools do not see how far it is");
        }
    }

    /**
     * Does not wait for brokers to end the consumer's sessions: each first answers the request for messages that is under way, for which it
     * waits as long as {@code fetch.max.wait.ms}. A broker forgets a session by itself once it needs room for others.
     */
    @Override
    public void close() {
        try {
            tellOfNoConfirmations();
            commitNow();
            measure();
        } finally {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    private void commitNow() {
        unanswered.forEach(confirmed::putIfAbsent);
        boolean woken = true;
        while (woken && !confirmed.isEmpty()) {
            try {
                consumer.commitSync(Map.copyOf(confirmed), COMMITTING);
                woken = false;
            } catch (WakeupException e) {
                woken = true; // it was meant for the previous fetch
            } catch (KafkaException e) {
                complain(e);
                woken = false;
            }
        }
    }
}

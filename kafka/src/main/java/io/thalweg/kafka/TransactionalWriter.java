// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.SinkContext;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes in transactions: {@link #save} ends one, {@link #commit} commits it. A transaction carries its number, as the offset of a
 * group, and the checkpoint has its messages, or where they are. So if its producer dies between the two, the next run finds out whether it
 * was committed, and sends its messages again if not. Two producers take turns, since messages come while a transaction waits for its
 * checkpoint; until it is committed, it may also wait for messages to arrive that the checkpoint has. The first message of the next one
 * waits for them, so that each partition has what a task writes in the order in which it writes.
 */
final class TransactionalWriter<T> implements CheckpointedWriter<T> {
    /**
     * How long an output may be idle before it commits an empty transaction: a broker expires unused ids and offsets,
     * by default after a week.
     */
    private static final long UNUSED_NS = Duration.ofHours(12).toNanos();

    private final SinkSettings sink;
    private final MessageMaker<T> messages;
    private final SinkContext context;
    private final LongSupplier clockNs;
    private final OutputName name;

    private final List<Sender> senders = new ArrayList<>();
    private final List<Prepared> prepared = new ArrayList<>();

    /** Null until it has begun. */
    private @Nullable ProducerWatch watch;

    private String lineage;
    private long number;
    private long usedNs;

    /** Of the open transaction; null if none is open. */
    private @Nullable Sender open;

    /** For the logs of the next transactions. */
    private final Deque<byte[]> spare = new ArrayDeque<>();

    /** Of the open transaction. */
    private Replay log = new MessageLog(spare);

    /** The newest checkpoint that has logs of transactions that are not committed yet, and may still be read. */
    private long newestSaved;

    /** How many of the prepared transactions, the first ones, have been sent their number. */
    private int numbered;

    /** A transaction to be committed with a checkpoint; it may contain several merged ones. */
    private record Prepared(Sender sender, long checkpoint, List<Replay> logs, OutputNumbers.Entry number) {}

    private TransactionalWriter(
            SinkSettings sink, MessageMaker<T> messages, SinkContext context, LongSupplier clockNs) {
        this.sink = sink;
        this.messages = messages;
        this.context = context;
        this.clockNs = clockNs;
        name = new OutputName(sink.idPrefix(context), context.checkpoint(), context.task());
        lineage = "";
    }

    static <T> TransactionalWriter<T> open(
            SinkSettings sink, MessageMaker<T> messages, SinkContext context, LongSupplier clockNs)
            throws InterruptedException {
        TransactionalWriter<T> writer = new TransactionalWriter<>(sink, messages, context, clockNs);
        boolean opened = false;
        try {
            if (context.checkpoint() == 0) {
                writer.begin(List.of());
            }
            opened = true;
            return writer;
        } finally {
            if (!opened) { // nobody else has it
                writer.close();
            }
        }
    }

    @Override
    public void restore(List<byte[]> saved) throws InterruptedException {
        begin(Takeover.finish(sink, context, saved));
    }

    private void begin(List<SavedOutput> saved) throws InterruptedException {
        for (String id : name.transactionalIds()) {
            senders.add(Sender.transactional(sink, id));
        }
        ProducerFencing rivals = ProducerFencing.of(sink, context, name, saved);
        lineage = rivals.lineage();
        try (OutputNumbers numbers = new OutputNumbers(sink.settings())) {
            rivals.end(numbers);
        }
        watch = ProducerWatch.start(sink, context, senders, clockNs);
        commitNumber(senders.get(0)); // before the first message, so that a missing number means that it has expired
        usedNs = clockNs.getAsLong();
    }

    /** Commits the number in a transaction of its own, while none waits for its checkpoint. */
    private void commitNumber(Sender sender) throws InterruptedException {
        sender.begin();
        sender.prepare(name, entry());
        sender.commit();
    }

    private OutputNumbers.Entry entry() {
        return new OutputNumbers.Entry(number, lineage, context.run());
    }

    @Override
    public void write(T value) throws Exception {
        var message = messages.message(value);
        Sender sender = open;
        if (sender == null) {
            sender = free();
            for (Prepared each : prepared) {
                each.sender().flush(); // its messages first: two producers do not keep an order between them
            }
            sender.begin();
            open = sender;
            log = log(sender);
        }
        log.add(message);
        sender.send(message);
    }

    private Replay log(Sender sender) {
        if (!sink.fromTopic()) {
            return new MessageLog(spare);
        }
        SentOffsets places = new SentOffsets();
        sender.tell(places);
        return places;
    }

    private Sender free() throws InterruptedException {
        if (prepared.size() == OutputName.PRODUCERS) {
            merge();
        }
        boolean firstIsFree = prepared.isEmpty() || prepared.get(0).sender() != senders.get(0);
        return senders.get(firstIsFree ? 0 : 1);
    }

    /** A checkpoint was aborted, or its commit is late: its messages are sent again, in the transaction of the next one. */
    private void merge() throws InterruptedException {
        Prepared older = prepared.get(0);
        Prepared newer = prepared.get(1);
        older.sender().abort();
        newer.sender().abort();
        List<Replay> both = new ArrayList<>(older.logs());
        both.addAll(newer.logs());
        older.sender().begin();
        for (Replay each : both) {
            each.sendTo(older.sender(), sink);
        }
        prepared.clear();
        numbered = 0;
        prepared.add(new Prepared(older.sender(), newer.checkpoint(), both, newer.number()));
    }

    @Override
    public byte[] save(long checkpoint) throws InterruptedException {
        return saved(checkpoint).toBytes();
    }

    @Override
    public List<ByteBuffer> saveParts(long checkpoint) throws InterruptedException {
        return saved(checkpoint).toParts();
    }

    private SavedOutput saved(long checkpoint) throws InterruptedException {
        long upTo = checkpoint == 0 ? Long.MAX_VALUE : checkpoint;
        Sender sender = open;
        if (sender != null) {
            number++;
            log.complete(sender, sink);
            prepared.add(new Prepared(sender, upTo, List.of(log), entry()));
            open = null;
        }
        newestSaved = upTo;
        List<Replay> logs = new ArrayList<>();
        prepared.forEach(each -> logs.addAll(each.logs()));
        MessageLog.check(logs, sink.topic());
        return new SavedOutput(sink.topic(), name, entry(), number - logs.size() + 1, logs);
    }

    @Override
    public long dueMs() {
        return numbered < prepared.size() ? 0 : Long.MAX_VALUE;
    }

    /**
     * Sends the number while the checkpoint is written, which therefore does not wait for the answer. The checkpoint needs only to hold it:
     * without a number that is committed the transaction is not, either, and its messages are sent again.
     */
    @Override
    public void onClock(long epochMs) throws InterruptedException {
        sendNumbers(prepared.size());
    }

    /** In their order: a group keeps the number that it was sent last. */
    private void sendNumbers(int upTo) throws InterruptedException {
        while (numbered < upTo) {
            Prepared each = prepared.get(numbered);
            each.sender().prepare(name, each.number());
            numbered++;
        }
    }

    @Override
    public void commit(long checkpoint) throws InterruptedException {
        while (!prepared.isEmpty() && prepared.get(0).checkpoint() <= checkpoint) {
            Prepared first = prepared.get(0);
            sendNumbers(1);
            first.sender().commit();
            prepared.remove(0);
            numbered--;
            if (newestSaved <= checkpoint && checkpoint < Long.MAX_VALUE) {
                first.logs().forEach(Replay::recycle);
            }
        }
        if (prepared.isEmpty() && clockNs.getAsLong() - usedNs > UNUSED_NS) {
            for (Sender sender : senders) {
                if (sender != open) {
                    commitNumber(sender);
                }
            }
            usedNs = clockNs.getAsLong();
        }
    }

    @Override
    public void finish() throws InterruptedException {
        if (open != null) { // cancelled before the first checkpoint
            save(0);
        }
        commit(Long.MAX_VALUE);
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
        senders.forEach(Sender::close);
    }
}

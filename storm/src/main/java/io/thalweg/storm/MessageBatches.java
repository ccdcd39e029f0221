// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.codec.ByteWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the watch bolt to the client, in numbered batches. The client takes one number after the other, so none is left out,
 * and none is used for two different batches. While Nimbus is away they wait. One thread at a time.
 */
final class MessageBatches {
    private static final long SEND_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** How much may wait for a Nimbus that is away, or for a client. */
    static final int MOST_BYTES = 16 << 20;

    /** About how many batches the client may leave in the mailbox: one that was killed takes none, and the job goes on. */
    static final int MOST_UNTAKEN = 100;

    private static final int LOOKED_EVERY = 20;

    /**
     * Where the client takes them from. All methods throw a {@link NimbusStore.AwayException} if Nimbus does not answer now, and may be
     * called again with the same batch.
     */
    interface Mailbox {
        /** Does nothing if a batch with this number is there. */
        void put(long number, byte[] batch);

        /** True if the client has taken the batch with this number. */
        boolean isTaken(long number);

        /** Puts a last batch, for a sender that does not know the number of the next one. */
        void putLast(byte[] batch);
    }

    private final boolean begunBefore;
    private final Supplier<? extends Mailbox> mailbox;

    /** In the order in which they were sent last; of those that a later one replaces, the newest. */
    private final Map<Object, ControlMessage> waiting = new LinkedHashMap<>();

    private long waitingBytes;

    /** A batch that could not be put. It may have arrived, so it is put again as it was. */
    private byte @Nullable [] unsure;

    private long next;
    private long sentNs;

    /**
     * @param begunBefore an earlier watch bolt, which died, has counted the batches
     * @param nowNs a batch may be sent from now on
     */
    MessageBatches(boolean begunBefore, long nowNs, Supplier<? extends Mailbox> mailbox) {
        this.begunBefore = begunBefore;
        this.mailbox = mailbox;
        sentNs = nowNs - SEND_NS;
    }

    /** Sends the message, with those that wait, or lets it wait for others. One that ends the job does not wait. */
    void send(ControlMessage message, long nowNs) {
        Object replaced = replaced(message);
        ControlMessage older = waiting.remove(replaced);
        waiting.put(replaced, message);
        waitingBytes += size(message) - (older == null ? 0 : size(older));
        if (message.endsJob()) {
            sendAll(nowNs);
        } else if (!begunBefore) {
            sendIfDue(nowNs);
        }
    }

    /** What is equal for messages of which only the newest matters. */
    private static Object replaced(ControlMessage message) {
        return switch (message.kind()) {
            case COUNTS, ACKS, CHECKPOINT -> message.kind() + " " + message.task();
            case PROCESS -> message.kind() + " " + message.text();
            default -> new Object();
        };
    }

    /** About as many bytes as it takes. */
    static int size(ControlMessage message) {
        return message.bytes().length + message.text().length() + 32;
    }

    /** Sends what has waited for long enough; to be called again and again, since no other message may follow. */
    void sendIfDue(long nowNs) {
        if (nowNs - sentNs >= SEND_NS) {
            sendAll(nowNs);
        }
    }

    /** Of two, since one may stay in the mailbox though it was read, if only its removal was lost. */
    private boolean mayPut() {
        long untaken = next - MOST_UNTAKEN;
        return untaken < 0
                || next % LOOKED_EVERY != 0
                || mailbox.get().isTaken(untaken)
                || mailbox.get().isTaken(untaken + 1);
    }

    /** True if so much waits that no more is to be sent. */
    boolean isFull() {
        return waitingBytes + (unsure == null ? 0 : unsure.length) > MOST_BYTES;
    }

    private void sendAll(long nowNs) {
        try {
            while (unsure != null || !waiting.isEmpty()) {
                sentNs = nowNs;
                byte[] batch = unsure == null ? together() : unsure;
                unsure = batch;
                if (begunBefore) {
                    mailbox.get().putLast(batch);
                } else if (mayPut()) {
                    mailbox.get().put(next, batch);
                } else {
                    return;
                }
                unsure = null;
                next++;
            }
        } catch (NimbusStore.AwayException e) {
            // it is put again later, as it was
        }
    }

    private byte[] together() {
        ByteWriter out = new ByteWriter((int) waitingBytes);
        waiting.values().forEach(each -> each.writeTo(out));
        waiting.clear();
        waitingBytes = 0;
        return out.toByteArray();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.codec.ByteWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the watch bolt to the client, in numbered batches. The client takes one number after the other, so none is left out,
 * and none is used for two different batches. One thread at a time.
 */
final class MessageBatches {
    private static final long SEND_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Where the client takes them from. */
    interface Mailbox {
        /** Does nothing if a batch with this number is there. */
        void put(long number, byte[] batch);

        /** Puts a last batch, for a sender that does not know the number of the next one. */
        void putLast(byte[] batch);
    }

    private final boolean begunBefore;
    private final Supplier<? extends Mailbox> mailbox;
    private final ByteWriter waiting = new ByteWriter(1024);

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
        message.writeTo(waiting);
        if (!message.endsJob()) {
            sendIfDue(nowNs);
        } else if (begunBefore) {
            mailbox.get().putLast(waiting.toByteArray());
        } else {
            sendAll(nowNs);
        }
    }

    /** Sends what has waited for long enough; to be called again and again, since no other message may follow. */
    void sendIfDue(long nowNs) {
        if (nowNs - sentNs >= SEND_NS) {
            sendAll(nowNs);
        }
    }

    private void sendAll(long nowNs) {
        while (unsure != null || waiting.size() > 0) {
            sentNs = nowNs;
            byte[] batch = unsure;
            if (batch == null) {
                batch = waiting.toByteArray();
                waiting.clear();
                unsure = batch;
            }
            mailbox.get().put(next, batch);
            unsure = null;
            next++;
        }
    }
}

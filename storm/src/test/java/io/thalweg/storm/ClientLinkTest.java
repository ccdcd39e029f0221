// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.thalweg.api.codec.ByteReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a watch bolt has of its client, through a Nimbus that may hang. */
@Timeout(600)
final class ClientLinkTest {
    private final Mailbox mailbox = new Mailbox();
    private final ClientLink link = new ClientLink("job", false, () -> mailbox);

    private static final class Mailbox implements ClientLink.Mailbox {
        private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch closed = new CountDownLatch(1);
        private volatile CountDownLatch answers = new CountDownLatch(0);
        private volatile boolean denies;
        private volatile boolean cancelled;

        @Override
        public void put(long number, byte[] batch) {
            asked.countDown();
            try {
                answers.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (denies) {
                throw new IllegalStateException("Nimbus denies this user access to its blob store: denied");
            }
            ByteReader in = new ByteReader(batch);
            while (in.remaining() > 0) {
                arrived.add(ControlMessage.read(in).text());
            }
        }

        @Override
        public boolean isTaken(long number) {
            return true;
        }

        @Override
        public void putLast(byte[] batch) {
            put(0, batch);
        }

        @Override
        public boolean cancelled() {
            return cancelled;
        }

        @Override
        public void close() {
            closed.countDown();
        }

        List<String> take(int messages) throws InterruptedException {
            List<String> taken = new ArrayList<>();
            while (taken.size() < messages) {
                taken.add(arrived.take());
            }
            return taken;
        }
    }

    private static ControlMessage warning(String text) {
        return ControlMessage.of(ControlMessage.Kind.WARNING, 0, 0, text);
    }

    private static ControlMessage failed() {
        return ControlMessage.of(ControlMessage.Kind.FAILED, 0, 0, "failed");
    }

    @AfterEach
    void close() throws Exception {
        mailbox.answers.countDown();
        link.close();
        mailbox.closed.await();
    }

    /** The watch bolt would take no checkpoints meanwhile. */
    @Test
    void shouldHoldNobodyUp_whileNimbusDoesNotAnswer() throws Exception {
        mailbox.answers = new CountDownLatch(1);
        link.send(warning("first"));
        mailbox.asked.await();
        link.send(warning("second"));
        assertThat(link.cancelled()).isFalse();
        link.send(failed());
        assertThat(mailbox.arrived).isEmpty();

        mailbox.answers.countDown();
        assertThat(mailbox.take(3)).containsExactly("first", "second", "failed");
    }

    @Test
    void shouldHearThatTheClientAsksTheJobToStop() {
        mailbox.cancelled = true;
        while (!link.cancelled()) {
            Thread.onSpinWait();
        }
    }

    /** So that the job fails, and the client hears why, if that can be sent. */
    @Test
    void shouldFailWhereNothingCanBeSent() throws Exception {
        mailbox.denies = true;
        link.send(warning("first"));
        Throwable thrown = null;
        while (thrown == null) {
            thrown = catchThrowable(link::cancelled);
        }
        assertThat(thrown)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Nimbus denies this user access to its blob store: denied");
        link.send(failed());
        mailbox.denies = false;
        assertThat(mailbox.take(2)).containsExactly("first", "failed");
    }

    @Test
    void shouldWaitWhereMuchWaits_butNotWithTheLastMessage() throws Exception {
        mailbox.answers = new CountDownLatch(1);
        link.send(warning("first"));
        mailbox.asked.await();
        String much = "x".repeat(ClientLink.MOST_BYTES);
        link.send(warning(much));
        Thread.currentThread().interrupt(); // as the worker ends
        assertThatIllegalStateException()
                .isThrownBy(() -> link.send(warning("second")))
                .withMessage("the worker ends, and messages wait for Nimbus");
        link.send(failed());
        assertThat(Thread.interrupted()).isTrue();

        mailbox.answers.countDown();
        assertThat(mailbox.take(3)).containsExactly("first", much, "failed");
    }
}

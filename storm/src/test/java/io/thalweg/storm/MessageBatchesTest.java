// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.thalweg.api.codec.ByteReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the client of a job on a cluster gets. */
final class MessageBatchesTest {
    private static final long NS_PER_MS = 1_000_000;
    private static final ControlMessage FAILED = ControlMessage.of(ControlMessage.Kind.FAILED, 0, 0, "failed");

    private final Mailbox mailbox = new Mailbox();
    private final MessageBatches batches = new MessageBatches(false, 0, () -> mailbox);

    /** Of a Nimbus that may be away. */
    private static final class Mailbox implements MessageBatches.Mailbox {
        private final Map<Long, List<String>> numbered = new TreeMap<>();
        private final List<String> last = new ArrayList<>();
        private boolean away;

        /** The answer is lost, not the batch. */
        private boolean silent;

        /** Nimbus restarts. */
        private boolean restarts;

        @Override
        public void put(long number, byte[] batch) {
            if (restarts) {
                throw new NimbusStore.AwayException("Connection refused");
            }
            if (!away) {
                numbered.putIfAbsent(number, texts(batch));
            }
            if (away || silent) {
                throw new IllegalStateException("no answer");
            }
        }

        @Override
        public boolean isTaken(long number) {
            return !numbered.containsKey(number);
        }

        @Override
        public void putLast(byte[] batch) {
            if (restarts) {
                throw new NimbusStore.AwayException("Connection refused");
            }
            last.addAll(texts(batch));
        }

        private static List<String> texts(byte[] batch) {
            List<String> texts = new ArrayList<>();
            ByteReader in = new ByteReader(batch);
            while (in.remaining() > 0) {
                texts.add(ControlMessage.read(in).text());
            }
            return texts;
        }
    }

    private static ControlMessage warning(String text) {
        return ControlMessage.of(ControlMessage.Kind.WARNING, 0, 0, text);
    }

    /** The client would wait for it, and never hear that the job has failed. */
    @Test
    void shouldLeaveOutNoNumber_ifABatchCannotBePut() {
        mailbox.away = true;
        assertThatIllegalStateException().isThrownBy(() -> batches.send(warning("first"), 0));
        mailbox.away = false;
        batches.send(FAILED, NS_PER_MS);

        assertThat(mailbox.numbered).isEqualTo(Map.of(0L, List.of("first"), 1L, List.of("failed")));
    }

    @Test
    void shouldUseNoNumberTwice_ifABatchHasArrivedAllTheSame() {
        mailbox.silent = true;
        assertThatIllegalStateException().isThrownBy(() -> batches.send(warning("first"), 0));
        mailbox.silent = false;
        batches.send(FAILED, NS_PER_MS);

        assertThat(mailbox.numbered).isEqualTo(Map.of(0L, List.of("first"), 1L, List.of("failed")));
    }

    /** The worker would end, and the job with it. */
    @Test
    void shouldWaitForANimbusThatRestarts() {
        mailbox.restarts = true;
        batches.send(warning("first"), 0);
        batches.send(warning("second"), 300 * NS_PER_MS);
        batches.send(FAILED, 400 * NS_PER_MS);
        batches.sendIfDue(1_000 * NS_PER_MS);
        assertThat(mailbox.numbered).isEmpty();

        mailbox.restarts = false;
        batches.sendIfDue(2_000 * NS_PER_MS);
        assertThat(mailbox.numbered).isEqualTo(Map.of(0L, List.of("first"), 1L, List.of("second", "failed")));
    }

    @Test
    void shouldTellHowTheJobEnds_whenNimbusIsThereAgain_afterAnEarlierWatchBoltHasDied() {
        MessageBatches successor = new MessageBatches(true, 0, () -> mailbox);
        mailbox.restarts = true;
        successor.send(FAILED, 0);
        mailbox.restarts = false;
        successor.sendIfDue(200 * NS_PER_MS);
        successor.sendIfDue(400 * NS_PER_MS);

        assertThat(mailbox.numbered).isEmpty();
        assertThat(mailbox.last).containsExactly("failed");
    }

    /** Tasks count each second, and Nimbus may be away for hours. */
    @Test
    void shouldKeepTheNewestCountsOnly_whileNimbusIsAway() {
        mailbox.restarts = true;
        batches.send(warning("first"), 0);
        for (int second = 1; second <= 10_000; second++) {
            for (int task = 0; task < 3; task++) {
                batches.send(
                        ControlMessage.of(ControlMessage.Kind.ACKS, task, 1, task + " " + second + " 0"),
                        second * 1_000L * NS_PER_MS);
            }
        }
        assertThat(batches.isFull()).isFalse();
        mailbox.restarts = false;
        batches.send(FAILED, 20_000_000 * NS_PER_MS);

        assertThat(mailbox.numbered)
                .isEqualTo(Map.of(0L, List.of("first"), 1L, List.of("0 10000 0", "1 10000 0", "2 10000 0", "failed")));
    }

    /** Nimbus would keep five of them a second, for ever. */
    @Test
    void shouldLeaveOnlySoManyBatches_ifNobodyTakesThem() {
        for (int sent = 0; sent < 1_000; sent++) {
            batches.send(warning("" + sent), sent * 200L * NS_PER_MS);
        }
        assertThat(mailbox.numbered).hasSize(MessageBatches.MOST_UNTAKEN);
        assertThat(batches.isFull()).isFalse();

        mailbox.numbered.remove(1L); // as the first was read, and its removal was lost
        batches.sendIfDue(1_000_000L * NS_PER_MS);
        assertThat(mailbox.numbered.get(100L)).containsExactly("100");
        assertThat(mailbox.numbered.get(101L)).hasSize(899).startsWith("101").endsWith("999");
    }

    @Test
    void shouldBeFull_ifMuchWaits() {
        mailbox.restarts = true;
        String much = "x".repeat(1 << 20);
        for (int message = 0; message < 16; message++) {
            assertThat(batches.isFull()).isFalse();
            batches.send(warning(much), message);
        }
        assertThat(batches.isFull()).isTrue();

        mailbox.restarts = false;
        batches.sendIfDue(1_000 * NS_PER_MS);
        assertThat(batches.isFull()).isFalse();
    }

    @Test
    void shouldSendMessagesTogether_andWhatWaitsAlsoIfNoneFollows() {
        batches.send(warning("first"), 0);
        batches.send(warning("second"), NS_PER_MS);
        batches.send(warning("third"), 2 * NS_PER_MS);
        batches.sendIfDue(199 * NS_PER_MS);
        assertThat(mailbox.numbered).isEqualTo(Map.of(0L, List.of("first")));

        batches.sendIfDue(200 * NS_PER_MS);
        batches.sendIfDue(400 * NS_PER_MS);
        assertThat(mailbox.numbered).isEqualTo(Map.of(0L, List.of("first"), 1L, List.of("second", "third")));
    }

    /** It does not know how many batches the earlier one has sent, and may fail where it begins. */
    @Test
    void shouldTellHowTheJobEnds_afterAnEarlierWatchBoltHasDied() {
        new MessageBatches(true, 0, () -> mailbox).send(FAILED, 0);

        assertThat(mailbox.numbered).isEmpty();
        assertThat(mailbox.last).containsExactly("failed");
    }
}

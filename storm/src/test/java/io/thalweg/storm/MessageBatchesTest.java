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

        @Override
        public void put(long number, byte[] batch) {
            if (!away) {
                numbered.putIfAbsent(number, texts(batch));
            }
            if (away || silent) {
                throw new IllegalStateException("no answer");
            }
        }

        @Override
        public void putLast(byte[] batch) {
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

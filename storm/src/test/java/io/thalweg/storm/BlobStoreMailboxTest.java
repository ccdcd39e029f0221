// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.blobstore.AtomicOutputStream;
import org.apache.storm.blobstore.InputStreamWithMeta;
import org.apache.storm.blobstore.NimbusBlobStore;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.thrift.transport.TTransportException;
import org.junit.jupiter.api.Test;

final class BlobStoreMailboxTest {
    private static final NimbusStore.Listener NOBODY = new NimbusStore.Listener() {
        @Override
        public void away(String reason) {}

        @Override
        public void there() {}
    };

    private long nowNs;

    private BlobStoreMailbox mailbox(Store store) {
        return new BlobStoreMailbox(new NimbusStore(store, () -> store, NOBODY, () -> nowNs), "job");
    }

    /** Loses its answer to each removal. */
    private static final class Store extends NimbusBlobStore {
        private final Map<String, byte[]> blobs = new HashMap<>();
        private boolean away;
        private boolean breaks;

        @Override
        public InputStreamWithMeta getBlob(String key) throws KeyNotFoundException {
            if (away) {
                throw new IllegalStateException(new TTransportException("the connection broke"));
            }
            byte[] blob = blobs.get(key);
            if (blob == null) {
                throw new KeyNotFoundException(key);
            }
            return new Contents(blob);
        }

        @Override
        protected AtomicOutputStream createBlobToExtend(String key, SettableBlobMeta meta) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            return new AtomicOutputStream() {
                @Override
                public void write(int one) {
                    bytes.write(one);
                    if (breaks) {
                        throw new IllegalStateException(new TTransportException("the connection broke"));
                    }
                }

                @Override
                public void cancel() {}

                @Override
                public void close() {
                    blobs.put(key, bytes.toByteArray());
                }
            };
        }

        @Override
        public void deleteBlob(String key) {
            blobs.remove(key);
            throw new IllegalStateException("the connection broke");
        }
    }

    private static final class Contents extends InputStreamWithMeta {
        private final ByteArrayInputStream bytes;

        Contents(byte[] blob) {
            bytes = new ByteArrayInputStream(blob);
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] into, int from, int most) {
            return bytes.read(into, from, most);
        }

        @Override
        public long getVersion() {
            return 0;
        }

        @Override
        public long getFileLength() {
            return bytes.available();
        }
    }

    /** The client would wait for it for ever, and take none that follows. */
    @Test
    @SuppressWarnings("resource") // there is no connection
    void shouldLoseNoMessage_whoseRemovalIsNotAnswered() {
        Store store = new Store();
        store.blobs.put("thalweg-job-0", new byte[] {1, 2, 3});
        BlobStoreMailbox mailbox = mailbox(store);

        assertThat(mailbox.take(0)).containsExactly(1, 2, 3);
        assertThat(mailbox.take(0)).isNull();
    }

    /** Each look at a Nimbus that is away counted as a failure, and the hundredth ended the job. */
    @Test
    @SuppressWarnings("resource")
    void shouldWait_whileNimbusIsAway() {
        Store store = new Store();
        store.away = true;
        BlobStoreMailbox mailbox = mailbox(store);
        for (int looks = 0; looks < 1_000; looks++) {
            assertThat(mailbox.take(0)).isNull();
            nowNs += Duration.ofSeconds(1).toNanos();
        }
        store.away = false;
        store.blobs.put("thalweg-job-0", new byte[] {1, 2, 3});
        nowNs += Duration.ofSeconds(10).toNanos();
        assertThat(mailbox.take(0)).containsExactly(1, 2, 3);
    }

    /** Whoever takes it would take it for the whole message. */
    @Test
    @SuppressWarnings("resource")
    void shouldNotFinishAMessage_ofWhichAPartIsLost() {
        Store store = new Store();
        store.breaks = true;
        BlobStoreMailbox mailbox = mailbox(store);
        assertThatExceptionOfType(NimbusStore.AwayException.class)
                .isThrownBy(() -> mailbox.put(0, new byte[] {1, 2, 3}));
        assertThat(store.blobs).isEmpty();

        store.breaks = false;
        mailbox.put(0, new byte[] {1, 2, 3});
        assertThat(mailbox.take(0)).containsExactly(1, 2, 3);
    }
}

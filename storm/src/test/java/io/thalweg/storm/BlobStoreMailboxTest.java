// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.blobstore.InputStreamWithMeta;
import org.apache.storm.blobstore.NimbusBlobStore;
import org.apache.storm.generated.KeyNotFoundException;
import org.junit.jupiter.api.Test;

final class BlobStoreMailboxTest {
    /** Loses its answer to each removal. */
    private static final class Store extends NimbusBlobStore {
        private final Map<String, byte[]> blobs = new HashMap<>();

        @Override
        public InputStreamWithMeta getBlob(String key) throws KeyNotFoundException {
            byte[] blob = blobs.get(key);
            if (blob == null) {
                throw new KeyNotFoundException(key);
            }
            return new Contents(blob);
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
        BlobStoreMailbox mailbox = new BlobStoreMailbox(store, "job");

        assertThat(mailbox.take(0)).containsExactly(1, 2, 3);
        assertThat(mailbox.take(0)).isNull();
    }
}

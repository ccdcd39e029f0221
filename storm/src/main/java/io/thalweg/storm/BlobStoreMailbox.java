// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.blobstore.ClientBlobStore;
import org.apache.storm.blobstore.NimbusBlobStore;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.KeyAlreadyExistsException;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.utils.NimbusClient;
import org.jspecify.annotations.Nullable;

/** Messages between a job on a cluster and its client, as numbered blobs in Nimbus's blob store. One thread at a time. */
final class BlobStoreMailbox implements MessageBatches.Mailbox, AutoCloseable {
    private static final int PATIENCE = 100;
    private static final String LAST = "last";
    private static final String LAST_STEP = "createStateInZookeeper";

    private final ClientBlobStore store;
    private final String prefix;
    private int failures;

    BlobStoreMailbox(ClientBlobStore store, String job) {
        this.store = store;
        prefix = "thalweg-" + job + "-";
    }

    /** The mailbox of a worker, which finds the leader by its settings. */
    static BlobStoreMailbox ofWorker(Map<String, Object> conf, String job) {
        ClientBlobStore store = new NimbusBlobStore();
        store.prepare(conf);
        return new BlobStoreMailbox(store, job);
    }

    /**
     * The mailbox of a client. Storm would find the leader by the settings, too, but asks a LocalCluster of this JVM in its
     * place if there is one.
     *
     * @param leader is closed with the mailbox
     */
    static BlobStoreMailbox at(NimbusClient leader, Map<String, Object> conf, String job) {
        ClientBlobStore store = new NimbusBlobStore();
        store.setClient(conf, leader);
        return new BlobStoreMailbox(store, job);
    }

    @Override
    public void put(long number, byte[] message) {
        write(prefix + number, message);
    }

    @Override
    public void putLast(byte[] message) {
        write(prefix + LAST, message);
    }

    /** Takes the message of {@link #putLast}; null if there is none. */
    byte @Nullable [] takeLast() {
        return take(prefix + LAST);
    }

    /** Removes and returns the message with this number; null if it has not arrived. */
    byte @Nullable [] take(long number) {
        return take(prefix + number);
    }

    private byte @Nullable [] take(String key) {
        try (InputStream in = store.getBlob(key)) {
            byte[] message = in.readAllBytes();
            failures = 0;
            remove(key);
            return message;
        } catch (KeyNotFoundException e) {
            return null;
        } catch (IOException | RuntimeException e) {
            if (++failures > PATIENCE) {
                throw new IllegalStateException("cannot read " + key + " from Nimbus's blob store: " + e, e);
            }
            return null; // Nimbus lists a blob a moment before it can be read
        } catch (AuthorizationException e) {
            throw denied(e);
        }
    }

    /** Whether it is gone or not, it was read: if only the answer was lost, it would not come a second time. */
    private void remove(String key) throws AuthorizationException {
        try {
            store.deleteBlob(key);
        } catch (KeyNotFoundException | RuntimeException e) {
            // it is gone, or stays in the store
        }
    }

    void cancel() {
        write(cancelKey(), new byte[] {1});
    }

    boolean cancelled() {
        try {
            boolean cancelled = store.isRemoteBlobExists(cancelKey());
            failures = 0;
            return cancelled;
        } catch (RuntimeException e) {
            if (++failures > PATIENCE) {
                throw new IllegalStateException("cannot read " + cancelKey() + " from Nimbus's blob store: " + e, e);
            }
            return false; // as above: Nimbus fails while the blob is being written
        } catch (AuthorizationException e) {
            throw denied(e);
        }
    }

    /** Removes the messages that were not taken. */
    void clear(long from) {
        try {
            for (long number = from; take(number) != null; number++) {
                // taken
            }
            if (cancelled()) {
                remove(cancelKey());
            }
        } catch (AuthorizationException e) {
            // it is not ours
        }
    }

    private String cancelKey() {
        return prefix + "cancel";
    }

    private void write(String key, byte[] bytes) {
        try (OutputStream out =
                store.createBlob(key, new SettableBlobMeta(List.copyOf(BlobStoreAclHandler.WORLD_EVERYTHING)))) {
            out.write(bytes);
        } catch (KeyAlreadyExistsException e) {
            // reported before
        } catch (RuntimeException e) {
            if (!String.valueOf(e.getMessage()).contains(LAST_STEP)) {
                throw e;
            }
            // the receiver has removed it before Storm had finished writing it
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + key + " to Nimbus's blob store", e);
        } catch (AuthorizationException e) {
            throw denied(e);
        }
    }

    private static IllegalStateException denied(AuthorizationException e) {
        return new IllegalStateException("Nimbus denies this user access to its blob store: " + e.get_msg(), e);
    }

    @Override
    public void close() {
        store.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedPlan;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.blobstore.AtomicOutputStream;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.blobstore.ClientBlobStore;
import org.apache.storm.blobstore.NimbusBlobStore;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.KeyAlreadyExistsException;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.jspecify.annotations.Nullable;

/** Messages between a job on a cluster and its client, as numbered blobs in Nimbus's blob store. One thread at a time. */
final class BlobStoreMailbox implements ClientLink.Mailbox {
    /** Failures in a row of a Nimbus that answers, some minutes of them: one that has just started is not ready for a while. */
    private static final int PATIENCE = 3_000;

    private static final String LAST = "last";
    private static final String LAST_STEP = "createStateInZookeeper";

    /** How long a worker waits for an answer. */
    private static final int ANSWER_MS = 10_000;

    private final NimbusStore nimbus;
    private final String prefix;
    private int failures;

    /** @param nimbus is closed with the mailbox */
    BlobStoreMailbox(NimbusStore nimbus, String job) {
        this.nimbus = nimbus;
        prefix = "thalweg-" + job + "-";
    }

    /** The mailbox of a worker, which finds the leader by its settings. */
    static BlobStoreMailbox ofWorker(Map<String, Object> conf, String job) {
        Map<String, Object> impatient = new HashMap<>(conf);
        impatient.put(Config.STORM_NIMBUS_RETRY_TIMES, 0);
        NimbusStore.Listener client = new NimbusStore.Listener() { // which hears nothing meanwhile, and tells its user
                    @Override
                    public void away(String reason) {}

                    @Override
                    public void there() {}
                };
        return new BlobStoreMailbox(new NimbusStore(null, () -> store(impatient), client, HostedPlan::nowNs), job);
    }

    private static ClientBlobStore store(Map<String, Object> conf) {
        ClientBlobStore store = new NimbusBlobStore();
        store.setClient(
                conf, NimbusClient.Builder.withConf(conf).withTimeout(ANSWER_MS).build());
        return store;
    }

    @Override
    public void put(long number, byte[] message) {
        write(prefix + number, message);
    }

    @Override
    public boolean isTaken(long number) {
        try {
            return !nimbus.ask(store -> store.isRemoteBlobExists(prefix + number));
        } catch (NimbusStore.AwayException e) {
            throw e;
        } catch (AuthorizationException e) {
            throw denied(e);
        } catch (IOException | TException | RuntimeException e) {
            return false; // it is being written, or removed
        }
    }

    @Override
    public void putLast(byte[] message) {
        write(prefix + LAST, message);
    }

    /** Takes the message of {@link #putLast}; null if there is none. */
    byte @Nullable [] takeLast() {
        return take(prefix + LAST);
    }

    /** Removes and returns the message with this number; null if it has not arrived, or Nimbus is away. */
    byte @Nullable [] take(long number) {
        return take(prefix + number);
    }

    private byte @Nullable [] take(String key) {
        try {
            byte[] message = nimbus.ask(store -> {
                try (InputStream in = store.getBlob(key)) {
                    return in.readAllBytes();
                }
            });
            failures = 0;
            remove(key);
            return message;
        } catch (KeyNotFoundException | NimbusStore.AwayException e) {
            return null;
        } catch (AuthorizationException e) {
            throw denied(e);
        } catch (IOException | TException | RuntimeException e) {
            countFailure(key, e);
            return null; // Nimbus lists a blob a moment before it can be read
        }
    }

    private void countFailure(String key, Exception e) {
        if (++failures > PATIENCE) {
            throw new IllegalStateException("cannot read " + key + " from Nimbus's blob store: " + e, e);
        }
    }

    /** Whether it is gone or not, it was read: if only the answer was lost, it would not come a second time. */
    private void remove(String key) throws AuthorizationException {
        try {
            nimbus.ask(store -> {
                store.deleteBlob(key);
                return key;
            });
        } catch (AuthorizationException e) {
            throw e;
        } catch (IOException | TException | RuntimeException e) {
            // it is gone, or stays in the store
        }
    }

    /** @throws NimbusStore.AwayException if Nimbus does not answer now */
    void cancel() {
        write(cancelKey(), new byte[] {1});
    }

    /** False if Nimbus is away. */
    @Override
    public boolean cancelled() {
        try {
            boolean cancelled = nimbus.ask(store -> store.isRemoteBlobExists(cancelKey()));
            failures = 0;
            return cancelled;
        } catch (NimbusStore.AwayException e) {
            return false;
        } catch (AuthorizationException e) {
            throw denied(e);
        } catch (IOException | TException | RuntimeException e) {
            countFailure(cancelKey(), e);
            return false; // as above: Nimbus fails while the blob is being written
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
        try {
            nimbus.ask(store -> {
                AtomicOutputStream out =
                        store.createBlob(key, new SettableBlobMeta(List.copyOf(BlobStoreAclHandler.WORLD_EVERYTHING)));
                out.write(bytes);
                out.close(); // not after a failure: it would finish a part
                return key;
            });
        } catch (KeyAlreadyExistsException e) {
            // reported before
        } catch (NimbusStore.AwayException e) {
            throw e;
        } catch (RuntimeException e) {
            if (!String.valueOf(e.getMessage()).contains(LAST_STEP)) {
                throw e;
            }
            // the receiver has removed it before Storm had finished writing it
        } catch (AuthorizationException e) {
            throw denied(e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + key + " to Nimbus's blob store", e);
        } catch (TException e) {
            throw new IllegalStateException("cannot write " + key + " to Nimbus's blob store", e);
        }
    }

    private static IllegalStateException denied(AuthorizationException e) {
        return new IllegalStateException("Nimbus denies this user access to its blob store: " + e.get_msg(), e);
    }

    @Override
    public void close() {
        nimbus.close();
    }
}

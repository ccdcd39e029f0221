// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.storm.blobstore.ClientBlobStore;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;

/**
 * The blob store of a Nimbus that may be away for a while, as where it restarts or another one takes over: Storm's connection stays broken
 * then, so another is opened, after growing pauses. One thread at a time.
 */
final class NimbusStore implements AutoCloseable {
    private static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(10);

    /** Nimbus does not answer now, and is to be asked again later. */
    static final class AwayException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        AwayException(String reason) {
            super("Nimbus does not answer: " + reason);
        }
    }

    /** Connects to the Nimbus that leads. */
    interface Opening {
        ClientBlobStore open() throws IOException, TException;
    }

    interface Request<T> {
        T of(ClientBlobStore store) throws IOException, TException;
    }

    /** Is told again and again. */
    interface Listener {
        /** Nimbus does not answer, though more than one connection was tried. */
        void away(String reason);

        /** Nimbus has answered. */
        void there();
    }

    private final Opening opening;
    private final Listener listener;
    private final LongSupplier nowNs;
    private @Nullable ClientBlobStore store;
    private int failures;
    private String reason = "";
    private long dueNs;

    /**
     * @param first the first connection, which is closed with this; null to open it when it is needed
     * @param opening opens another
     */
    NimbusStore(@Nullable ClientBlobStore first, Opening opening, Listener listener, LongSupplier nowNs) {
        store = first;
        this.opening = opening;
        this.listener = listener;
        this.nowNs = nowNs;
    }

    /**
     * Asks Nimbus. It may have done what it was asked for though it has not answered.
     *
     * @throws AwayException if it does not answer now
     */
    <T> T ask(Request<T> request) throws IOException, TException {
        ClientBlobStore open = opened();
        boolean broken = false;
        try {
            return request.of(open);
        } catch (IOException | TException | RuntimeException e) {
            broken = isBroken(e);
            if (!broken) {
                throw e;
            }
            close();
            throw away(e);
        } finally {
            if (!broken) {
                failures = 0;
                listener.there();
            }
        }
    }

    private ClientBlobStore opened() {
        ClientBlobStore open = store;
        if (open == null) {
            if (nowNs.getAsLong() - dueNs < 0) {
                throw new AwayException(reason);
            }
            try {
                open = opening.open();
            } catch (IOException | TException | RuntimeException e) {
                throw away(e);
            }
            store = open;
        }
        return open;
    }

    /** The first failure may be of a connection that somebody on the way has forgotten, since it was idle. */
    private AwayException away(Exception why) {
        failures++;
        reason = reason(why);
        dueNs = nowNs.getAsLong();
        if (failures > 1) {
            dueNs += Math.min(LONGEST_PAUSE_NS, FIRST_PAUSE_NS << Math.min(failures - 2, 10));
            listener.away(reason);
        }
        return new AwayException(reason);
    }

    /** True if a connection is of no use any more. */
    static boolean isBroken(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof TTransportException) {
                return true;
            }
        }
        return false;
    }

    static String reason(Throwable thrown) {
        Throwable inner = thrown;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        String message = inner.getMessage();
        return message == null || message.isBlank()
                ? inner.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    @Override
    public void close() {
        ClientBlobStore open = store;
        store = null;
        if (open != null) {
            open.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.blobstore.ClientBlobStore;
import org.apache.storm.blobstore.NimbusBlobStore;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.transport.TTransportException;
import org.junit.jupiter.api.Test;

/** A Nimbus that is away for a while. */
final class NimbusStoreTest {
    private static final long MS = 1_000_000;

    private final List<String> told = new ArrayList<>();
    private final NimbusStore.Listener listener = new NimbusStore.Listener() {
        private boolean away;

        @Override
        public void away(String reason) {
            if (!away) {
                told.add("away: " + reason);
            }
            away = true;
        }

        @Override
        public void there() {
            if (away) {
                told.add("there");
            }
            away = false;
        }
    };
    private boolean listens = true;
    private int opened;
    private long nowNs;
    private final NimbusStore store = new NimbusStore(new NimbusBlobStore(), this::open, listener, () -> nowNs);

    private ClientBlobStore open() throws ConnectException {
        opened++;
        if (!listens) {
            throw new ConnectException("Connection refused");
        }
        return new NimbusBlobStore();
    }

    private static RuntimeException broken() {
        return new RuntimeException(new TTransportException("Socket is closed by peer."));
    }

    private void shouldBeAway(NimbusStore.Request<String> request) {
        assertThatExceptionOfType(NimbusStore.AwayException.class).isThrownBy(() -> store.ask(request));
    }

    private void breakConnection() {
        shouldBeAway(open -> {
            throw broken();
        });
    }

    /** As of a connection that was idle for long. */
    @Test
    void shouldConnectAgain_withoutAWord_whereAConnectionBreaks() throws Exception {
        breakConnection();
        assertThat(store.<String>ask(open -> "answer")).isEqualTo("answer");
        assertThat(store.<String>ask(open -> "answer")).isEqualTo("answer");
        assertThat(opened).isEqualTo(1);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldConnectAgain_atGrowingIntervals_andTellOnce() throws Exception {
        listens = false;
        breakConnection();
        List<Long> tries = new ArrayList<>();
        for (int looks = 0; looks < 400; looks++) {
            int before = opened;
            shouldBeAway(open -> "answer");
            if (opened > before) {
                tries.add(nowNs / MS);
            }
            nowNs += 100 * MS;
        }
        assertThat(tries).containsExactly(0L, 500L, 1_500L, 3_500L, 7_500L, 15_500L, 25_500L, 35_500L);
        assertThat(told).containsExactly("away: Connection refused");

        listens = true;
        nowNs += 10_000 * MS;
        assertThat(store.<String>ask(open -> "answer")).isEqualTo("answer");
        assertThat(told).containsExactly("away: Connection refused", "there");
    }

    /** Somebody listens, but answers nothing. */
    @Test
    void shouldWait_whereEachNewConnectionBreaksToo() {
        for (int looks = 0; looks < 100; looks++) {
            breakConnection();
            nowNs += 100 * MS;
        }
        assertThat(opened).isLessThan(10);
        assertThat(told).containsExactly("away: Socket is closed by peer.");
    }

    @Test
    void shouldKeepAConnection_throughWhichNimbusAnswers() throws Exception {
        assertThatExceptionOfType(KeyNotFoundException.class)
                .isThrownBy(() -> store.ask(open -> {
                    throw new KeyNotFoundException("not yet");
                }));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> store.ask(open -> {
                    throw new IllegalStateException(new TApplicationException("Internal error"));
                }));
        assertThat(store.<String>ask(open -> "answer")).isEqualTo("answer");
        assertThat(opened).isZero();
        assertThat(told).isEmpty();
    }
}

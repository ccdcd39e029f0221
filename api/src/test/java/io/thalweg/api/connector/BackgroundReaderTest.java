// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A split that is read on a thread of its own, by a reader that blocks after its first record. */
@Timeout(60)
final class BackgroundReaderTest {
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicBoolean closedInterrupted = new AtomicBoolean();
    private final AtomicInteger wakeUps = new AtomicInteger();

    private final SourceContext context = new SourceContext() {
        @Override
        public void bad(BadRecord record) {}

        @Override
        public long nowNs() {
            return 0;
        }

        @Override
        public void wakeUp() {
            wakeUps.incrementAndGet();
        }
    };

    private final class OneRecord implements SplitReader<Object> {
        private long read;

        @Override
        public @Nullable Object poll() throws InterruptedException {
            if (read++ > 0) {
                blocked.countDown();
                new CountDownLatch(1).await();
            }
            return "first";
        }

        @Override
        public boolean finished() {
            return false;
        }

        @Override
        public long position() {
            return read;
        }

        @Override
        public void close() {
            closedInterrupted.set(Thread.currentThread().isInterrupted());
            closed.countDown();
        }
    }

    private BackgroundReader open() {
        return new BackgroundReader(
                "test", own -> new OneRecord(), null, context, new SavedPosition(Fetcher.NOT_BEGUN, new byte[0]));
    }

    @Test
    void shouldSayWhereTheSplitBegins_andWakeTheTaskForWhatHasArrivedSince() throws Exception {
        BackgroundReader reader = open();
        assertThat(reader.position()).isEqualTo(Fetcher.NOT_BEGUN);
        assertThat(blocked.await(1, TimeUnit.MINUTES)).isTrue();
        int before = wakeUps.get();

        assertThat(reader.poll()).isNull();
        assertThat(reader.position()).isZero();
        assertThat(wakeUps).hasValueGreaterThan(before);

        assertThat(reader.poll()).isEqualTo("first");
        assertThat(reader.position()).isEqualTo(1);
        assertThat(reader.poll()).isNull();
        reader.close();
    }

    @Test
    void shouldInterruptAReadThatBlocks_andNotWhoClosesTheReader() throws Exception {
        BackgroundReader reader = open();
        assertThat(blocked.await(1, TimeUnit.MINUTES)).isTrue();

        reader.close();

        assertThat(closed.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(closedInterrupted).isFalse();
    }
}

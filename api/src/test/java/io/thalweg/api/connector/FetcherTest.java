// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A fetcher whose task has no split. */
final class FetcherTest {
    private static final class Broken implements LiveSource<String> {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Type<String> type() {
            return Type.of(String.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of();
        }

        @Override
        public LiveReader<String> open(SourceContext context) {
            throw new ConnectorException("no broker at host:1");
        }
    }

    @Test
    void shouldSayThatTheReaderFailed_alsoWithoutSplits() throws Exception {
        CountDownLatch woken = new CountDownLatch(1);
        SourceContext context = new SourceContext() {
            @Override
            public void bad(BadRecord record) {}

            @Override
            public long nowNs() {
                return 0;
            }

            @Override
            public void wakeUp() {
                woken.countDown();
            }
        };
        try (Fetcher<String> fetcher =
                new Fetcher<>("test", new Broken(), new Fetcher.Share(List.of(), 0, 1), context)) {
            assertThat(woken.await(1, TimeUnit.MINUTES)).isTrue();
            assertThatThrownBy(fetcher::found)
                    .isInstanceOf(ConnectorException.class)
                    .hasMessage("no broker at host:1");
        }
    }
}

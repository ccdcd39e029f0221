// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.StartContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How often, and for how long, a broker is asked for an answer; no time passes but that of the tries and the pauses. */
final class BrokerWaitTest {
    private static final String REFUSED = "connection refused";

    private final List<String> told = new ArrayList<>();
    private final List<Long> pausesMs = new ArrayList<>();
    private final List<Duration> limits = new ArrayList<>();
    private Duration now = Duration.ZERO;

    /** What the user has said for the job. */
    private @Nullable Duration asked;

    private final StartContext context = new StartContext() {
        @Override
        public Duration timeout(Duration own) {
            return asked == null ? own : asked;
        }

        @Override
        public Duration elapsed() {
            return now;
        }

        @Override
        public void tell(String message) {
            told.add(message);
        }
    };

    private BrokerWait waiting(BrokerWait.Try attempt) {
        ClientSettings settings = ClientSettings.of("host:9092").connectTimeout(Duration.ofSeconds(30));
        return new BrokerWait(
                "read topic orders",
                settings,
                limit -> {
                    limits.add(limit);
                    return attempt.failure(limit);
                },
                ms -> {
                    pausesMs.add(ms);
                    now = now.plusMillis(ms);
                },
                new Random(1));
    }

    /** One that says nothing until its time is over. */
    private String silent(Duration limit) {
        now = now.plus(limit);
        return "silent";
    }

    @Test
    void shouldGoOnWithoutAWord_ifThereIsAnAnswer() throws Exception {
        waiting(limit -> null).await(context);

        assertThat(told).isEmpty();
        assertThat(limits).containsExactly(BrokerWait.FIRST_TRY);
    }

    @Test
    void shouldTryAgainMoreAndMoreSeldom_andTellNowAndThen() {
        assertThatThrownBy(() -> waiting(limit -> REFUSED).await(context))
                .isInstanceOf(ConnectorException.class)
                .hasMessage(
                        "cannot read topic orders at host:9092: connection refused, for 30 s; start a broker there, or correct"
                                + " the address; --connect-timeout, or connectTimeout(…) of the source or sink, waits longer");

        assertThat(now).isEqualTo(Duration.ofSeconds(30));
        assertThat(pausesMs.get(0)).isBetween(50L, 100L);
        assertThat(pausesMs.get(3)).isBetween(400L, 800L);
        assertThat(pausesMs.subList(6, pausesMs.size() - 1)).allMatch(ms -> ms >= 2_500 && ms <= 5_000);
        assertThat(pausesMs.subList(6, 9)).as("at random").doesNotHaveDuplicates();
        assertThat(told).hasSize(3);
        assertThat(told.get(0)).isEqualTo("waiting for Kafka at host:9092: connection refused; 30 s left");
        assertThat(told.get(1)).matches("waiting for Kafka at host:9092: connection refused; 1\\d s left");
    }

    @Test
    void shouldGoOnWhenABrokerAnswersLate() throws Exception {
        Deque<String> failures = new ArrayDeque<>(List.of(REFUSED, REFUSED, "unknown host"));

        waiting(limit -> failures.poll()).await(context);

        assertThat(told).hasSize(2);
        assertThat(told.get(1)).matches("Kafka at host:9092 answers, \\d+ ms after the start of the job");
    }

    @Test
    void shouldTryOnce_ifTheUserSaysSo() {
        asked = Duration.ZERO;

        assertThatThrownBy(() -> waiting(limit -> REFUSED).await(context))
                .hasMessageStartingWith(
                        "cannot read topic orders at host:9092: connection refused; start a broker there");
        assertThat(limits).containsExactly(BrokerWait.FIRST_TRY);
        assertThat(pausesMs).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldGiveASlowBrokerMoreTimeInEachTry_andEndInTime() {
        assertThatThrownBy(() -> waiting(this::silent).await(context)).hasMessageContaining("silent, for 30 s");

        assertThat(limits.get(0)).isEqualTo(Duration.ofSeconds(5));
        assertThat(limits.get(1)).isEqualTo(Duration.ofSeconds(10));
        assertThat(limits).hasSize(3);
        assertThat(now).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(31));
    }

    @Test
    void shouldTakeTheTimeoutOfTheJob_whichMayBeLongerAndShorter() {
        asked = Duration.ofMillis(700);
        assertThatThrownBy(() -> waiting(this::silent).await(context)).hasMessageContaining("silent, for 700 ms;");
        assertThat(limits).containsExactly(asked);

        asked = Duration.ofHours(1);
        now = Duration.ZERO;
        assertThatThrownBy(() -> waiting(limit -> REFUSED).await(context)).hasMessageContaining("for 3600 s");
        assertThat(told).as("a line a minute").hasSizeBetween(60, 70);
    }

    @Test
    void shouldNotTryAgainWhatWillNotMend() {
        ConnectorException login = new ConnectorException("the broker refuses the login");

        assertThatThrownBy(() -> waiting(limit -> {
                            throw login;
                        })
                        .await(context))
                .isSameAs(login);
        assertThat(limits).hasSize(1);
        assertThat(told).isEmpty();
    }
}

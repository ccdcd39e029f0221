// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.files.Json;
import io.thalweg.run.BadLimit;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lookups in a service, on the embedded engine. */
@Timeout(900)
final class HttpLookupTest {
    record Order(long number, @Nullable String user) {
        @Nullable String url(String users) {
            return user == null ? null : users + user;
        }
    }

    record User(String name, @Nullable Integer age) {}

    private final CollectSink<String> sink = CollectSink.of(String.class);

    private static String joined(Order order, @Nullable User user) {
        return order.number() + " " + (user == null ? "-" : user.name() + " " + user.age());
    }

    private JobStats run(String users, List<Order> orders, Duration timeout) throws Exception {
        return run(Http.lookup(Json.decoder(User.class)).bearer(Secret.of("word")), users, orders, timeout);
    }

    private JobStats run(HttpLookup<User> lookup, String users, List<Order> orders, Duration timeout) throws Exception {
        Topology topology = Topology.named("orders");
        // region lookup
        topology.from(Sources.of(Type.of(Order.class), orders))
                .async()
                .timeout(timeout)
                .retry(3, Duration.ofMillis(10))
                .cache(Order::user, 10_000, Duration.ofMinutes(5))
                .joinWith(lookup.by(order -> order.url(users)), HttpLookupTest::joined)
                .to(sink);
        // endregion
        return new EmbeddedRunner(RunSettings.defaults().withBadLimit(BadLimit.none()))
                .start(topology.graph())
                .await();
    }

    @Test
    void shouldJoinEachRecordWithItsAnswer() throws Exception {
        Set<String> asked = ConcurrentHashMap.newKeySet();
        try (TestService service = new TestService(request -> {
            if (!request.header("Authorization").equals("Bearer word")) {
                return TestService.status(401, "");
            }
            if (asked.add(request.path())) {
                return TestService.status(503, "");
            }
            return switch (request.path()) {
                case "/users/u1" -> TestService.status(200, "{\"name\":\"One\",\"age\":30}");
                case "/users/u2" -> TestService.status(200, "{\"name\":\"Two\"}");
                case "/users/u4" -> TestService.status(204, "");
                case "/users/u5" -> TestService.status(200, "{\"name\":");
                default -> TestService.status(404, "nobody");
            };
        })) {
            List<Order> orders = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                int user = i % 7;
                orders.add(new Order(i, user == 6 ? null : "u" + user));
                if (user != 5) {
                    expected.add(i
                            + List.of(" -", " One 30", " Two null", " -", " -", "", " -")
                                    .get(user));
                }
            }
            JobStats stats = run(service.url() + "/users/", orders, Duration.ofMinutes(2));
            assertThat(sink.records()).isEqualTo(expected);
            assertThat(stats.recordsBad()).isEqualTo(200 / 7);
            assertThat(stats.badReasons().get(0).example())
                    .startsWith("the response of " + service.url() + "/users/u5 cannot be decoded: ");
        }
    }

    /** As no decoder may, in place of what cannot be decoded. */
    private record Lenient() implements Decoder<User> {
        private static final long serialVersionUID = 1L;

        @Override
        public Type<User> type() {
            return Type.of(User.class);
        }

        @Override
        public Decoding<User> open() {
            return (bytes, from, to) -> null;
        }
    }

    @Test
    void shouldNotTakeAnAnswerForNone_whereItsDecoderGivesNull() throws Exception {
        try (TestService service = new TestService(request -> TestService.status(200, "One"))) {
            JobStats stats = run(
                    Http.lookup(new Lenient()),
                    service.url() + "/",
                    List.of(new Order(1, "u1"), new Order(2, null)),
                    Duration.ofMinutes(2));
            assertThat(sink.records()).containsExactly("2 -");
            assertThat(stats.badReasons().get(0).example())
                    .isEqualTo("the response of " + service.url()
                            + "/u1 cannot be decoded: its decoder gives null, which is no record");
        }
    }

    @Test
    void shouldSayInOneLineWhatIsWrong() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        List<Order> orders = List.of(new Order(1, "u1?token=hush"));
        try (TestService service =
                new TestService(request -> switch (request.path().charAt(1)) {
                    case 'a' -> TestService.status(403, "not " + request.header("Authorization"));
                    case 'b' -> TestService.endless(asked);
                    default -> TestService.cutShort();
                })) {
            Duration timeout = Duration.ofMinutes(2);
            assertThatThrownBy(() -> run(service.url() + "/a/", orders, timeout))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("cannot look up " + service.url() + "/a/u1: status 403: not Bearer (hidden)")
                    .hasMessageNotContaining("hush");
            assertThatThrownBy(() -> run(service.url() + "/b/", orders, timeout))
                    .hasMessageContaining("the response has more than 1 MiB");
            assertThat(asked.await(2, TimeUnit.MINUTES)).isTrue();
            assertThatThrownBy(() -> run(service.url() + "/c/", orders, timeout))
                    .hasMessageContaining("cannot look up " + service.url() + "/c/u1: ");
            service.stop();
            assertThatThrownBy(() -> run(service.url() + "/a/", orders, timeout))
                    .hasMessageContaining("cannot look up " + service.url() + "/a/u1: ");
        }
        assertThatThrownBy(() -> run("http://no-such-host.invalid/", orders, Duration.ofMinutes(2)))
                .hasMessageContaining("there is no host no-such-host.invalid");
    }

    @Test
    void shouldGiveUpARequestThatIsLate() throws Exception {
        try (TestService service = new TestService(request -> TestService.never())) {
            assertThatThrownBy(() -> run(service.url() + "/", List.of(new Order(1, "u1")), Duration.ofMillis(200)))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("200 ms");
        }
    }
}

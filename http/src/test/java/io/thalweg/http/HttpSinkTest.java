// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkReports;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.files.Json;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a service is sent, what becomes of its answers, and what a user is told. Pauses are counted and not waited for. */
@Timeout(900)
final class HttpSinkTest {
    record Item(long id) {}

    private static final long SEED = 4711;

    private final List<BadRecord> bad = new ArrayList<>();
    private final List<String> losses = new CopyOnWriteArrayList<>();
    private final ConnectionReports connections = new ConnectionReports() {
        @Override
        public void lost(String system, String reason) {
            losses.add("lost " + system + " (" + reason + ")");
        }

        @Override
        public void restored(String system) {
            losses.add("restored " + system);
        }
    };
    private final List<Long> pauses = new ArrayList<>();
    private final AtomicLong nowNs = new AtomicLong(7);
    private final List<TestService> services = new ArrayList<>();

    private TestService service(TestService.Script script) throws IOException {
        TestService made = new TestService(script);
        services.add(made);
        return made;
    }

    @AfterEach
    void stopServices() {
        services.forEach(TestService::close);
    }

    private SinkContext context(Guarantee guarantee, long checkpoint) {
        SinkReports reports = new SinkReports() {
            @Override
            public void bad(BadRecord record) {
                bad.add(record);
            }

            @Override
            public ConnectionReports connections() {
                return connections;
            }

            @Override
            public long nowNs() {
                return nowNs.get();
            }
        };
        return new SinkContext("job", "out", 0, 1, System.out, null, guarantee, checkpoint, "run", reports);
    }

    private <T> SinkWriter<T> open(HttpSink<T> sink, Pause pause) {
        return sink.open(context(Guarantee.NONE, SinkContext.NO_CHECKPOINTS), pause, new Random(SEED));
    }

    private <T> SinkWriter<T> open(HttpSink<T> sink) {
        return open(sink, pauses::add);
    }

    private <T> void write(HttpSink<T> sink, List<T> records) throws Exception {
        SinkWriter<T> writer = open(sink);
        try {
            for (T each : records) {
                writer.write(each);
            }
            writer.finish();
        } finally {
            writer.close();
        }
    }

    private static List<Item> items(long from, long to) {
        return LongStream.range(from, to).mapToObj(Item::new).toList();
    }

    private static HttpSink<Item> sink(TestService service) {
        return Http.post(service.url() + "/in?token=hush", Json.encoder());
    }

    private static List<String> bodies(TestService service) {
        return service.requests().stream().map(TestService.Request::body).toList();
    }

    /** Answers one request after the other, the last answer for all that follow. */
    private static TestService.Script inTurn(TestService.Reply... replies) {
        AtomicInteger next = new AtomicInteger();
        return request -> replies[Math.min(next.getAndIncrement(), replies.length - 1)];
    }

    // what is sent

    @Test
    void shouldSendJsonArrays() throws Exception {
        TestService service = service(request -> TestService.ok());
        write(sink(service).batch(2), items(0, 5));
        assertThat(bodies(service))
                .containsExactly("[{\"id\":0},{\"id\":1}]", "[{\"id\":2},{\"id\":3}]", "[{\"id\":4}]");
        TestService.Request first = service.requests().get(0);
        assertThat(first.method() + " " + first.path()).isEqualTo("POST /in?token=hush");
        assertThat(first.header("Content-Type")).isEqualTo("application/json");
        assertThat(service.requests())
                .extracting(TestService.Request::key)
                .doesNotHaveDuplicates()
                .doesNotContain("");
    }

    @Test
    void shouldSendLines_compressed_withHeaders() throws Exception {
        TestService service = service(request -> TestService.status(204, ""));
        HttpSink<String> sink = Http.post(service.url(), Encoder.text())
                .method("PUT")
                .lines()
                .gzip()
                .header("Content-Type", "text/plain")
                .header("X-From", "job")
                .basic("etl", Secret.of("word"));
        write(sink, List.of("a", "ö", ""));
        TestService.Request only = service.requests().get(0);
        assertThat(only.body()).isEqualTo("a\nö\n\n");
        assertThat(only.method()).isEqualTo("PUT");
        assertThat(only.header("Content-Type")).isEqualTo("text/plain");
        assertThat(only.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(only.header("X-From")).isEqualTo("job");
        assertThat(only.header("Authorization")).isEqualTo("Basic ZXRsOndvcmQ=");
    }

    /** 18 bytes hold a record of 8 and what stands beside it twice. */
    @Test
    void shouldCutBatchesByBytes_andSendALargeRecordAlone() throws Exception {
        TestService service = service(request -> TestService.ok());
        HttpSink<String> sink = Http.post(service.url(), Encoder.text()).lines().batchBytes(18);
        write(sink, List.of("12345678", "12345678", "12345678", "x".repeat(100), "1"));
        assertThat(bodies(service))
                .containsExactly("12345678\n12345678\n", "12345678\n", "x".repeat(100) + "\n", "1\n");
    }

    /** With the brackets, too: a service that takes no more refuses one byte more. */
    @Test
    void shouldCutArraysByBytes() throws Exception {
        for (int most : new int[] {1, 10, 18, 19, 27, 28, 29, 46, 100}) {
            TestService service = service(request -> TestService.ok());
            write(sink(service).batchBytes(most), items(0, 9));
            int longest =
                    bodies(service).stream().mapToInt(String::length).max().orElseThrow();
            assertThat(longest).as("at most %d", most).isLessThanOrEqualTo(Math.max(most, "[{\"id\":0}]".length()));
            assertThat(bodies(service).stream().flatMap(body -> TestService.ids(body).stream()))
                    .isEqualTo(LongStream.range(0, 9).boxed().toList());
            service.close();
        }
    }

    @Test
    void shouldNotMakeTwoLinesOfARecord() throws Exception {
        TestService service = service(request -> TestService.ok());
        SinkWriter<String> writer =
                open(Http.post(service.url(), Encoder.text()).lines());
        writer.write("a");
        assertThatThrownBy(() -> writer.write("b\nc"))
                .isInstanceOf(BadRecordException.class)
                .hasMessageContaining("line feed");
        writer.write("d\r");
        writer.finish();
        writer.close();
        assertThat(bodies(service)).containsExactly("a\nd\r\n");
    }

    @Test
    @SuppressWarnings("NullAway")
    void shouldRefuseARecordOfWhichItsEncoderGivesNull() throws Exception {
        TestService service = service(request -> TestService.ok());
        Encoder<String> sometimes = () -> text -> text.isEmpty() ? null : text.getBytes(StandardCharsets.UTF_8);
        SinkWriter<String> writer = open(Http.post(service.url(), sometimes));
        writer.write("1");
        assertThatThrownBy(() -> writer.write(""))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("its encoder gives null");
        writer.write("2");
        writer.finish();
        writer.close();
        assertThat(bodies(service)).containsExactly("[1,2]");
    }

    /** Users say for ever by the longest duration that there is. */
    @Test
    void shouldWaitForEver() throws Exception {
        TestService service = service(inTurn(TestService.status(503, ""), TestService.ok()));
        Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
        SinkWriter<Item> writer = open(sink(service).flushInterval(forEver).patience(forEver));
        writer.write(new Item(1));
        writer.onClock(10_000);
        assertThat(writer.dueMs()).isGreaterThan(10_000);
        assertThat(service.requests()).isEmpty();
        writer.finish();
        writer.close();
        assertThat(service.requests()).hasSize(2);
    }

    @Test
    void shouldSendEachRecordWithItsKey() throws Exception {
        TestService service = service(request -> TestService.ok());
        SinkWriter<Item> writer = open(sink(service).key(item -> item.id() == 2 ? null : "item-" + item.id()));
        writer.write(new Item(1));
        assertThatThrownBy(() -> writer.write(new Item(2)))
                .isInstanceOf(BadRecordException.class)
                .hasMessageContaining("key");
        writer.write(new Item(3));
        writer.finish();
        writer.close();
        assertThat(bodies(service)).containsExactly("{\"id\":1}", "{\"id\":3}");
        assertThat(service.requests()).extracting(TestService.Request::key).containsExactly("item-1", "item-3");
    }

    /** A batch had the key of its last record, so that a service that knows records again dropped others. */
    @Test
    void shouldRefuseKeysOfRecords_whereARequestHasSeveral() throws Exception {
        HttpSink<Item> sink = sink(service(request -> TestService.ok()));
        String why = "lines() sends several records in a request, and key(…) each in one of its own: leave lines() out;"
                + " or leave key(…) out, and add deduplicated() if the service knows requests again";

        assertThatThrownBy(() -> sink.key(item -> "k").lines())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(why);
        assertThatThrownBy(() -> sink.lines().key(item -> "k"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(why);
        assertThat(sink.lines().single().key(item -> "k").describe()).endsWith(" in single records");
    }

    @Test
    void shouldHaveSoManyRequestsUnderWay_andNoMore() throws Exception {
        CyclicBarrier three = new CyclicBarrier(3);
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        TestService service = service(request -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            three.await();
            now.decrementAndGet();
            return TestService.ok();
        });
        write(sink(service).batch(1).inFlight(3), items(0, 30));
        assertThat(most).hasValue(3);
        assertThat(service.requests()).hasSize(30);
    }

    @Test
    void shouldKeepTheOrder_withOneRequestUnderWay() throws Exception {
        TestService.Store store = new TestService.Store(true, id -> false);
        Random faults = new Random(SEED);
        TestService service =
                service(request -> faults.nextInt(3) == 0 ? TestService.status(503, "") : store.answer(request));
        write(sink(service).batch(3), items(0, 100));
        assertThat(store.ids()).isEqualTo(LongStream.range(0, 100).boxed().toList());
    }

    @Test
    void shouldAnswerForEachRecordBeforeItIsConfirmed() throws Exception {
        TestService service = service(request -> TestService.ok());
        SinkWriter<Item> writer = sink(service).open(context(Guarantee.ACKED, SinkContext.NO_CHECKPOINTS));
        for (int i = 1; i <= 3; i++) {
            writer.write(new Item(i));
            assertThat(service.requests()).hasSize(i);
        }
        writer.close();
    }

    @Test
    void shouldSendByTheClock() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        TestService service = service(request -> {
            arrived.countDown();
            return TestService.ok();
        });
        SinkWriter<Item> writer = open(sink(service).flushInterval(Duration.ofSeconds(2)));
        assertThat(writer.dueMs()).isEqualTo(Long.MAX_VALUE);
        writer.write(new Item(1));
        assertThat(writer.dueMs()).isZero();
        writer.onClock(10_000);
        assertThat(writer.dueMs()).isEqualTo(12_000);
        writer.onClock(11_999);
        assertThat(arrived.getCount()).isEqualTo(1);
        writer.onClock(12_000);
        assertThat(arrived.await(4, TimeUnit.MINUTES)).isTrue();
        writer.close();
    }

    // trying again

    @Test
    void shouldTryAgain_withTheSameKey_andGrowingPauses() throws Exception {
        TestService service = service(inTurn(
                TestService.status(503, "busy"),
                TestService.status(408, ""),
                TestService.status(425, ""),
                TestService.status(409, "the first request with this key is not done"),
                TestService.status(500, ""),
                TestService.cutShort(),
                TestService.ok()));
        write(sink(service), items(0, 3));
        assertThat(service.requests()).hasSize(7);
        assertThat(service.requests())
                .extracting(TestService.Request::body)
                .containsOnly("[{\"id\":0},{\"id\":1},{\"id\":2}]");
        assertThat(service.requests().stream().map(TestService.Request::key).distinct())
                .hasSize(1);
        Random random = new Random(SEED);
        List<Long> expected = new ArrayList<>();
        for (long longest : new long[] {100, 200, 400, 800, 1_600, 3_200}) {
            expected.add(longest - random.nextLong(longest / 2 + 1));
        }
        assertThat(pauses).isEqualTo(expected);
        String name = "the service " + service.url() + "/in";
        assertThat(losses)
                .as("a single failure is not told")
                .startsWith("lost " + name + " (status 408)")
                .endsWith("restored " + name)
                .hasSize(6);
        assertThat(bad).isEmpty();
    }

    @Test
    void shouldWaitForAsLongAsTheServiceAsks() throws Exception {
        TestService service = service(inTurn(
                TestService.status(429, "slow down", "Retry-After", "7"),
                TestService.status(429, "", "Retry-After", "some day"),
                TestService.ok()));
        write(sink(service), items(0, 1));
        assertThat(pauses).hasSize(2);
        assertThat(pauses.get(0)).isEqualTo(7_000L);
        assertThat(pauses.get(1)).isBetween(100L, 200L);
        assertThat(losses.get(0)).contains("(status 429: slow down)");
    }

    /** By the clock of the service, whatever the one here says. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Sun, 06 Nov 1994 08:49:37 GMT | Sun, 06 Nov 1994 08:49:48 GMT | 11000
            Sun, 06 Nov 1994 08:49:37 GMT | Sun, 06 Nov 1994 08:49:36 GMT | 0
            Sun, 06 Nov 1994 08:49:37 GMT | 120                           | 120000
            Sun, 06 Nov 1994 08:49:37 GMT | -1                            | 0
            yesterday                     | Sun, 06 Nov 1994 08:49:36 GMT | 0
            Sun, 06 Nov 1994 08:49:37 GMT | 99999999999999999999          | 0
            """)
    void shouldReadRetryAfter(String now, String after, long ms) {
        Map<String, List<String>> headers = Map.of("date", List.of(now), "retry-after", List.of(after));
        Answer answer = new Answer(503, HttpHeaders.of(headers, (name, value) -> true), "");
        assertThat(answer.retryAfterMs()).isEqualTo(ms);
    }

    @Test
    void shouldFail_ifTheServiceAsksForMorePatienceThanThereIs() throws Exception {
        TestService service = service(request -> TestService.status(503, "", "Retry-After", "90"));
        assertThatThrownBy(() -> write(sink(service), items(0, 1)))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("cannot send POST " + service.url()
                        + "/in: the service asks to wait for 90 s, and patience is 60 s: status 503");
        assertThat(pauses).isEmpty();
    }

    @Test
    void shouldWaitForAServiceThatIsAway_andThenFail() throws Exception {
        TestService service = service(request -> TestService.ok());
        service.stop();
        SinkWriter<Item> writer = open(sink(service).patience(Duration.ofSeconds(20)), ms -> {
            pauses.add(ms);
            if (pauses.size() == 3) {
                begin(service);
            }
        });
        writer.write(new Item(1));
        writer.finish();
        assertThat(bodies(service)).containsExactly("[{\"id\":1}]");
        assertThat(losses).first().asString().startsWith("lost the service");
        assertThat(losses).last().asString().startsWith("restored the service");

        service.stop();
        writer.write(new Item(2));
        assertThatThrownBy(writer::finish)
                .isInstanceOf(ConnectorException.class)
                .hasNoCause()
                .hasMessageMatching(
                        "cannot send POST http://127.0.0.1:\\d+/in: tried \\d+ times within 20 s \\(patience\\): .+");
        assertThatThrownBy(writer::finish).as("for good").hasMessageContaining("patience");
        assertThat(pauses.stream().skip(3).mapToLong(each -> each).sum()).isEqualTo(20_000);
        writer.close();
    }

    private static void begin(TestService service) {
        try {
            service.begin();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldGiveUpARequestThatIsNeverAnswered_andTryAgain() throws Exception {
        AtomicInteger count = new AtomicInteger();
        TestService service = service(request -> count.getAndIncrement() < 2 ? TestService.never() : TestService.ok());
        write(sink(service).requestTimeout(Duration.ofMillis(150)).patience(Duration.ofMinutes(2)), items(0, 1));
        assertThat(count.get()).as("the answer may be late, too").isGreaterThanOrEqualTo(3);
        assertThat(losses.get(0)).contains("no response within 150 ms (requestTimeout)");
    }

    /** Only the pauses counted, so that it was asked for minutes, or hours, more. */
    @Test
    void shouldCountHowLongTheServiceTakesToSayThatItIsAway() throws Exception {
        TestService service = service(request -> {
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(25));
            return TestService.status(503, "busy");
        });
        assertThatThrownBy(() -> write(sink(service).patience(Duration.ofMinutes(1)), items(0, 1)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageEndingWith(": tried 3 times within 60 s (patience): status 503: busy");
        assertThat(service.requests()).hasSize(3);
    }

    @Test
    void shouldSayAPatienceOfLessThanASecondInMilliseconds() throws Exception {
        TestService service = service(request -> TestService.status(503, ""));
        assertThatThrownBy(() -> write(sink(service).patience(Duration.ofMillis(400)), items(0, 1)))
                .hasMessageContaining(" within 400 ms (patience): status 503");
    }

    /** What a try has waited for itself counts, too. */
    @Test
    void shouldFail_ifNoRequestIsAnswered() throws Exception {
        TestService service = service(request -> TestService.never());
        assertThatThrownBy(() -> write(
                        sink(service).requestTimeout(Duration.ofMillis(100)).patience(Duration.ofMillis(250)),
                        items(0, 1)))
                .hasMessageContaining("no response within 100 ms");
        assertThat(pauses.stream().mapToLong(each -> each).sum()).isLessThanOrEqualTo(250);
    }

    @Test
    void shouldReadNoMoreOfAResponseThanItNeeds() throws Exception {
        CountDownLatch givenUp = new CountDownLatch(1);
        TestService service = service(request -> TestService.endless(givenUp));
        write(sink(service), items(0, 1));
        assertThat(givenUp.await(4, TimeUnit.MINUTES)).isTrue();
        assertThat(service.requests()).hasSize(1);
    }

    @Test
    void shouldEndAtOnce_ifTheJobIsKilled() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        TestService service = service(request -> {
            asked.countDown();
            return TestService.never();
        });
        SinkWriter<Item> writer = open(sink(service));
        writer.write(new Item(1));
        Thread task = Thread.currentThread();
        Thread killer = new Thread(() -> {
            try {
                asked.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            task.interrupt();
        });
        killer.start();
        assertThatThrownBy(writer::finish).isInstanceOf(InterruptedException.class);
        killer.join();
        writer.close();
    }

    /** Nobody calls write or finish: the clock does. */
    @Test
    void shouldTellAFailure_whileNoRecordsCome() throws Exception {
        TestService service = service(request -> TestService.status(401, "who are you?"));
        SinkWriter<Item> writer = open(sink(service).batch(1));
        writer.write(new Item(1));
        while (writer.dueMs() != 0) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(() -> writer.onClock(1)).hasMessageContaining("status 401: who are you?");
        writer.close();
    }

    // refusals

    @ParameterizedTest
    @ValueSource(ints = {400, 422})
    void shouldRefuseOnlyTheBadRecords(int status) throws Exception {
        for (int seed = 0; seed < 8; seed++) {
            Random random = new Random(seed);
            Set<Long> wrong = new TreeSet<>();
            int size = 1 + random.nextInt(60);
            for (int i = random.nextInt(6); i > 0; i--) {
                wrong.add((long) random.nextInt(size));
            }
            List<Long> stored = new ArrayList<>();
            TestService service = service(request -> {
                List<Long> ids = TestService.ids(request.body());
                if (ids.stream().anyMatch(wrong::contains)) {
                    return TestService.status(status, "no " + ids);
                }
                stored.addAll(ids);
                return TestService.ok();
            });
            bad.clear();
            write(sink(service).batch(1 + random.nextInt(20)), items(0, size));
            assertThat(stored)
                    .as("seed %d", seed)
                    .isEqualTo(LongStream.range(0, size)
                            .boxed()
                            .filter(id -> !wrong.contains(id))
                            .toList());
            assertThat(bad)
                    .as("seed %d", seed)
                    .extracting(each -> each.offset() - 1)
                    .containsExactlyElementsOf(wrong);
            for (BadRecord each : bad) {
                long id = each.offset() - 1;
                assertThat(each.reason()).isEqualTo("status " + status + ": no [" + id + "]");
                assertThat(new String(each.bytes(), StandardCharsets.UTF_8)).isEqualTo("{\"id\":" + id + "}");
                assertThat(each.split()).isEqualTo("POST " + service.url() + "/in");
            }
        }
    }

    @Test
    void shouldDivideABatchThatIsTooLarge() throws Exception {
        List<String> stored = new ArrayList<>();
        TestService service = service(request -> {
            if (request.body().length() > 20) {
                return TestService.status(413, "");
            }
            stored.add(request.body());
            return TestService.ok();
        });
        write(
                Http.post(service.url(), Encoder.text()).lines().batch(10),
                List.of("aaaaaaaa", "bbbbbbbb", "cccccccc", "d", "x".repeat(30), "e"));
        assertThat(String.join("", stored)).isEqualTo("aaaaaaaa\nbbbbbbbb\ncccccccc\nd\ne\n");
        assertThat(bad).extracting(BadRecord::offset).containsExactly(5L);
        assertThat(service.requests()).extracting(TestService.Request::key).doesNotHaveDuplicates();
    }

    /** A server may answer that a request is too large when it has read its header, and read no more. */
    @Test
    void shouldDivideABatch_whoseBodyIsNotEvenRead() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            List<String> taken = new CopyOnWriteArrayList<>();
            Thread answering = new Thread(() -> answer(server, 300_000, taken));
            answering.setDaemon(true);
            answering.start();
            String url = "http://127.0.0.1:" + server.getLocalPort();
            List<String> records = LongStream.range(0, 64)
                    .mapToObj(i -> i + "x".repeat(30_000))
                    .toList();
            write(Http.post(url, Encoder.text()).lines().batchBytes(1 << 22).patience(Duration.ofSeconds(20)), records);
            assertThat(taken).isEqualTo(records);
        }
        assertThat(bad).isEmpty();
    }

    private static void answer(ServerSocket server, int most, List<String> taken) {
        while (!server.isClosed()) {
            try (Socket connection = server.accept()) {
                DataInputStream in = new DataInputStream(new BufferedInputStream(connection.getInputStream()));
                int length = 0;
                for (String line = line(in); !line.isEmpty(); line = line(in)) {
                    if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                        length = Integer.parseInt(
                                line.substring(line.indexOf(':') + 1).strip());
                    }
                }
                boolean large = length > most;
                if (!large) {
                    new String(in.readNBytes(length), StandardCharsets.UTF_8)
                            .lines()
                            .forEach(taken::add);
                }
                connection
                        .getOutputStream()
                        .write(("HTTP/1.1 " + (large ? "413 Too Large" : "200 OK")
                                        + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // the next one
            }
        }
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    /** Halves that hold the same records must not pass for one another. */
    @Test
    void shouldGiveHalvesKeysOfTheirOwn() throws Exception {
        TestService service =
                service(request -> TestService.status(request.body().length() > 3 ? 413 : 200, ""));
        write(Http.post(service.url(), Encoder.text()).lines().batch(4), List.of("a", "a", "a", "a"));
        assertThat(service.requests()).hasSize(7);
        assertThat(service.requests()).extracting(TestService.Request::key).doesNotHaveDuplicates();
    }

    @Test
    void shouldRefuseAllRecords_ifTheStatusSaysSo() throws Exception {
        TestService service = service(request -> TestService.status(451, "x".repeat(10_000) + "\n"));
        write(sink(service), items(0, 3));
        assertThat(service.requests()).hasSize(1);
        assertThat(bad).extracting(BadRecord::offset).containsExactly(1L, 2L, 3L);
        assertThat(bad.get(0).reason()).isEqualTo("status 451: " + "x".repeat(200) + "…");
    }

    @Test
    void shouldRefuseARecord_withAStatusOfTheUsersOwn() throws Exception {
        TestService service =
                service(request -> TestService.status(request.body().contains(":1}") ? 403 : 200, ""));
        write(sink(service).refusedWith(403), items(0, 3));
        assertThat(bad).extracting(BadRecord::offset).containsExactly(2L);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 405, 407, 410, 415, 302})
    void shouldFail_ifNoRecordCanBeAtFault(int status) throws Exception {
        TestService service = service(request -> TestService.status(
                status, "not\n " + request.header("Authorization"), "Location", "https://example.com/login?a=b"));
        assertThatThrownBy(() -> write(sink(service).bearer(Secret.of("s3cret-word")), items(0, 3)))
                .isInstanceOf(ConnectorException.class)
                .hasNoCause()
                .hasMessageStartingWith(
                        "cannot send POST " + service.url() + "/in: status " + status + ": not Bearer (hidden); ")
                .hasMessageNotContaining("hush")
                .hasMessageNotContaining("\n");
        assertThat(service.requests()).hasSize(1);
        assertThat(bad).isEmpty();
    }

    @Test
    void shouldFollowARedirect_onlyOnTheSameServer() throws Exception {
        TestService elsewhere = service(request -> TestService.ok());
        TestService service = service(request -> switch (request.path()) {
            case "/in?token=hush" -> TestService.status(307, "", "Location", "/next");
            case "/next" -> TestService.status(308, "", "Location", "last");
            case "/last" -> TestService.ok();
            default -> TestService.status(308, "", "Location", elsewhere.url());
        });
        write(sink(service).bearer(Secret.of("word")), items(0, 1));
        assertThat(service.requests())
                .extracting(TestService.Request::path)
                .containsExactly("/in?token=hush", "/next", "/last");
        assertThat(bodies(service)).containsOnly("[{\"id\":0}]");
        assertThatThrownBy(() -> write(Http.post(service.url() + "/away", Json.<Item>encoder()), items(0, 1)))
                .hasMessageContaining("so give the sink the URL that it leads to: " + elsewhere.url());
        assertThat(elsewhere.requests()).isEmpty();
    }

    @Test
    void shouldSayInOneLineThatThereIsNoSuchHost_orNoTls() throws Exception {
        HttpSink<Item> nowhere = Http.post("http://no-such-host.invalid/in", Json.encoder());
        assertThatThrownBy(() -> write(nowhere, items(0, 1)))
                .hasNoCause()
                .hasMessage("cannot send POST http://no-such-host.invalid/in: there is no host no-such-host.invalid");
        try (ServerSocket plain = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> refuse(plain));
            server.start();
            HttpSink<Item> tls = Http.post("https://127.0.0.1:" + plain.getLocalPort(), Json.encoder());
            assertThatThrownBy(() -> write(tls, items(0, 1)))
                    .hasNoCause()
                    .hasMessageContaining("127.0.0.1 does not speak TLS there; does the URL begin with http://?");
            server.join();
        }
        assertThat(pauses).isEmpty();
    }

    /** As a server that knows HTTP only does with the first message of TLS. */
    private static void refuse(ServerSocket listening) {
        try (Socket connection = listening.accept()) {
            byte[] hello = new byte[1 << 14]; // what is not read would break the connection before the answer is there
            assertThat(connection.getInputStream().read(hello)).isPositive();
            connection.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            connection.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldSayInOneLineThatACertificateIsNotTrusted(@TempDir Path folder) throws Exception {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(selfSigned(folder)));
        server.start();
        try {
            String url = "https://localhost:" + server.getAddress().getPort();
            assertThatThrownBy(() -> write(Http.post(url, Json.<Item>encoder()), items(0, 1)))
                    .isInstanceOf(ConnectorException.class)
                    .hasNoCause()
                    .hasMessageStartingWith(
                            "cannot send POST " + url + ": the certificate of localhost is not trusted (")
                    .hasMessageNotContaining("\n");
        } finally {
            server.stop(0);
        }
        assertThat(pauses).isEmpty();
    }

    private static SSLContext selfSigned(Path folder) throws Exception {
        Path keys = folder.resolve("keys");
        char[] password = "changeit".toCharArray();
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "key",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        "changeit")
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(KeyStore.getInstance(keys.toFile(), password), password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    /** The server's side of TCP accepts, and says nothing. */
    @Test
    void shouldGiveUpAServerThatIsSilent() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            HttpSink<Item> sink = Http.post("http://127.0.0.1:" + silent.getLocalPort(), Json.<Item>encoder())
                    .requestTimeout(Duration.ofMillis(50))
                    .patience(Duration.ofMillis(100));
            assertThatThrownBy(() -> write(sink, items(0, 1))).hasMessageContaining("no response within 50 ms");
        }
    }

    // guarantees

    @Test
    void shouldNotPromiseWhatItCannotKeep() throws Exception {
        TestService service = service(request -> TestService.ok());
        SinkContext exactly = context(Guarantee.EXACTLY_ONCE, 0);
        assertThatThrownBy(() -> sink(service).open(exactly))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("cannot be sent exactly once")
                .hasMessageContaining(".deduplicated()")
                .hasMessageNotContaining("hush");
        sink(service).atLeastOnce().open(exactly).close();
        sink(service).deduplicated().open(exactly).close();
        sink(service).key(item -> "k").open(exactly).close();
    }

    @Test
    void shouldSendWhatACheckpointPromises_onlyWhenItIsComplete() throws Exception {
        TestService service = service(request -> TestService.ok());
        CheckpointedWriter<Item> writer = (CheckpointedWriter<Item>)
                sink(service).deduplicated().batch(2).open(context(Guarantee.EXACTLY_ONCE, 0));
        items(0, 3).forEach(item -> writeTo(writer, item));
        writer.save(1);
        writeTo(writer, new Item(3));
        writer.save(0);
        assertThat(bodies(service)).isEmpty();
        writer.commit(1);
        assertThat(bodies(service)).containsExactly("[{\"id\":0},{\"id\":1}]", "[{\"id\":2}]");
        writer.commit(2);
        writer.finish();
        writer.close();
        assertThat(bodies(service)).hasSize(3);
    }

    private static void writeTo(SinkWriter<Item> writer, Item item) {
        try {
            writer.write(item);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same records in the same batch have the same key again; others in its place have another. */
    @Test
    void shouldGiveTheSameKeys_whereItGoesOnFromACheckpoint() throws Exception {
        TestService service = service(request -> TestService.ok());
        byte[] saved = atLeastOnce(service, List.of(), items(0, 2));
        service.requests().clear();
        atLeastOnce(service, List.of(saved), items(2, 4));
        atLeastOnce(service, List.of(saved), items(2, 4));
        atLeastOnce(service, List.of(saved), items(2, 5));
        atLeastOnce(service, List.of(), items(2, 4));
        List<String> keys =
                service.requests().stream().map(TestService.Request::key).toList();
        assertThat(keys.get(1)).isEqualTo(keys.get(0));
        assertThat(keys.subList(1, 4)).doesNotHaveDuplicates();
    }

    private byte[] atLeastOnce(TestService service, List<byte[]> saved, List<Item> items) throws Exception {
        CheckpointedWriter<Item> writer = (CheckpointedWriter<Item>) sink(service)
                .open(context(Guarantee.AT_LEAST_ONCE, saved.isEmpty() ? 0 : 1), pauses::add, new Random(SEED));
        writer.restore(saved);
        for (Item each : items) {
            writer.write(each);
        }
        byte[] after = writer.save(1);
        writer.close();
        return after;
    }

    /** So that the service knows again what has arrived before the failure. */
    @ParameterizedTest
    @ValueSource(strings = {"arrays", "lines"})
    void shouldSendWhatACheckpointHolds_inTheFormThatItHad(String format) throws Exception {
        TestService service = service(request -> TestService.ok());
        HttpSink<Item> arrays = sink(service).deduplicated().batch(2);
        HttpSink<Item> before = format.equals("lines") ? arrays.lines() : arrays;
        CheckpointedWriter<Item> writer = exactlyOnce(before, 0);
        items(0, 3).forEach(item -> writeTo(writer, item));
        byte[] saved = writer.save(1);
        writer.commit(1);
        writer.close();
        List<TestService.Request> sent = List.copyOf(service.requests());
        for (HttpSink<Item> after : List.of(before, arrays, arrays.lines(), arrays.single())) {
            service.requests().clear();
            CheckpointedWriter<Item> restored = exactlyOnce(after, 1);
            restored.restore(List.of(saved));
            restored.close();
            assertThat(service.requests()).hasSize(2);
            for (int i = 0; i < 2; i++) {
                TestService.Request again = service.requests().get(i);
                assertThat(again.body()).isEqualTo(sent.get(i).body());
                assertThat(again.key()).isEqualTo(sent.get(i).key());
                assertThat(again.header("Content-Type")).isEqualTo(sent.get(i).header("Content-Type"));
            }
        }
    }

    private CheckpointedWriter<Item> exactlyOnce(HttpSink<Item> sink, long checkpoint) {
        return (CheckpointedWriter<Item>)
                sink.open(context(Guarantee.EXACTLY_ONCE, checkpoint), pauses::add, new Random(SEED));
    }

    /** A checkpoint of the first format does not say how the records of a batch are sent. */
    @Test
    void shouldNotSendSeveralRecordsOfAnOlderCheckpointAsOne() throws Exception {
        TestService service = service(request -> TestService.ok());
        ByteWriter old = new ByteWriter(64);
        old.writeByte(1);
        old.writeText("writer");
        old.writeVarLong(1); // the next interval
        old.writeVarLong(1); // batches
        old.writeVarLong(1); // the checkpoint that promises it
        old.writeText("writer/0/0");
        old.writeVarLong(1); // the first record
        old.writeVarLong(2); // records
        old.writeBytes("{\"id\":0}".getBytes(StandardCharsets.UTF_8));
        old.writeBytes("{\"id\":1}".getBytes(StandardCharsets.UTF_8));
        List<byte[]> saved = List.of(old.toByteArray());
        CheckpointedWriter<Item> single =
                exactlyOnce(sink(service).deduplicated().single(), 1);
        assertThatThrownBy(() -> single.restore(saved))
                .isInstanceOf(ConnectorException.class)
                .hasMessage(
                        "the checkpoint holds requests of several records, and the sink sends single records; continue"
                                + " without single() and key(…) first, or begin without the sink's state with --discard-state");
        single.close();
        assertThat(service.requests()).isEmpty();
        CheckpointedWriter<Item> arrays = exactlyOnce(sink(service).deduplicated(), 1);
        arrays.restore(saved);
        arrays.close();
        assertThat(bodies(service)).containsExactly("[{\"id\":0},{\"id\":1}]");
    }

    // what is refused at once

    @Test
    void shouldShowNoSecrets() throws Exception {
        HttpSink<Item> sink = Http.post("https://example.com/in?token=hush", Json.<Item>encoder())
                .bearer(Secret.of("s3cret-word"))
                .gzip();
        assertThat(sink.describe()).isEqualTo("POST https://example.com/in in JSON arrays, gzip");
        assertThat(sink.name()).isEqualTo("HTTP POST /in");
        assertThat(sink.service().toString() + sink.service().calling().headers())
                .doesNotContain("s3cret-word", "hush");
        assertThatThrownBy(() -> open(sink.bearer(Secret.environment("NO_SUCH_TOKEN"))))
                .hasMessageContaining("NO_SUCH_TOKEN is not set");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3cret-w\u00f6rd", "s3cret-word\u20ac", "s3cret-word\n"})
    void shouldNotShowASecretThatCannotBeSent(String secret) throws Exception {
        TestService service = service(request -> TestService.ok());
        for (HttpSink<Item> sink :
                List.of(sink(service).bearer(Secret.of(secret)), sink(service).header("X-Key", Secret.of(secret)))) {
            assertThatThrownBy(() -> write(sink, items(0, 1)))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("cannot be sent in a header")
                    .hasMessageNotContaining("s3cret");
        }
        assertThat(service.requests()).isEmpty();
    }

    /** As many do in what they answer to an error. */
    @Test
    void shouldNotShowTheParametersOfAUrl_thatAServiceRepeats() throws Exception {
        TestService service = service(inTurn(
                TestService.status(503, "busy with /in?token=h%2Bush1&user=me"),
                TestService.status(503, "busy with token h+ush1"),
                TestService.status(422, "not for h%2Bush1")));
        write(Http.post(service.url() + "/in?token=h%2Bush1&user=me", Json.encoder()), items(0, 1));
        assertThat(losses).first().asString().contains("busy with token (hidden)");
        assertThat(bad).extracting(BadRecord::reason).containsExactly("status 422: not for (hidden)");
        TestService strict = service(request -> TestService.status(401, "bad: " + request.path()));
        assertThatThrownBy(() -> write(sink(strict), items(0, 1)))
                .hasMessageContaining("status 401: bad: /in?(hidden);")
                .hasMessageNotContaining("hush");
    }

    @Test
    void shouldRefuseWhatCannotWork() throws Exception {
        HttpSink<Item> sink = Http.post("http://localhost", Json.encoder());
        List<Runnable> wrong = List.of(
                () -> Http.post("ftp://localhost/", Json.encoder()),
                () -> Http.post("http:///in", Json.encoder()),
                () -> Http.post("http://a b/", Json.encoder()),
                () -> Http.post("http://me:hush@localhost/", Json.encoder()),
                () -> Http.post("http://me:hu/sh@localhost/", Json.encoder()),
                () -> Http.post("http://localhost:70000/", Json.encoder()),
                () -> sink.header("X-Name", "J\u00fcrgen"),
                () -> sink.method("GET"),
                () -> sink.header("Authorization", "Bearer hush"),
                () -> sink.header("Cookie", "hush"),
                () -> sink.header("Content-Length", "7"),
                () -> sink.header("Idempotency-Key", "7"),
                () -> sink.header("X", "a\nb"),
                () -> sink.basic("a:b", Secret.of("hush")),
                () -> sink.batch(0),
                () -> sink.batchBytes(0),
                () -> sink.inFlight(0),
                () -> sink.flushInterval(Duration.ofMillis(-1)),
                () -> sink.patience(Duration.ofMillis(-1)),
                () -> sink.requestTimeout(Duration.ZERO),
                () -> sink.connectTimeout(Duration.ofDays(2)),
                () -> sink.refusedWith(500));
        for (int i = 0; i < wrong.size(); i++) {
            assertThatThrownBy(wrong.get(i)::run)
                    .as("%d", i)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContainingAny("hush", "hu/sh");
        }
    }
}

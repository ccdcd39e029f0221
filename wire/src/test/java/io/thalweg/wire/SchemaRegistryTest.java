// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.testkit.FreePort;
import io.thalweg.testkit.Serialized;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(900)
final class SchemaRegistryTest {
    private static final String ORDER = "{\"type\":\"record\",\"name\":\"Order\",\"namespace\":\"io.thalweg.wire\","
            + "\"fields\":[{\"name\":\"id\",\"type\":\"long\"}]}";

    private final TestRegistry registry = new TestRegistry();
    private final List<Long> pauses = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        registry.close();
    }

    /** What is read and written. */
    record Order(long id) {}

    /** How long each answer is said to take. */
    private long answerMs;

    private SchemaLookup lookup(SchemaRegistry from) {
        Pause counted = new Pause() {
            @Override
            public void ofMs(long ms) {
                pauses.add(ms);
            }

            @Override
            public long until(CompletableFuture<?> asked, long atMostMs) {
                asked.handle((answer, failure) -> true).join();
                return answerMs;
            }
        };
        return from.open(counted, new Random(1));
    }

    private SchemaRegistry at() {
        return Schemas.registry(registry.url());
    }

    @Test
    void shouldAskOnceForEachSchema() throws Exception {
        int id = registry.add("orders-value", "AVRO", ORDER, "[]");
        var decoding = WireAvro.decoder(Order.class, at()).open();
        byte[] message = Messages.framed(id, new byte[] {6});
        for (int i = 0; i < 10; i++) {
            assertThat(decoding.decode(message, 0, message.length)).isEqualTo(new Order(3));
        }

        assertThat(registry.requests).containsExactly("GET /schemas/ids/" + id);
    }

    @Test
    void shouldSeldomAskForAnUnknownSchema() throws Exception {
        var decoding = WireAvro.maps(at()).open();
        byte[] message = Messages.framed(100, new byte[] {6});
        for (int i = 0; i < 7; i++) {
            assertThatThrownBy(() -> decoding.decode(message, 0, message.length))
                    .isInstanceOf(BadRecordException.class)
                    .hasMessage("there is no schema 100 at " + registry.url());
        }
        assertThat(registry.requests).hasSize(3); // at the first, the second and the fourth message
        registry.add("orders-value", "AVRO", ORDER, "[]");

        assertThat(decoding.decode(message, 0, message.length)).isEqualTo(Map.of("id", 3L));
    }

    @Test
    void shouldFollowReferences() throws Exception {
        registry.add("unit", "AVRO", "{\"type\":\"enum\",\"name\":\"Unit\",\"symbols\":[\"EUR\"]}", "[]");
        registry.add(
                "price/avro",
                "AVRO",
                "{\"type\":\"record\",\"name\":\"Price\",\"fields\":[{\"name\":\"unit\",\"type\":\"Unit\"}]}",
                "[{\"name\":\"Unit\",\"subject\":\"unit\",\"version\":1}]");
        int sale = registry.add(
                "sale",
                "AVRO",
                "{\"type\":\"record\",\"name\":\"Sale\",\"fields\":[{\"name\":\"price\",\"type\":\"Price\"},"
                        + "{\"name\":\"unit\",\"type\":\"Unit\"}]}",
                "[{\"name\":\"Price\",\"subject\":\"price/avro\",\"version\":1},"
                        + "{\"name\":\"Unit\",\"subject\":\"unit\",\"version\":1}]");
        // The subject has a slash, which the server splits at; so it is asked for by its escaped name.
        assertThatThrownBy(() -> Messages.decode(WireAvro.maps(at()), Messages.framed(sale, new byte[] {0, 0})))
                .isInstanceOf(ConnectorException.class);
        assertThat(registry.requests.get(1)).isEqualTo("GET /subjects/price/avro/versions/1");

        registry.add(
                "price",
                "AVRO",
                "{\"type\":\"record\",\"name\":\"Price\",\"fields\":[{\"name\":\"unit\",\"type\":\"Unit\"}]}",
                "[{\"name\":\"Unit\",\"subject\":\"unit\",\"version\":1}]");
        int good = registry.add(
                "sale",
                "AVRO",
                "{\"type\":\"record\",\"name\":\"Sale\",\"fields\":[{\"name\":\"price\",\"type\":\"Price\"},"
                        + "{\"name\":\"unit\",\"type\":\"Unit\"}]}",
                "[{\"name\":\"Price\",\"subject\":\"price\",\"version\":1},"
                        + "{\"name\":\"Unit\",\"subject\":\"unit\",\"version\":1}]");
        assertThat(Messages.decode(WireAvro.maps(at()), Messages.framed(good, new byte[] {0, 0})))
                .isEqualTo(Map.of("price", Map.of("unit", "EUR"), "unit", "EUR"));

        registry.add("common", "PROTOBUF", "syntax = \"proto3\"; package c; message Money { int64 cents = 1; }", "[]");
        int bill = registry.add(
                "bill",
                "PROTOBUF",
                "syntax = \"proto3\"; import \"common/money.proto\"; message Bill { c.Money total = 1; }",
                "[{\"name\":\"common/money.proto\",\"subject\":\"common\",\"version\":1}]");
        assertThat(Messages.decode(WireProtobuf.maps(at()), Messages.framed(bill, new byte[] {0, 10, 2, 8, 5})))
                .isEqualTo(Map.of("total", Map.of("cents", 5L)));
    }

    /** Registries leave it out for Avro, or say null. */
    @Test
    void shouldTakeASchemaWithoutAKindForOneOfAvro() throws Exception {
        String schema = "{\"schema\":\"\\\"long\\\"\",\"schemaType\":null,\"references\":null}";
        registry.answerFirst(200, schema);

        assertThat(Messages.decode(WireAvro.decoder(Long.class, at()), Messages.framed(9, new byte[] {6})))
                .isEqualTo(3L);
    }

    /** Registries keep what earlier clients registered. */
    @Test
    void shouldReadBySchemaWhoseDefaultIsNotOfItsType() throws Exception {
        int id = registry.add("orders-value", "AVRO", ORDER.replace("\"long\"", "\"long\",\"default\":\"\""), "[]");
        byte[] message = Messages.framed(id, new byte[] {6});

        assertThat(Messages.decode(WireAvro.decoder(Order.class, at()), message))
                .isEqualTo(new Order(3));
        assertThat(Messages.decode(WireAvro.maps(at()), message)).isEqualTo(Map.of("id", 3L));
        assertThat(WireAvro.mapEncoder(at()).id(id).open().encode(Map.of("id", 3L)))
                .isEqualTo(message);
        assertThatThrownBy(() -> WireAvro.encoder(Other.class, at()).id(id).open())
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("the default of the schema's field 'id' is not of its type");
    }

    /** Has no id. */
    record Other() {}

    @Test
    void shouldEndACircleOfReferences() {
        int id = registry.add("a", "AVRO", ORDER, "[{\"name\":\"X\",\"subject\":\"a\",\"version\":1}]");

        assertThatThrownBy(() -> lookup(at()).byId(id))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("circle");
    }

    // ---- trouble

    @Test
    void shouldAskAgainUntilTheRegistryAnswers() throws Exception {
        int id = registry.add("orders-value", "AVRO", ORDER, "[]");
        registry.answerFirst(503, "");
        registry.answerFirst(500, "{\"error_code\":50001,\"message\":\"store\"}");
        registry.answerFirst(429, "");

        assertThat(lookup(at()).byId(id)).isNotNull();
        assertThat(pauses).hasSize(3);
        assertThat(pauses.get(0)).isBetween(50L, 100L);
        assertThat(pauses.get(2)).isBetween(200L, 400L);
    }

    /** Proxies before a registry have statuses of their own. */
    @ParameterizedTest
    @ValueSource(ints = {408, 501, 507, 520, 599})
    void shouldAskAgain_whateverTroubleTheServerHas(int status) throws Exception {
        int id = registry.add("orders-value", "AVRO", ORDER, "[]");
        registry.answerFirst(status, "");

        assertThat(lookup(at()).byId(id)).isNotNull();
        assertThat(pauses).hasSize(1);
    }

    @Test
    void shouldFailInOneLineIfTheRegistryIsDown() {
        String nobody = "http://127.0.0.1:" + FreePort.find();

        assertThatThrownBy(() -> lookup(Schemas.registry(nobody)).byId(7))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("schema registry " + nobody + ", /schemas/ids/7: it cannot be asked, tried ")
                .hasMessageContaining("ConnectException")
                .hasMessageNotContaining("\n");
        assertThat(pauses.stream().mapToLong(each -> each).sum()).isBetween(45_000L, 60_000L);
    }

    /** It asked for hours, where each answer took half a minute. */
    @Test
    void shouldCountHowLongAnswersTake() {
        for (int i = 0; i < 5; i++) {
            registry.answerFirst(503, "");
        }
        answerMs = 25_000;

        assertThatThrownBy(() -> lookup(at()).byId(7))
                .isInstanceOf(ConnectorException.class)
                .hasMessageEndingWith("it cannot be asked, tried 3 times: status 503; see patience(…)");
        assertThat(registry.requests).hasSize(3);
    }

    @Test
    void shouldCountTheStepsInWhichItWaits() throws Exception {
        CompletableFuture<String> never = new CompletableFuture<>();
        assertThat(Pause.REAL.until(never, 250)).isEqualTo(250);
        assertThat(Pause.REAL.until(CompletableFuture.completedFuture("now"), 250))
                .isZero();
        assertThat(Pause.REAL.until(CompletableFuture.failedFuture(new IOException("gone")), 250))
                .isZero();
    }

    @Test
    void shouldNotTakeADownRegistryForABadRecord() {
        SchemaRegistry nobody = Schemas.registry("http://127.0.0.1:" + FreePort.find());

        assertThatThrownBy(() -> Messages.decode(
                        WireAvro.maps(nobody.patience(Duration.ZERO)), Messages.framed(7, new byte[] {6})))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("tried 1 time:");
    }

    private void assertFailure(SchemaRegistry from, String... parts) {
        assertThatThrownBy(() -> lookup(from).byId(7))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("schema registry " + registry.url() + ", /schemas/ids/7: it ")
                .hasMessageContainingAll(parts);
        assertThat(pauses).isEmpty();
    }

    @Test
    void shouldTellWhatIsWrongWithAnAnswer() {
        registry.answerFirst(200, "<html>");
        assertFailure(at(), "not JSON");
        registry.answerFirst(200, "{\"id\":7}");
        assertFailure(at(), "without a valid 'schema'");
        registry.answerFirst(
                200, "{\"schema\":\"x\",\"references\":[{\"name\":\"a\",\"subject\":\"b\",\"version\":\"1\"}]}");
        assertFailure(at(), "without a valid 'version'");
        registry.answerFirst(404, "<html>");
        assertFailure(at(), "404", "base of its API");
        registry.answerFirst(422, "{\"error_code\":42201,\"message\":\"no\"}");
        assertFailure(at(), "status 422: no");
        registry.answerFirst(302, "");
        assertFailure(at(), "status 302");
    }

    @Test
    void shouldTellWhichSchemaCannotBeRead() {
        int id = registry.add("broken", "AVRO", "{\"type\":\"nobody\"}", "[]");

        assertThatThrownBy(() -> Messages.decode(WireAvro.maps(at()), Messages.framed(id, new byte[] {6})))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("schema " + id + " of " + registry.url() + " is no Avro schema: ");
    }

    // ---- logins

    @Test
    void shouldSendLoginsAndHideThem() throws Exception {
        int id = registry.add("orders-value", "AVRO", ORDER, "[]");
        registry.requireAuthorization("Basic ZXRsOmh1c2g="); // etl:hush
        SchemaRegistry right = Serialized.copyOf(at().basic("etl", Secret.of("hush")), "it");
        assertThat(lookup(right).byId(id)).isNotNull();

        assertFailure(at(), "status 401", "basic(…)");
        assertThatThrownBy(() -> lookup(at().basic("etl", Secret.of("wrong"))).byId(7))
                .hasMessageContaining("refused: Basic (hidden)")
                .hasMessageNotContaining("wrong");
        registry.requireAuthorization("Bearer abc");
        assertThat(lookup(at().bearer(Secret.file(Messages.file(folder, "token", "abc\n"))))
                        .byId(id))
                .isNotNull();
        assertThatThrownBy(() -> lookup(at().bearer(Secret.file(folder + "/none"))))
                .isInstanceOf(ConnectorException.class);
    }

    /** Java's client says what it is, and sends letters that are not ASCII as question marks. */
    @ParameterizedTest
    @ValueSource(strings = {"s3cret\n", "s3cret\r", "s3cr\u00e9t", "s3cret\u20ac"})
    void shouldNotShowASecretThatCannotBeSent(String secret) {
        for (SchemaRegistry each : List.of(at().bearer(Secret.of(secret)), at().header("X-Key", Secret.of(secret)))) {
            assertThatThrownBy(() -> Messages.decode(WireAvro.maps(each), Messages.framed(7, new byte[] {6})))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("has a character that cannot be sent in a header")
                    .hasMessageNotContaining("s3cr");
        }
        assertThat(registry.requests).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> at().header("X-Team", "caf\u00e9"))
                .withMessageContaining("letters that are not ASCII");
    }

    @Test
    void shouldRefuseWhatCannotBeAURL() {
        assertThatIllegalArgumentException().isThrownBy(() -> Schemas.registry("localhost:8081"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schemas.registry("http://me:hush@localhost"))
                .withMessageContaining("basic(")
                .withMessageNotContaining("hush");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> at().header("Authorization", "x"))
                .withMessageContaining("Secret");
    }

    // ---- writing

    @Test
    void shouldRegisterOnlyIfAsked() throws Exception {
        AvroEncoder<Order> encoder = WireAvro.encoder(Order.class, at()).subject("orders-value");
        assertThatThrownBy(encoder::open)
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("no such schema for the subject 'orders-value'")
                .hasMessageContaining("register()");
        assertThat(registry.size()).isZero();

        byte[] message = encoder.register().open().encode(new Order(3));
        assertThat(registry.size()).isEqualTo(1);
        assertThat(message).isEqualTo(Messages.framed(100, new byte[] {6}));
        assertThat(encoder.register().open().encode(new Order(3))).isEqualTo(message);
        assertThat(registry.size()).isEqualTo(1);
        assertThat(encoder.open().encode(new Order(3))).isEqualTo(message);
        assertThat(encoder.latest().open().encode(new Order(3))).isEqualTo(message);
        assertThat(WireAvro.encoder(Order.class, at()).id(100).open().encode(new Order(3)))
                .isEqualTo(message);
        assertThatThrownBy(() -> encoder.subject("nobody").latest().open())
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("no subject 'nobody'");
    }

    @Test
    void shouldRegisterProtobuf() throws Exception {
        String file = Messages.file(folder, "o.proto", "syntax = \"proto3\"; message O { int64 id = 1; }");
        ProtobufEncoder<Order> encoder = WireProtobuf.encoder(Order.class, at()).subject("o-value");
        assertThatThrownBy(encoder::open).hasMessageContaining("schema(FILE)");
        assertThatThrownBy(() -> encoder.schema(file).open()).hasMessageContaining("register()");

        byte[] message = encoder.schema(file).register().open().encode(new Order(3));
        assertThat(message).isEqualTo(Messages.framed(100, new byte[] {0, 8, 3}));
        assertThat(Messages.decode(WireProtobuf.decoder(Order.class, at()), message))
                .isEqualTo(new Order(3));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Against a running registry: {@code THALWEG_REGISTRY=http://localhost:8081} says where. */
@EnabledIfEnvironmentVariable(named = "THALWEG_REGISTRY", matches = "http.*")
final class RealRegistryTest {
    private final SchemaRegistry registry = Schemas.registry(System.getenv("THALWEG_REGISTRY"));
    private final String subject = "thalweg-" + UUID.randomUUID();

    @TempDir
    private Path folder;

    /** What is sent. */
    record Sale(String shop, Instant at, @Nullable Long cents) {}

    private final Sale sale = new Sale("north", Instant.now().truncatedTo(ChronoUnit.MICROS), null);

    @Test
    void shouldWriteAndReadAvro() throws Exception {
        AvroEncoder<Sale> encoder = WireAvro.encoder(Sale.class, registry).subject(subject + "-value");
        assertThatThrownBy(encoder::open).isInstanceOf(ConnectorException.class).hasMessageContaining("no such schema");

        byte[] message = encoder.register().open().encode(sale);
        assertThat(Messages.decode(WireAvro.decoder(Sale.class, registry), message))
                .isEqualTo(sale);
        assertThat(encoder.open().encode(sale)).isEqualTo(message);
        assertThat(encoder.latest().open().encode(sale)).isEqualTo(message);
        assertThat(Messages.badReason(WireProtobuf.maps(registry), message)).contains("not of the kind PROTOBUF");
        message[1] = 100;
        assertThat(Messages.badReason(WireAvro.maps(registry), message)).contains("there is no schema 16777");
    }

    @Test
    void shouldWriteAndReadProtobuf() throws Exception {
        String file = Messages.file(folder, "sale.proto", """
                syntax = "proto3";
                import "google/protobuf/timestamp.proto";
                message Ignored {}
                message Sale { string shop = 1; google.protobuf.Timestamp at = 2; optional int64 cents = 3; }
                """);
        ProtobufEncoder<Sale> encoder = WireProtobuf.encoder(Sale.class, registry)
                .subject(subject + "-proto")
                .message("Sale");
        byte[] message = encoder.schema(file).register().open().encode(sale);

        assertThat(Messages.decode(WireProtobuf.decoder(Sale.class, registry), message))
                .isEqualTo(sale);
        assertThat(encoder.latest().open().encode(sale)).isEqualTo(message);
        assertThat(encoder.schema(file).open().encode(sale)).isEqualTo(message);
        assertThat(Messages.decode(WireProtobuf.maps(registry), message))
                .isEqualTo(Map.of("shop", "north", "at", sale.at));
    }

    @Test
    void shouldTellAWrongURL() {
        assertThatThrownBy(() -> Messages.decode(
                        WireAvro.maps(Schemas.registry(System.getenv("THALWEG_REGISTRY") + "/nowhere")),
                        Messages.framed(1, new byte[0])))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("base of its API");
    }
}

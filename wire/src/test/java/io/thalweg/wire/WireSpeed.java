// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import io.thalweg.api.connector.Decoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/** Measures decoders beside the libraries' own, on one thread: nanoseconds for a message of ten fields, the median of nine rounds. */
public final class WireSpeed {
    private static final int MESSAGES = 1_000;
    private static final int PASSES = 300;
    private static final int ROUNDS = 9;

    private WireSpeed() {}

    /** All fields. */
    record Order(
            long id,
            String shop,
            long cents,
            double weight,
            boolean open,
            String city,
            int count,
            @Nullable String note,
            long time,
            String article) {}

    /** Some fields. */
    record Part(long id, long cents, String shop) {}

    private interface Reading {
        Object read(byte[] message) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        Schema schema = new AvroForm.Records<>(Order.class).schema();
        Path folder = Files.createTempDirectory("wire-speed");
        Schemas avro = Schemas.files(Map.of(1, Messages.file(folder, "o.avsc", schema.toString())));
        Schemas proto = Schemas.files(Map.of(
                1,
                Messages.file(
                        folder,
                        "o.proto",
                        "syntax = \"proto3\"; message Order { int64 id = 1; string shop = 2; int64 cents = 3;"
                                + " double weight = 4; bool open = 5; string city = 6; int32 count = 7;"
                                + " optional string note = 8; int64 time = 9; string article = 10; }")));
        List<byte[]> avros = new ArrayList<>();
        List<byte[]> protos = new ArrayList<>();
        var avroEncoding = WireAvro.encoder(Order.class, avro).id(1).open();
        var protoEncoding = WireProtobuf.encoder(Order.class, proto).id(1).open();
        for (int i = 0; i < MESSAGES; i++) {
            Order order = new Order(
                    i,
                    "shop " + i % 17,
                    i * 31L,
                    i / 7.0,
                    i % 2 == 0,
                    "city number " + i % 101,
                    i % 5,
                    i % 3 == 0 ? null : "a note on it",
                    1_700_000_000_000L + i,
                    "article-" + i);
            avros.add(avroEncoding.encode(order));
            protos.add(protoEncoding.encode(order));
        }
        Descriptor descriptor = proto.open().byId(1).protobuf().at(List.of(0));
        for (int i = 0; i < 2; i++) { // the first one warms up
            measure("Avro, library's generic records (fast reader)", avros, generic(schema, true));
            measure("Avro, library's generic records (checked reader)", avros, generic(schema, false));
            measure("Avro, record of all 10 fields", avros, ours(WireAvro.decoder(Order.class, avro)));
            measure("Avro, record of 3 fields", avros, ours(WireAvro.decoder(Part.class, avro)));
            measure("Avro, map", avros, ours(WireAvro.maps(avro)));
            measure(
                    "Protobuf, library's dynamic messages",
                    protos,
                    message -> DynamicMessage.parseFrom(
                            descriptor,
                            com.google.protobuf.CodedInputStream.newInstance(message, 6, message.length - 6)));
            measure("Protobuf, record of all 10 fields", protos, ours(WireProtobuf.decoder(Order.class, proto)));
            measure("Protobuf, record of 3 fields", protos, ours(WireProtobuf.decoder(Part.class, proto)));
            measure("Protobuf, map", protos, ours(WireProtobuf.maps(proto)));
        }
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private static Reading generic(Schema schema, boolean fast) {
        GenericData data = new GenericData();
        data.setFastReaderEnabled(fast);
        GenericDatumReader<Object> reader = new GenericDatumReader<>(schema, schema, data);
        BinaryDecoder[] decoder = new BinaryDecoder[1];
        return message -> {
            decoder[0] = DecoderFactory.get().binaryDecoder(message, 5, message.length - 5, decoder[0]);
            return reader.read(null, decoder[0]);
        };
    }

    private static Reading ours(Decoder<?> decoder) {
        Decoder.Decoding<?> decoding = decoder.open();
        return message -> decoding.decode(message, 0, message.length);
    }

    private static void measure(String what, List<byte[]> messages, Reading reading) throws Exception {
        double[] rounds = new double[ROUNDS];
        int hash = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long beganNs = System.nanoTime();
            for (int pass = 0; pass < PASSES; pass++) {
                for (byte[] message : messages) {
                    hash += reading.read(message) == null ? 1 : 0;
                }
            }
            rounds[round] = (System.nanoTime() - beganNs) / (double) (PASSES * messages.size());
        }
        Arrays.sort(rounds);
        System.out.printf(
                Locale.ROOT,
                "%-50s %6.0f ns  (%.0f to %.0f)%s%n",
                what,
                rounds[ROUNDS / 2],
                rounds[0],
                rounds[ROUNDS - 1],
                hash == -1 ? "!" : "");
    }
}

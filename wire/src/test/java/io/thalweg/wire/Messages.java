// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.operator.BadRecordException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** Messages as the library makes them. */
final class Messages {
    private Messages() {}

    static byte[] avro(Schema schema, Object value) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
            new GenericDatumWriter<>(schema).write(value, encoder);
            encoder.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Behind a header. */
    static byte[] framed(int id, byte[] payload) {
        return ByteBuffer.allocate(5 + payload.length)
                .put((byte) 0)
                .putInt(id)
                .put(payload)
                .array();
    }

    static <T> T decode(Decoder<T> decoder, byte[] message) throws Exception {
        return decoder.open().decode(message, 0, message.length);
    }

    /** Why it is bad; its bytes are kept. */
    static String badReason(Decoder<?> decoder, byte[] message) {
        BadRecordException bad = catchThrowableOfType(BadRecordException.class, () -> decode(decoder, message));
        if (bad == null || !ByteBuffer.wrap(message).equals(ByteBuffer.wrap(bad.bytes()))) {
            throw new AssertionError("it is no bad record with its bytes");
        }
        return bad.getMessage();
    }

    static String file(Path folder, String name, String text) {
        try {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

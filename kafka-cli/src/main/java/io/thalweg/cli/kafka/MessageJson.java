// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Writes each message as a JSON object in a line. Bytes that are no text in UTF-8 are {@code {"base64":"…"}}. */
final class MessageJson implements MessageWriter {
    private static final JsonFactory JSON = new JsonFactory();

    private final boolean ascii;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /** @param ascii whether other letters are escaped, as for a terminal */
    MessageJson(boolean ascii) {
        this.ascii = ascii;
    }

    @Override
    public void write(ConsumerRecord<byte[], byte[]> message, OutputStream out) throws IOException {
        line.reset();
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.configure(JsonWriteFeature.ESCAPE_NON_ASCII.mappedFeature(), ascii);
            json.writeStartObject();
            json.writeStringField("topic", message.topic());
            json.writeNumberField("partition", message.partition());
            json.writeNumberField("offset", message.offset());
            json.writeNumberField("timestamp", message.timestamp());
            json.writeFieldName("key");
            write(json, message.key());
            json.writeArrayFieldStart("headers");
            for (Header header : message.headers()) {
                json.writeStartObject();
                json.writeStringField("name", header.key());
                json.writeFieldName("value");
                write(json, header.value());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeFieldName("value");
            write(json, message.value());
            json.writeEndObject();
        }
        line.write('\n');
        line.writeTo(out);
    }

    private static void write(JsonGenerator json, byte @Nullable [] bytes) throws IOException {
        if (bytes == null) {
            json.writeNull();
            return;
        }
        try {
            json.writeString(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            json.writeStartObject();
            json.writeBinaryField("base64", bytes);
            json.writeEndObject();
        }
    }
}

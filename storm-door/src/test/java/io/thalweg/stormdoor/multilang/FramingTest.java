// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

final class FramingTest {
    private static final int DEEP = 2_000_000;

    private static InputStream packed(byte[] message) {
        return new ByteArrayInputStream(ByteBuffer.allocate(9 + message.length)
                .putInt(0x5448464D)
                .putInt(1 + message.length)
                .put((byte) 0x91) // one message
                .put(message)
                .array());
    }

    @Test
    void shouldRefuseListsThatAreNestedTooDeep() throws IOException {
        ByteArrayOutputStream emit = new ByteArrayOutputStream();
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packArrayHeader(7).packInt(0).packNil().packNil().packNil();
            packer.packInt(0).packBoolean(false);
            emit.write(packer.toByteArray());
        }
        for (int i = 0; i < DEEP; i++) {
            emit.write(0x91);
        }
        emit.write(0xC0);
        Framing framing = new PackedFraming(OutputStream.nullOutputStream(), packed(emit.toByteArray()), true);

        assertThatThrownBy(framing::read)
                .isInstanceOf(Framing.MalformedException.class)
                .hasMessageContaining("nested too deep");
    }

    @Test
    void shouldRefuseJsonThatIsNestedTooDeep() {
        String emit = "{\"command\": \"emit\", \"tuple\": " + "[".repeat(DEEP) + "]".repeat(DEEP) + "}\nend\n";
        Framing framing = new JsonFraming(
                OutputStream.nullOutputStream(),
                new ByteArrayInputStream(emit.getBytes(StandardCharsets.UTF_8)),
                line -> {});

        assertThatThrownBy(framing::read).isInstanceOf(Framing.MalformedException.class);
    }
}

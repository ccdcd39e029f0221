// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.Sources;
import io.thalweg.testkit.LiveTestSource;
import io.thalweg.testkit.LoopbackServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** Sources of which each task has one reader, read a split at a time. */
final class LiveSourcesTest {
    private final LoopbackServer server = LoopbackServer.start();

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Nested
    final class OfATest extends SourceContract<Long> {
        private final LiveTestSource<Long> source = LiveTestSource.of(Long.class);

        @Override
        protected Source<Long> source() {
            return source.add("a", 1L, 2L, 3L, 4L).add("b").add("c", 5L).end();
        }

        @Override
        protected List<Long> records() {
            return List.of(1L, 2L, 3L, 4L, 5L);
        }
    }

    @Nested
    final class Lines extends SourceContract<String> {
        @Override
        protected Source<String> source() {
            server.serve("a\r\n\nwith ümlauts €\nwithout an end".getBytes(StandardCharsets.UTF_8), 1);
            return Sources.socketLines(server.address());
        }

        @Override
        protected List<String> records() {
            return List.of("a", "", "with ümlauts €", "without an end");
        }
    }

    @Nested
    final class Frames extends SourceContract<byte[]> {
        @Override
        protected Source<byte[]> source() {
            server.serve(
                    ByteBuffer.allocate(13)
                            .putInt(1)
                            .put((byte) '\n')
                            .putInt(0)
                            .putInt(0)
                            .array(),
                    3);
            return Sources.socketFrames(server.address());
        }

        @Override
        protected List<byte[]> records() {
            return List.of(new byte[] {'\n'}, new byte[0], new byte[0]);
        }
    }
}

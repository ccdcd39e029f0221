// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.driver.Message;
import io.thalweg.python.arrow.Columns;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written by hand is read by the columns of Thalweg's package, and the other way round. */
final class ColumnTuplesTest {
    private static final int PAYLOAD = 11;
    private static final int HEAD = 16;

    private final Columns columns =
            Columns.ofFields(List.of("number", "data", ""), List.of(Long.class, String.class, Long.class));

    /** Of two bytes or one in UTF-8, in all places. */
    private static byte[] data(int number) {
        byte[] data = new byte[PAYLOAD];
        for (int i = 0; i < PAYLOAD; i++) {
            data[i] = (byte) (((number >> i) & 1) == 0 ? 'a' + i : 0xE0 + i);
        }
        return data;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 512})
    void shouldWriteRecordBatches(int rows) throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ColumnTuples tuples = ColumnTuples.open(new Input(new ByteArrayInputStream(new byte[0])), output, PAYLOAD);
        for (int batch = 0; batch < 2; batch++) {
            for (int i = 0; i < rows; i++) {
                tuples.add(new Message(i, data(i), Message.UNTIMED));
            }
            tuples.send();
            tuples.send();
        }
        ByteBuffer frames = ByteBuffer.wrap(output.toByteArray());
        frames.position(8 + frames.getInt(4)); // the schema
        for (int batch = 0; batch < 2; batch++) {
            byte[] frame = new byte[8 + frames.getInt(frames.position() + 4)];
            frames.get(frame);
            Columns.Received received = columns.read(frame, HEAD);
            assertThat(received.rows()).isEqualTo(rows);
            for (int i = 0; i < rows; i++) {
                assertThat(received.row(i))
                        .containsExactly((long) i, new String(data(i), StandardCharsets.ISO_8859_1), (long) i);
            }
        }
        assertThat(frames.remaining()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 512})
    void shouldReadRecordBatches(int rows) throws IOException {
        columns.clear();
        for (int i = 0; i < rows; i++) {
            Object[] row = {(long) i, new String(data(i), StandardCharsets.ISO_8859_1), (long) i};
            columns.keep(columns.putValues(row));
        }
        Columns.Message batch = columns.message();
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(ByteBuffer.allocate(HEAD)
                .putInt(PackedTuples.BATCH_MAGIC)
                .putInt((int) (Long.BYTES + batch.length()))
                .array());
        batch.writeTo(frame);
        PackedTuples tuples = new PackedTuples(
                new Input(new ByteArrayInputStream(frame.toByteArray())), new ByteArrayOutputStream(), PAYLOAD);
        List<Message> taken = new ArrayList<>();
        assertThat(tuples.read(taken::add)).isZero();
        assertThat(tuples.read(taken::add)).isEqualTo(-1);
        assertThat(taken).hasSize(rows);
        for (int i = 0; i < rows; i++) {
            assertThat(taken.get(i).number()).isEqualTo(i);
            assertThat(taken.get(i).data()).isEqualTo(data(i));
        }
    }
}

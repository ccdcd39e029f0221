// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class AnswerReaderTest {
    private final List<Call> calls = Stream.of("a", "b", "c")
            .map(row -> new Call(row, null, Call.TIMELESS))
            .toList();
    private final AnswerReader reader = reader(false);

    private static AnswerReader reader(boolean keyed) {
        Type<?> result = Type.of(Long.class);
        Task task = new Task(new Program("f", List.of()), Options.DEFAULT, Kind.MAP, keyed, null, result);
        return new AnswerReader("", task, Shape.of(result), null);
    }

    private static MessageBufferPacker results(long batch, int rows) throws Exception {
        MessageBufferPacker out = MessagePack.newDefaultBufferPacker();
        out.packArrayHeader(6)
                .packInt(Message.RESULTS)
                .packLong(batch)
                .packArrayHeader(2)
                .packLong(40)
                .packLong(50)
                .packMapHeader(0)
                .packMapHeader(0);
        out.packArrayHeader(rows);
        return out;
    }

    private void read(MessageBufferPacker message) throws Exception {
        reader.read(
                new Message.Received(false, message.toByteArray()), number -> number == 7 ? new Batch(7, calls) : null);
    }

    @Test
    void shouldCompleteEachCall() throws Exception {
        read((MessageBufferPacker) results(7, 3).packLong(1).packLong(2).packLong(3));

        assertThat(calls).extracting(call -> call.getNow(null)).containsExactly(1L, 2L, 3L);
        assertThat(reader.functionNs()).isEqualTo(40);
        assertThat(reader.waitedNs()).isEqualTo(50);
    }

    /** A job would wait for them for ever: the process is replaced, and only batches without an answer are sent again. */
    @Test
    void shouldLeaveNoCallOpen_whereAnAnswerBreaksOff() {
        assertThatThrownBy(() -> read((MessageBufferPacker) results(7, 3).packLong(1)))
                .isInstanceOf(Exception.class);

        assertThat(calls.get(0).getNow(null)).isEqualTo(1L);
        assertThat(calls.subList(1, 3)).allMatch(Call::isCompletedExceptionally);
    }

    @Test
    void shouldLeaveNoCallOpen_whereResultsAreMissing() {
        assertThatThrownBy(() -> read((MessageBufferPacker) results(7, 1).packLong(1)))
                .hasMessageContaining("1 results for batch 7");

        assertThat(calls).allMatch(Call::isCompletedExceptionally);
    }

    record Small(long number) {
        Small {
            if (number > 1) {
                throw new AssertionError(number + " is large");
            }
        }
    }

    @Test
    void shouldLeaveNoCallOpen_whereAResultMeetsAnError() throws Exception {
        MessageBufferPacker message = results(7, 3);
        for (int number = 1; number <= 3; number++) {
            message.packMapHeader(1).packString("number").packInt(number);
        }
        Type<?> type = Type.of(Small.class);
        Task task = new Task(new Program("f", List.of()), Options.DEFAULT, Kind.MAP, false, null, type);
        AnswerReader records = new AnswerReader("", task, Shape.of(type), null);

        assertThatThrownBy(() -> records.read(
                        new Message.Received(false, message.toByteArray()), number -> new Batch(number, calls)))
                .hasMessage("2 is large");

        assertThat(calls.get(0).getNow(null)).isEqualTo(new Small(1));
        assertThat(calls.subList(1, 3)).allMatch(Call::isCompletedExceptionally);
    }

    @Test
    void shouldRefuseAnAnswerToNothing() {
        assertThatThrownBy(() -> read(results(8, 0))).hasMessageContaining("0 results for batch 8");

        assertThat(calls).noneMatch(Call::isDone);
    }

    @Test
    void shouldLeaveNoCallOpen_whereStatesAreMissing() throws Exception {
        KeyRows key = new KeyRows(new byte[] {1}, null);
        Batch batch = new Batch(7, List.of(new Call("a", key, Call.TIMELESS)));
        MessageBufferPacker out = MessagePack.newDefaultBufferPacker();
        out.packArrayHeader(7).packInt(Message.RESULTS).packLong(7);
        out.packArrayHeader(2).packLong(40).packLong(50);
        out.packMapHeader(0)
                .packMapHeader(0)
                .packArrayHeader(0)
                .packArrayHeader(1)
                .packLong(1);

        assertThatThrownBy(() -> reader(true).read(new Message.Received(false, out.toByteArray()), number -> batch))
                .hasMessageContaining("0 states for 1 keys");

        assertThat(batch.calls()).allMatch(call -> call.getNow(null) instanceof Call.Failed);
    }
}

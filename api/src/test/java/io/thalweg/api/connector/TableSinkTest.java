// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.OrderFunction;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TableSinkTest {
    record Key(String net, String type) {}

    record Row(Key key, long count, Double mean) {}

    private final ByteArrayOutputStream console = new ByteArrayOutputStream();

    @Test
    void shouldAlignColumnsAndOpenRecordsWithinRecords() throws Exception {
        String table = table(
                Sinks.table("By network"),
                List.of(
                        new Row(new Key("ak", "ml"), 1_234, 1.5),
                        new Row(new Key("us", null), 7, null),
                        new Row(new Key("hawaii", "md"), 12, 2.123456)));

        assertThat(table).isEqualTo("""
                        By network
                          net     type  count    mean
                          ak      ml     1234     1.5
                          us                7
                          hawaii  md       12  2.1235
                        """);
    }

    @Test
    void shouldOpenARecordThatIsNullInTheFirstRow() throws Exception {
        String table = table(Sinks.table("t"), List.of(new Row(null, 1, 1.0), new Row(new Key("us", "mb"), 2, 2.0)));

        assertThat(table).isEqualTo("""
                        t
                          net  type  count  mean
                                         1   1.0
                          us   mb        2   2.0
                        """);
    }

    @Test
    void shouldWriteDoublesForReading() throws Exception {
        record Numbers(double value) {}
        String table = table(
                Sinks.table("t"),
                List.of(
                        new Numbers(12_345_678.9),
                        new Numbers(0.00012),
                        new Numbers(-0.00001),
                        new Numbers(100),
                        new Numbers(Double.NaN),
                        new Numbers(1e300),
                        new Numbers(Double.NEGATIVE_INFINITY)));

        assertThat(table.lines().map(String::strip))
                .containsExactly("t", "value", "12345678.9", "0.0001", "0.0", "100.0", "NaN", "1.0E300", "-Infinity");
    }

    @Test
    void shouldCallASingleColumnValue() throws Exception {
        assertThat(table(Sinks.table("Words"), List.of("a", "bb"))).isEqualTo("Words\n  value\n  a\n  bb\n");
    }

    @Test
    void shouldSayThatThereAreNoRows() throws Exception {
        assertThat(table(Sinks.table("Words"), List.of())).isEqualTo("Words\n  (no rows)\n");
    }

    @Test
    void shouldKeepTheFirstRowsAndSayHowManyItLeftOut() throws Exception {
        assertThat(table(Sinks.<Integer>table("n").limit(2), List.of(5, 3, 4, 1)))
                .isEqualTo("n\n  value\n      5\n      3\n  … and 2 more rows\n");
    }

    @Test
    void shouldKeepTheFirstRowsInOrder() throws Exception {
        TableSink<Integer> sink =
                Sinks.<Integer>table("n").sortedBy(OrderFunction.by(n -> n)).limit(2);

        assertThat(table(sink, List.of(5, 3, 4, 1))).isEqualTo("n\n  value\n      1\n      3\n  … and 2 more rows\n");
    }

    @Test
    void shouldPrintNothingUnlessTheInputEnded() throws Exception {
        SinkWriter<Integer> writer = Sinks.<Integer>table("n").open(context());
        writer.write(1);
        writer.close();

        assertThat(console.size()).isZero();
    }

    interface Moved {
        record Row(Double mean, Key key, long count) {}
    }

    interface Retyped {
        record Row(Key key, long count, String mean) {}
    }

    /** The class of the rows that a checkpoint holds has changed when the job goes on. */
    @Test
    void shouldFindComponentsOfRestoredRowsByTheirNames() throws Exception {
        byte[] saved = saved(Type.of(Row.class), new Row(new Key("ak", "ml"), 12, 1.5));
        restore(Type.of(Moved.Row.class), saved).finish();
        assertThat(console.toString(StandardCharsets.UTF_8)).isEqualTo("""
                        t
                          mean  net  type  count
                           1.5  ak   ml       12
                        """);
        assertThatThrownBy(() -> restore(Type.of(Retyped.Row.class), saved))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("cannot restore the rows of table 't': Row.mean was Double, and is String;"
                        + " restore them with the type that they had, or begin without them with --discard-state");
        assertThatThrownBy(() -> restore(Type.of(Long.class), saved))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("cannot restore the rows of table 't': it was Row(");
    }

    /** An older checkpoint does not say what its rows are. */
    @Test
    void shouldReadRowsOfAnOlderCheckpoint() throws Exception {
        ByteWriter old = new ByteWriter(64);
        old.writeVarLong(3);
        old.writeVarLong(7);
        restore(Type.of(Long.class), old.toByteArray()).finish();
        assertThat(console.toString(StandardCharsets.UTF_8)).isEqualTo("t\n  value\n      7\n  … and 2 more rows\n");
    }

    private <T> byte[] saved(Type<T> type, T row) throws Exception {
        CheckpointedWriter<T> writer = open(type);
        writer.write(row);
        byte[] saved = writer.save(1);
        writer.close();
        return saved;
    }

    private <T> CheckpointedWriter<T> restore(Type<T> type, byte[] saved) throws Exception {
        CheckpointedWriter<T> writer = open(type);
        writer.restore(List.of(saved));
        return writer;
    }

    @SuppressWarnings("unchecked") // of the rows
    private <T> CheckpointedWriter<T> open(Type<T> type) {
        SinkContext plain = context();
        return (CheckpointedWriter<T>) Sinks.<T>table("t")
                .open(new SinkContext(
                        "test",
                        "table",
                        0,
                        1,
                        plain.console(),
                        (Codec<Object>) type.codec(),
                        Guarantee.EXACTLY_ONCE,
                        0,
                        "run"));
    }

    @Test
    void shouldHaveOneTask() {
        assertThat(Sinks.table("n").requiredParallelism()).isEqualTo(1);
        assertThat(Sinks.table("n").name()).isEqualTo("table 'n'");
    }

    private <T> String table(TableSink<T> sink, List<T> rows) throws Exception {
        SinkWriter<T> writer = sink.open(context());
        for (T row : rows) {
            writer.write(row);
        }
        writer.finish();
        writer.close();
        return console.toString(StandardCharsets.UTF_8);
    }

    private SinkContext context() {
        return new SinkContext("test", "table", 0, 1, new PrintStream(console, false, StandardCharsets.UTF_8));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class of the records that a checkpoint holds has changed when the job goes on. */
final class JdbcChangedRecordsTest {
    record Item(String id, String name, int count) {}

    interface Moved {
        record Item(String name, int count, String id) {}
    }

    interface Added {
        record Item(
                String id, String name, int count, @Nullable String colour) {}
    }

    interface Removed {
        record Item(String id, int count) {}
    }

    interface Retyped {
        record Item(String id, String name, long count) {}
    }

    @TempDir
    Path folder;

    private final Writing writing = new Writing();
    private String url = "";

    @BeforeEach
    void createTable() throws Exception {
        url = Database.SQLITE.url(folder);
        Database.execute(url, "create table item (id text, name text, count integer, colour text)");
    }

    private <T extends Record> CheckpointedWriter<T> open(Class<T> type, long checkpoint) throws Exception {
        return (CheckpointedWriter<T>) writing.open(
                Jdbc.insert(url, "item", type), writing.context("job", Guarantee.EXACTLY_ONCE, checkpoint, type));
    }

    private byte[] saved() throws Exception {
        CheckpointedWriter<Item> before = open(Item.class, 0);
        before.write(new Item("a", "one", 1));
        before.write(new Item("b", "two", 2));
        byte[] saved = before.save(1);
        before.close();
        return saved;
    }

    private void restore(Class<? extends Record> type, byte[] saved) throws Exception {
        CheckpointedWriter<?> after = open(type, 1);
        try {
            after.restore(List.of(saved));
        } finally {
            after.close();
        }
    }

    private List<String> rows() throws Exception {
        return Database.rows(url, "select id, name, count, colour from item order by id");
    }

    @Test
    void shouldFindComponentsByTheirNames() throws Exception {
        restore(Moved.Item.class, saved());
        assertThat(rows()).containsExactly("a,one,1,null", "b,two,2,null");
    }

    @Test
    void shouldGiveNullToANewComponent() throws Exception {
        restore(Added.Item.class, saved());
        assertThat(rows()).containsExactly("a,one,1,null", "b,two,2,null");
    }

    @Test
    void shouldRefuseARecordThatCannotHoldTheRows() throws Exception {
        byte[] saved = saved();
        String where = "cannot restore the rows that the checkpoint holds for table item: ";
        String advice = "; end the job with the record as it was, or begin without these rows with --discard-state";
        assertThatThrownBy(() -> restore(Removed.Item.class, saved))
                .isInstanceOf(ConnectorException.class)
                .hasMessage(where + "Item.name (String) is not there any more; Item has [id, count]" + advice);
        assertThatThrownBy(() -> restore(Retyped.Item.class, saved))
                .isInstanceOf(ConnectorException.class)
                .hasMessage(where + "Item.count was Integer, and is Long" + advice);
        assertThat(rows()).isEmpty();
        restore(Item.class, saved);
        assertThat(rows()).hasSize(2);
    }

    /** A checkpoint of the first format does not say what its records are. */
    @Test
    void shouldReadAnOlderCheckpoint_butNotHalfOfARecord() throws Exception {
        HeldRows rows = HeldRows.of(saved());
        ByteWriter old = new ByteWriter(64);
        old.writeByte(1);
        old.writeText(rows.sink());
        old.writeText(rows.writer());
        old.writeVarLong(rows.last());
        old.writeVarLong(1);
        HeldRows.Interval only = rows.intervals().get(0);
        old.writeVarLong(only.number());
        old.writeVarLong(only.checkpoint());
        old.writeVarLong(only.count());
        old.writeBytes(only.records());
        assertThatThrownBy(() -> restore(Removed.Item.class, old.toByteArray()))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("cannot restore the rows that the checkpoint holds for table item: ");
        assertThat(rows()).isEmpty();
        restore(Item.class, old.toByteArray());
        assertThat(rows()).hasSize(2);
    }
}

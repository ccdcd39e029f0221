// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SavedPosition;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.columnar.FakeContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that was replaced by one with more row groups, in a job that is restored though its input has changed. */
final class GrownFileTest {
    record Row(byte[] bytes) {}

    @TempDir
    Path folder;

    private final List<String> told = new ArrayList<>();

    private final class Told implements SourceContext {
        private final FakeContext context = new FakeContext();

        @Override
        public void bad(BadRecord record) {
            context.bad(record);
        }

        @Override
        public long nowNs() {
            return context.nowNs();
        }

        @Override
        public String operator() {
            return "rows";
        }

        @Override
        public void warn(String message) {
            told.add(message);
        }
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static void write(String path, int rows) throws Exception {
        SinkWriter<Row> writer =
                Parquet.write(path, Row.class).rowGroupBytes(1).open(new SinkContext("job", "sink", 0, 1, System.err));
        try {
            for (int row = 0; row < rows; row++) {
                writer.write(new Row(new byte[100]));
            }
            writer.finish();
        } finally {
            writer.close();
        }
    }

    private static int groups(String path) throws IOException {
        try (ParquetFile file = ParquetFile.open(path)) {
            return file.rowGroups();
        }
    }

    private void restoreAll(ParquetSource<Row> source, List<String> splits, List<SavedPosition> at) throws Exception {
        for (int i = 0; i < splits.size(); i++) {
            SplitReader<Row> reader = source.open(splits.get(i), new Told());
            at.get(i).resume(reader, "job", "rows", splits.get(i), true);
            reader.close();
        }
    }

    private static List<SavedPosition> positions(ParquetSource<Row> source, List<String> splits) throws Exception {
        List<SavedPosition> at = new ArrayList<>();
        for (String split : splits) {
            SplitReader<Row> reader = source.open(split, new FakeContext());
            at.add(SavedPosition.of(reader));
            reader.close();
        }
        return at;
    }

    @Test
    void shouldTellOnce_whichRowGroupsAreNotRead() throws Exception {
        String path = path("in.parquet");
        write(path, 300);
        int before = groups(path);
        assertThat(before).isGreaterThan(1);
        ParquetSource<Row> source = Parquet.read(path, Row.class);
        List<String> splits = source.splits(1);
        List<SavedPosition> at = positions(source, splits);
        restoreAll(source, splits, at);
        assertThat(told).isEmpty();

        write(path, 700);
        int now = groups(path);
        restoreAll(source, splits, at);

        assertThat(told)
                .singleElement()
                .asString()
                .startsWith(path + " has gained row groups " + before + " to " + (now - 1)
                        + " since the checkpoint; their ")
                .endsWith(" rows are not read: to read them, and the file from its beginning, restore with"
                        + " --discard-state 'rows'");
    }

    /** The row groups of the one that are behind those of the other were not read, without a word. */
    @Test
    void shouldNotReadSomeSplitsOfOneFile_andSomeOfAnother() throws Exception {
        String path = path("in.parquet");
        write(path, 300);
        ParquetSource<Row> source = Parquet.read(path, Row.class);
        List<String> splits = source.splits(1);
        SplitReader<Row> first = source.open(splits.get(0), new FakeContext());
        write(path, 700);
        SplitReader<Row> second = source.open(splits.get(1), new FakeContext());

        assertThat(first.poll()).isNotNull();
        assertThatThrownBy(second::poll)
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("cannot read " + path
                        + ": it was replaced while the job began to read it, in several splits: it had ")
                .hasMessageEndingWith("; start the job again when nobody writes to it");
        first.close();
        second.close();
        assertThat(new FakeContext().all(source)).as("from its beginning").hasSize(700);
    }

    @Test
    void shouldReadAllOfAFile_ifItWasOneSplit() throws Exception {
        String path = path("in.parquet");
        write(path, 1);
        ParquetSource<Row> source = Parquet.read(path, Row.class);
        List<String> splits = source.splits(1);
        List<SavedPosition> at = positions(source, splits);
        write(path, 700);
        restoreAll(source, splits, at);

        assertThat(groups(path)).isGreaterThan(1);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldReadAFile_whoseNameIsLikeThatOfASplit() throws Exception {
        String path = path("in.parquet, row groups 0 to 1");
        write(path, 1);

        assertThat(new FakeContext().all(Parquet.read(path, Row.class))).hasSize(1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.Runner;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.LiveTestSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows into SQLite on any road that runs within this JVM. */
@Timeout(900)
public abstract class JdbcRulesContract {
    protected static final int PARALLELISM = 2;
    private static final int RECORDS = 2_000;

    public record Item(long id, long square) {}

    @TempDir
    Path databases;

    private String url;

    /** With two tasks, and no guarantee. */
    protected abstract Runner runner();

    /** The same, with the strongest guarantee that the road has. */
    protected abstract Runner checkpointing();

    @BeforeEach
    void makeTable() throws Exception {
        url = "jdbc:sqlite:" + databases.resolve("items.db");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("create table items (id bigint primary key, square bigint check (square <> 49))");
        }
    }

    private static List<Item> items() {
        return LongStream.range(0, RECORDS).mapToObj(i -> new Item(i, i * i)).toList();
    }

    private JobStats run(Runner runner, JdbcSink<Item> sink) throws Exception {
        Topology topology = Topology.named("items");
        topology.from(Sources.of(Type.of(Item.class), items())).shuffle().to(sink.batch(100));
        return runner.start(topology.graph()).await();
    }

    private void check(JobStats stats) throws SQLException {
        assertThat(found())
                .isEqualTo(items().stream().filter(each -> each.id() != 7).toList());
        assertThat(stats.recordsBad()).isEqualTo(1);
        assertThat(stats.recordsOut()).isEqualTo(RECORDS - 1);
    }

    private List<Item> found() throws SQLException {
        List<Item> found = new ArrayList<>();
        // A commit locks out who reads for as long as the disk takes.
        try (Connection connection = DriverManager.getConnection(url + "?busy_timeout=120000");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select id, square from items order by id")) {
            while (rows.next()) {
                found.add(new Item(rows.getLong(1), rows.getLong(2)));
            }
        }
        return found;
    }

    @Test
    void shouldInsertEachRow() throws Exception {
        check(run(runner(), Jdbc.insert(url, "items", Item.class)));
    }

    /** The batch is not full, and the input does not end. */
    @Test
    void shouldWriteARowInTime_ifNoMoreCome() throws Exception {
        LiveTestSource<Item> source = LiveTestSource.of(Item.class).add("s", new Item(1, 1), new Item(2, 4));
        Topology topology = Topology.named("items");
        topology.from(source).to(Jdbc.insert(url, "items", Item.class).flushInterval(Duration.ofMillis(100)));
        RunningJob job = runner().start(topology.graph());
        while (found().size() < 2) {
            assertThat(job.await(Duration.ofMillis(50))).isFalse();
        }
        source.end();
        job.await();
        assertThat(found()).containsExactly(new Item(1, 1), new Item(2, 4));
    }

    @Test
    void shouldInsertEachRowOnce_withCheckpoints() throws Exception {
        check(run(checkpointing(), Jdbc.insert(url, "items", Item.class)));
    }

    @Test
    void shouldUpsertEachRow_idempotently_withCheckpoints() throws Exception {
        check(run(
                checkpointing(), Jdbc.upsert(url, "items", Item.class).key("id").idempotent()));
    }
}

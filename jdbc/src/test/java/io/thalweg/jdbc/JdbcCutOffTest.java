// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A connection is lost while its statement runs on the server, which goes on with it. */
@Timeout(900)
@Tag("integration")
final class JdbcCutOffTest {
    record Stock(String id, int count) {}

    @TempDir
    Path folder;

    @Test
    void shouldNotLetAStatementThatWasCutOffWriteOverANewerValue() throws Exception {
        String url = Database.POSTGRESQL.url(folder);
        Database.execute(
                url,
                "create table stock (id varchar(3) primary key, count integer not null)",
                "insert into stock values ('a', 0)");
        try (Forwarder forwarder = Forwarder.to(url);
                Connection holder = DriverManager.getConnection(url);
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("update stock set count = -1 where id = 'a'");
            FutureTask<Boolean> written = new FutureTask<>(writing(forwarder.through(url)));
            new Thread(written, "writes").start();
            awaitWaiting(url, 1);
            forwarder.cut();
            awaitWaiting(url, 2); // the first statement, for nobody, and its next try
            holder.commit();
            assertThat(written.get()).isTrue();
        }
        await(
                url,
                "select count(*) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()",
                "0");
        assertThat(Database.rows(url, "select id, count from stock")).containsExactly("a,2");
    }

    private static Callable<Boolean> writing(String url) {
        return () -> {
            SinkContext context = new SinkContext(
                    "job", "out", 0, 1, System.out, null, Guarantee.NONE, SinkContext.NO_CHECKPOINTS, "run");
            SinkWriter<Stock> writer = Jdbc.upsert(url, "stock", Stock.class)
                    .key("id")
                    .batch(1)
                    .patience(Duration.ofMinutes(10))
                    .open(context);
            writer.write(new Stock("a", 1));
            writer.write(new Stock("a", 2));
            writer.finish();
            writer.close();
            return true;
        };
    }

    private static void awaitWaiting(String url, int statements) throws Exception {
        await(
                url,
                "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
                String.valueOf(statements));
    }

    private static void await(String url, String query, String expected) throws Exception {
        while (!Database.rows(url, query).equals(List.of(expected))) {
            new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
        }
    }
}

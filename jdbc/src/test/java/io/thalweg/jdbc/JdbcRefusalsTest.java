// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a database refuses: a row alone, what is tried again, and what ends the job. */
@Timeout(900)
final class JdbcRefusalsTest {
    record Stock(String id, int count) {}

    @TempDir
    Path folder;

    private final Writing writing = new Writing();

    private static String stock(String url) throws SQLException {
        Database.execute(url, "create table stock (id varchar(100) primary key, count integer not null)");
        return url;
    }

    @Test
    void shouldLeaveOutOnlyTheRowsThatATriggerRefuses() throws Exception {
        String url = stock(Database.POSTGRESQL.url(folder));
        Database.execute(
                url,
                "create function refuse() returns trigger language plpgsql as $$ begin"
                        + " if new.count = 13 then raise exception 'no thirteen'; end if; return new; end $$",
                "create trigger refuse before insert on stock for each row execute function refuse()");
        writing.write(Jdbc.insert(url, "stock", Stock.class), new Stock("a", 1), new Stock("b", 13), new Stock("c", 2));
        assertThat(writing.badRows()).containsExactly("{id=b, count=13}");
        assertThat(writing.bad.get(0).reason()).contains("no thirteen");
        assertThat(Database.rows(url, "select id from stock order by id")).containsExactly("a", "c");
    }

    @Test
    void shouldLeaveOutOnlyTheRowsThatAViewRefuses() throws Exception {
        String url = stock(Database.POSTGRESQL.url(folder));
        Database.execute(url, "create view few as select * from stock where count < 10 with check option");
        writing.write(Jdbc.insert(url, "few", Stock.class), new Stock("a", 1), new Stock("b", 13), new Stock("c", 2));
        assertThat(writing.badRows()).containsExactly("{id=b, count=13}");
        assertThat(Database.rows(url, "select id from stock order by id")).containsExactly("a", "c");
    }

    /** An entry of an index has at most a third of a page; what repeats is compressed before. */
    @Test
    void shouldLeaveOutOnlyTheRowsWhoseTextIsTooLongForAnIndex() throws Exception {
        record Page(String url) {}
        String url = Database.POSTGRESQL.url(folder);
        Database.execute(url, "create table pages (url text primary key)");
        StringBuilder longText = new StringBuilder();
        Random random = new Random(4711);
        while (longText.length() < 20_000) {
            longText.append((char) ('!' + random.nextInt(90)));
        }
        writing.write(
                Jdbc.upsert(url, "pages", Page.class).key("url"),
                new Page("a"),
                new Page(longText.toString()),
                new Page("c"));
        assertThat(writing.bad).extracting(each -> each.offset()).containsExactly(2L);
        assertThat(writing.bad.get(0).reason()).contains("index");
        assertThat(Database.rows(url, "select url from pages order by url")).containsExactly("a", "c");
    }

    /** The driver sends them as one statement, which PostgreSQL refuses for two rows of one key; and it knows no NUL in a text. */
    @Test
    void shouldWriteRowsTogether_thatPostgresTakesOnlyOneByOne() throws Exception {
        String url = stock(Database.POSTGRESQL.url(folder));
        writing.write(
                Jdbc.upsert(url, "stock", Stock.class).key("id").set("reWriteBatchedInserts", "true"),
                new Stock("a", 1),
                new Stock("b", 2),
                new Stock("a", 3),
                new Stock("c\0", 4),
                new Stock("d", 5));
        assertThat(writing.bad).extracting(each -> each.offset()).containsExactly(4L);
        assertThat(Database.rows(url, "select id, count from stock order by id"))
                .containsExactly("a,3", "b,2", "d,5");
    }

    /** A transaction that cannot be serialized, and one that waits for a lock too long. */
    @Test
    void shouldTryAgain_ifPostgresSaysSo() throws Exception {
        String url = stock(Database.POSTGRESQL.url(folder));
        Database.execute(
                url,
                "create sequence tries",
                "create function fail() returns trigger language plpgsql as $$ begin"
                        + " if nextval('tries') = 1 then raise exception 'a' using errcode = '40001'; end if;"
                        + " if currval('tries') = 2 then raise exception 'b' using errcode = '40P01'; end if;"
                        + " if currval('tries') = 3 then raise exception 'c' using errcode = '55P03'; end if;"
                        + " return new; end $$",
                "create trigger fail before insert on stock for each row execute function fail()");
        writing.write(Jdbc.insert(url, "stock", Stock.class), new Stock("a", 1), new Stock("b", 2));
        assertThat(writing.bad).isEmpty();
        assertThat(writing.pauses).hasSize(3);
        assertThat(Database.rows(url, "select id from stock order by id")).containsExactly("a", "b");
    }

    /** Its errors are known by their texts, which quote the row. */
    @Test
    void shouldNotTakeTheWordsOfARowForThoseOfDuckDb() throws Exception {
        String url = stock(Database.DUCKDB.url(folder));
        writing.write(
                Jdbc.insert(url, "stock", Stock.class),
                new Stock("a write-write conflict on key", 1),
                new Stock("a write-write conflict on key", 2),
                new Stock("b", 3));
        assertThat(writing.badRows()).containsExactly("{id=a write-write conflict on key, count=2}");
        assertThat(writing.pauses).isEmpty();
        assertThat(Database.rows(url, "select sum(count) from stock")).containsExactly("4");
    }

    /** DuckDB finds out at the end of the transaction that another one has written the same key. */
    @Test
    void shouldTryAgain_ifAnotherTransactionHasWrittenTheSameKey() throws Exception {
        String url = stock(Database.DUCKDB.url(folder));
        String upsert = "insert into stock values ('a', %d) on conflict (id) do update set count = excluded.count";
        try (Connection one = DriverManager.getConnection(url);
                Connection other = DriverManager.getConnection(url);
                Statement ofOne = one.createStatement();
                Statement ofOther = other.createStatement()) {
            one.setAutoCommit(false);
            ofOne.execute(upsert.formatted(1));
            ofOther.execute(upsert.formatted(2));
            assertThatThrownBy(one::commit)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            thrown -> assertThat(new Failures(Connecting.to(url)).kind(thrown, one))
                                    .isEqualTo(Failures.Kind.AGAIN));
        }
    }

    /** DuckDB's driver says so where a connection is opened while the last one before it is about to be closed. */
    @Test
    void shouldTryAgain_ifDuckDbIsAboutToCloseItsFile() {
        SQLException thrown = new SQLException("Binder Error: Unique file handle conflict: Cannot attach \"test\" - the"
                + " database file \"/tmp/test.duckdb\" is already attached by database \"test\"");

        assertThat(new Failures(Connecting.to("jdbc:duckdb:/tmp/test.duckdb")).kind(thrown, null))
                .isEqualTo(Failures.Kind.AGAIN);
    }

    /** Names are quoted as MySQL does, and no savepoint can be released, as with the drivers of Oracle and SQL Server. */
    @Test
    void shouldWriteADatabaseThatIsNotTested() throws Exception {
        String url = stock(Database.SQLITE.url(folder));
        Connecting connecting = Connecting.to("jdbc:mysql://localhost/d");
        Target target = new Target("stock", "", "", List.of(), false);
        try (Connection real = DriverManager.getConnection(url)) {
            real.setAutoCommit(false);
            Connection other = likeOthers(real);
            RowStatement statement = RowStatement.of(other, connecting, target, Fields.of(Stock.class));
            assertThat(statement.sql()).isEqualTo("insert into `stock` (`id`, `count`) values (?, ?)");
            List<Rows.Row> rows = List.of(
                    new Rows.Row(statement.row(new Stock("a", 1)), 1),
                    new Rows.Row(statement.row(new Stock("b", 2)), 2));
            new Rows(statement, connecting, target, writing.bad::add, 500).write(other, rows, new BitSet());
            real.commit();
        }
        assertThat(writing.bad).isEmpty();
        assertThat(Database.rows(url, "select * from stock order by id")).containsExactly("a,1", "b,2");
    }

    private static Connection likeOthers(Connection real) {
        return proxy(Connection.class, real, (method, result) -> {
            if (method.equals("releaseSavepoint")) {
                throw new SQLFeatureNotSupportedException(method);
            }
            return result instanceof DatabaseMetaData metadata
                    ? proxy(
                            DatabaseMetaData.class,
                            metadata,
                            (asked, answer) -> asked.equals("getIdentifierQuoteString") ? "`" : answer)
                    : result;
        });
    }

    private interface Change {
        Object of(String method, Object result) throws Exception;
    }

    private static <T> T proxy(Class<T> type, T real, Change change) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return change.of(method.getName(), method.invoke(real, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** It was tried again for ever, without a pause. */
    @Test
    void shouldNotTryForEverToEnterASinkWhoseNameIsTooLong() throws Exception {
        String url = stock(Database.POSTGRESQL.url(folder));
        assertThatThrownBy(() -> writing.open(
                        Jdbc.insert(url, "stock", Stock.class),
                        writing.context("j".repeat(600), Guarantee.EXACTLY_ONCE, 0, Stock.class)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("too long");
        assertThat(writing.pauses).isNotEmpty();
    }

    @Test
    void shouldKeepItsNumbersInASchemaWhoseNameIsQuoted() throws Exception {
        String url = Database.POSTGRESQL.url(folder);
        Database.execute(
                url,
                "create schema \"My-Schema\"",
                "create table \"My-Schema\".\"Order\" (\"select\" varchar(3), \"Group By\" integer)");
        record Chosen(String select, int groupBy) {}
        Database.execute(url, "alter table \"My-Schema\".\"Order\" rename \"Group By\" to \"Group_By\"");
        CheckpointedWriter<Chosen> writer = (CheckpointedWriter<Chosen>) writing.open(
                Jdbc.insert(url, "My-Schema.order", Chosen.class),
                writing.context("job", Guarantee.EXACTLY_ONCE, 0, Chosen.class));
        writer.write(new Chosen("a", 1));
        writer.save(1);
        writer.commit(1);
        writer.close();
        assertThat(Database.rows(url, "select * from \"My-Schema\".\"Order\"")).containsExactly("a,1");
        assertThat(Database.rows(url, "select max(number) from \"My-Schema\".thalweg_checkpoints"))
                .containsExactly("1");
    }
}

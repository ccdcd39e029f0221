// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkReports;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.ConnectionReports;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows into each database: how components become columns, what the database refuses, and what a user is told. */
@Timeout(900)
@Tag("integration")
final class JdbcSinkTest {
    record Stock(String id, int count) {}

    enum Colour {
        RED
    }

    record Inner(@Nullable Double size, Optional<String> note) {}

    record Everything(
            long id,
            boolean good,
            short small,
            double part,
            BigDecimal price,
            String text,
            Colour colour,
            Instant seen,
            LocalDate day,
            byte[] raw,
            @Nullable Inner inner,
            @Nullable Integer maxMag) {}

    @TempDir
    Path folder;

    private final List<BadRecord> bad = new ArrayList<>();
    private final List<String> losses = new ArrayList<>();
    private final ConnectionReports connections = new ConnectionReports() {
        @Override
        public void lost(String system, String reason) {
            losses.add("lost " + system + " (" + reason + ")");
        }

        @Override
        public void restored(String system) {
            losses.add("restored " + system);
        }
    };
    private final List<Long> pauses = new ArrayList<>();
    private long nowNs;

    @SuppressWarnings({"unchecked", "rawtypes"}) // of the records
    private static Codec<Object> codec() {
        return (Codec) Type.of(Stock.class).codec();
    }

    private SinkContext context(Guarantee guarantee, long checkpoint, String run) {
        return context(guarantee, checkpoint, run, codec());
    }

    private SinkContext context(Guarantee guarantee, long checkpoint, String run, Codec<Object> codec) {
        SinkReports reports = new SinkReports() {
            @Override
            public void bad(BadRecord record) {
                bad.add(record);
            }

            @Override
            public ConnectionReports connections() {
                return connections;
            }

            @Override
            public long nowNs() {
                return nowNs;
            }
        };
        return new SinkContext("job", "out", 0, 1, System.out, codec, guarantee, checkpoint, run, reports);
    }

    private SinkContext plain() {
        return context(Guarantee.NONE, SinkContext.NO_CHECKPOINTS, "run");
    }

    private static String stock(Database database, Path folder) throws Exception {
        String url = database.url(folder);
        Database.execute(
                url, "create table stock (id varchar(3) primary key, count integer not null check (count >= 0))");
        return url;
    }

    private <T> SinkWriter<T> open(JdbcSink<T> sink, SinkContext context) throws Exception {
        return sink.open(context, pauses::add);
    }

    private <T> void write(JdbcSink<T> sink, List<T> records) throws Exception {
        SinkWriter<T> writer = open(sink, plain());
        for (T each : records) {
            writer.write(each);
        }
        writer.finish();
        writer.close();
    }

    @ParameterizedTest
    @EnumSource
    void shouldReplaceRowsOfTheSameKey(Database database) throws Exception {
        String url = stock(database, folder);
        JdbcSink<Stock> sink = Jdbc.upsert(url, "stock", Stock.class).key("id");
        write(sink, List.of(new Stock("a", 1), new Stock("b", 2), new Stock("a", 3)));
        write(sink, List.of(new Stock("b", 4), new Stock("c", 5)));
        assertThat(Database.rows(url, "select id, count from stock order by id"))
                .containsExactly("a,3", "b,4", "c,5");
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveOutOnlyTheRowsThatTheDatabaseRefuses(Database database) throws Exception {
        String url = stock(database, folder);
        List<Stock> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            all.add(new Stock("k" + i, i == 7 || i == 23 ? -1 : i));
        }
        all.add(new Stock("k5", 77));
        write(Jdbc.insert(url, "stock", Stock.class).batch(8), all);
        assertThat(bad).extracting(BadRecord::offset).containsExactly(8L, 24L, 31L);
        assertThat(bad).extracting(BadRecord::split).containsOnly("table stock of " + url.replaceAll("\\?.*", ""));
        assertThat(bad.get(0).reason()).containsIgnoringCase("check");
        assertThat(bad.get(2).reason()).containsIgnoringCase(database == Database.DUCKDB ? "duplicate" : "unique");
        assertThat(new String(bad.get(0).bytes(), StandardCharsets.UTF_8)).isEqualTo("{id=k7, count=-1}");
        assertThat(Database.rows(url, "select count(*), sum(count) from stock"))
                .containsExactly("28," + (29 * 30 / 2 - 7 - 23));
    }

    /** SQLite's driver closes the statement of such a row, which the rows behind it need. */
    @Test
    void shouldLeaveOutOnlyTheRowsWhoseTypesDoNotFit() throws Exception {
        String url = Database.SQLITE.url(folder);
        Database.execute(url, "create table stock (id integer primary key, count integer)");
        List<Stock> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add(new Stock(i % 5 == 1 ? "x" : "" + i, i));
        }
        write(Jdbc.insert(url, "stock", Stock.class).batch(8), all);
        assertThat(bad).extracting(BadRecord::offset).containsExactly(2L, 7L, 12L);
        assertThat(bad).extracting(BadRecord::reason).allMatch(reason -> reason.contains("datatype mismatch"));
        assertThat(Database.rows(url, "select count(*), sum(id) from stock"))
                .containsExactly("9," + (11 * 12 / 2 - 1 - 6 - 11));
    }

    @Test
    void shouldNotWaitForAFileThatIsNoDatabase() throws Exception {
        Files.writeString(folder.resolve("test.db"), "id,name\n1,a\n".repeat(100));
        assertThatThrownBy(() -> open(Jdbc.insert(Database.SQLITE.url(folder), "stock", Stock.class), plain()))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("file is not a database");
        assertThat(pauses).isEmpty();
    }

    @Test
    void shouldRefuseATextThatIsTooLong() throws Exception {
        String url = stock(Database.POSTGRESQL, folder);
        write(Jdbc.upsert(url, "stock", Stock.class).key("id"), List.of(new Stock("long", 1), new Stock("b", 2)));
        assertThat(bad).extracting(BadRecord::reason).singleElement().asString().contains("too long");
        assertThat(Database.rows(url, "select id from stock")).containsExactly("b");
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepAllKindsOfValues(Database database) throws Exception {
        String url = database.url(folder);
        String timestamp = database == Database.POSTGRESQL ? "timestamptz" : "timestamp";
        String raw = database == Database.POSTGRESQL ? "bytea" : "blob";
        Database.execute(
                url,
                "create table everything (id bigint, good boolean, small smallint, part double precision,"
                        + " price decimal(10, 2), text varchar, colour varchar, seen " + timestamp + ", day date, raw "
                        + raw + ", inner_size double precision, inner_note varchar, max_mag integer)");
        JdbcSink<Everything> sink = Jdbc.insert(url, "everything", Everything.class);
        Instant at = Instant.parse("2018-02-06T15:50:42.400Z");
        Everything one = new Everything(
                1,
                true,
                (short) 2,
                0.5,
                new BigDecimal("12.30"),
                "ü🙂",
                Colour.RED,
                at,
                LocalDate.of(2018, 2, 6),
                new byte[] {1, 2},
                new Inner(2.5, Optional.of("n")),
                null);
        Everything other = new Everything(
                2, false, (short) 0, 0, BigDecimal.ONE, "", Colour.RED, at, one.day(), new byte[0], null, 7);
        write(sink, List.of(one, other));
        assertThat(bad).isEmpty();
        assertThat(Database.rows(
                        url,
                        "select id, part, text, colour, inner_size, inner_note, max_mag from everything order by id"))
                .containsExactly(
                        "1,0.5,ü🙂,RED,2.5,n,null",
                        "2,0" + (database == Database.POSTGRESQL ? "" : ".0") + ",,RED,null,null,7");
        assertThat(Database.rows(url, "select cast(day as varchar), good from everything where id = 1")
                        .get(0))
                .matches("2018-02-06,(1|t|true)");
        String utc = database == Database.POSTGRESQL ? "seen at time zone 'UTC'" : "seen";
        assertThat(Database.rows(url, "select cast(" + utc + " as varchar) from everything where id = 1")
                        .get(0))
                .matches("2018-02-06[T ]15:50:42\\.4(00)?Z?");
    }

    @Test
    void shouldNameWhatIsMissing() throws Exception {
        String url = stock(Database.SQLITE, folder);
        record Stocks(String id, int cuont) {}
        record Less(String id) {}
        assertThatThrownBy(() -> open(Jdbc.insert(url, "stok", Stock.class), plain()))
                .hasMessage("there is no table stok in " + url + "; did you mean stock?");
        assertThatThrownBy(() -> open(Jdbc.insert(url, "stock", Stocks.class), plain()))
                .hasMessage("table stock has no column for component cuont of record Stocks; did you mean count?");
        assertThatThrownBy(() -> open(Jdbc.insert(url, "stock", Less.class), plain()))
                .hasMessage("column count of table stock must have a value and has no default, and record Less has no"
                        + " component for it");
        assertThatThrownBy(() -> open(Jdbc.upsert(url, "stock", Stock.class), plain()))
                .hasMessage("the upsert into table stock has no key; add .key(…)");
        assertThatThrownBy(() -> Jdbc.upsert(url, "stock", Stock.class).key("ib"))
                .hasMessage("record Stock has no component ib; did you mean id?");
        assertThatThrownBy(
                        () -> open(Jdbc.statement(url, "insert into stock values (:id, :cunt)", Stock.class), plain()))
                .hasMessage("the statement names :cunt, and record Stock has no such component; did you mean count?");
        assertThatThrownBy(() -> open(Jdbc.insert("jdbc:nosuch://me:pw@h/d?password=pw", "t", Stock.class), plain()))
                .hasMessage("no JDBC driver for jdbc:nosuch://h/d is there; add //DEPS the artifact of that database's"
                        + " JDBC driver to the job, or to the dependencies of your build");
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAKeyWithoutConstraint(Database database) throws Exception {
        String url = stock(database, folder);
        assertThatThrownBy(() -> open(Jdbc.upsert(url, "stock", Stock.class).key("count"), plain()))
                .isInstanceOf(ConnectorException.class)
                .hasMessageEndingWith("an upsert needs a primary key or a unique constraint on exactly [count]");
    }

    @Test
    void shouldRefuseAComponentThatDoesNotFitItsColumn() throws Exception {
        String url = stock(Database.POSTGRESQL, folder);
        record Wrong(String id, String count) {}
        assertThatThrownBy(() -> open(Jdbc.insert(url, "stock", Wrong.class), plain()))
                .hasMessage("column count of table stock is int4, and component count of record Wrong is a text"
                        + " (String); change one of them");
    }

    @Test
    void shouldRunAStatementOfTheUsers() throws Exception {
        String url = stock(Database.SQLITE, folder);
        Database.execute(url, "insert into stock values ('a', 10)");
        String sql = "update stock set count = count - :count where id = :id and ':id' <> '' -- :no";
        write(Jdbc.statement(url, sql, Stock.class), List.of(new Stock("a", 3), new Stock("a", 4)));
        assertThat(Database.rows(url, "select * from stock")).containsExactly("a,3");
    }

    @ParameterizedTest
    @EnumSource
    void shouldMakeTheTableFirst(Database database) throws Exception {
        String url = database.url(folder);
        JdbcSink<Stock> sink = Jdbc.insert(url, "stock", Stock.class)
                .first("create table if not exists stock (id varchar(3), count integer)");
        write(sink, List.of(new Stock("a", 1)));
        write(sink, List.of(new Stock("b", 2)));
        assertThat(Database.rows(url, "select id from stock order by id")).containsExactly("a", "b");
    }

    /** As where another task creates it between the look and the creation: a sequence counts what is rolled back, too. */
    @Test
    void shouldTryAgain_ifTheTableWasMadeMeanwhile() throws Exception {
        Assumptions.assumeTrue(TestPostgres.missing().isEmpty(), TestPostgres.missing());
        String url = stock(Database.POSTGRESQL, folder);
        Database.execute(url, "create sequence tries");
        write(
                Jdbc.insert(url, "stock", Stock.class)
                        .first(
                                "do $$ begin if nextval('tries') = 1 then create table stock (id integer); end if; end $$"),
                List.of(new Stock("a", 1)));
        assertThat(Database.rows(url, "select id from stock")).containsExactly("a");
        assertThat(Database.rows(url, "select last_value from tries")).containsExactly("2");
    }

    @Test
    void shouldHoldARowNoLongerThanTheInterval() throws Exception {
        String url = stock(Database.SQLITE, folder);
        SinkWriter<Stock> writer =
                open(Jdbc.insert(url, "stock", Stock.class).flushInterval(Duration.ofMillis(100)), plain());
        assertThat(writer.dueMs()).isEqualTo(Long.MAX_VALUE);
        writer.write(new Stock("a", 1));
        writer.onClock(1_000);
        assertThat(writer.dueMs()).isEqualTo(1_100);
        writer.write(new Stock("b", 1));
        writer.onClock(1_099);
        assertThat(Database.rows(url, "select id from stock")).isEmpty();
        writer.onClock(1_100);
        assertThat(Database.rows(url, "select id from stock")).containsExactly("a", "b");
        assertThat(writer.dueMs()).isEqualTo(Long.MAX_VALUE);
        writer.close();
    }

    @Test
    void shouldWriteEachRecordAtOnce_whereItIsConfirmedThen() throws Exception {
        String url = stock(Database.SQLITE, folder);
        SinkWriter<Stock> writer = open(
                Jdbc.insert(url, "stock", Stock.class), context(Guarantee.ACKED, SinkContext.NO_CHECKPOINTS, "run"));
        writer.write(new Stock("a", 1));
        assertThat(Database.rows(url, "select id from stock")).containsExactly("a");
        writer.close();
    }

    @Test
    void shouldRefuseANullInTheKey() throws Exception {
        record Nullable1(@Nullable String id, int count) {}
        String url = stock(Database.SQLITE, folder);
        SinkWriter<Nullable1> writer =
                open(Jdbc.upsert(url, "stock", Nullable1.class).key("id"), plain());
        assertThatThrownBy(() -> writer.write(new Nullable1(null, 1)))
                .isInstanceOf(BadRecordException.class)
                .hasMessage("component id is part of the key, and is null");
        writer.close();
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteNothingForARunThatHasLostTheSink(Database database) throws Exception {
        String url = stock(database, folder);
        JdbcSink<Stock> sink = Jdbc.insert(url, "stock", Stock.class);
        CheckpointedWriter<Stock> first =
                (CheckpointedWriter<Stock>) open(sink, context(Guarantee.EXACTLY_ONCE, 0, "first"));
        first.write(new Stock("a", 1));
        byte[] saved = first.save(1);
        CheckpointedWriter<Stock> second =
                (CheckpointedWriter<Stock>) open(sink, context(Guarantee.EXACTLY_ONCE, 1, "second"));
        assertThatThrownBy(() -> first.commit(1))
                .hasMessageContaining("another run of the job (epoch 2) has taken over");
        second.restore(List.of(saved));
        assertThatThrownBy(() -> open(sink, context(Guarantee.EXACTLY_ONCE, 1, "first")))
                .hasMessageContaining("another run of the job (epoch 2) has taken over");
        second.finish();
        first.close();
        second.close();
        assertThat(Database.rows(url, "select id from stock")).containsExactly("a");
    }

    /** An engine may say once more that the checkpoint is complete that the job goes on from. */
    @Test
    void shouldKeepFormerNumbers_untilACheckpointDoesWithoutThem() throws Exception {
        String url = stock(Database.SQLITE, folder);
        JdbcSink<Stock> sink = Jdbc.insert(url, "stock", Stock.class);
        CheckpointedWriter<Stock> first =
                (CheckpointedWriter<Stock>) open(sink, context(Guarantee.EXACTLY_ONCE, 0, "run"));
        first.write(new Stock("a", 1));
        byte[] saved = first.save(1);
        first.close();
        for (int again = 0; again < 3; again++) {
            CheckpointedWriter<Stock> next =
                    (CheckpointedWriter<Stock>) open(sink, context(Guarantee.EXACTLY_ONCE, 1, "run"));
            next.restore(List.of(saved));
            next.commit(1);
            next.close();
        }
        CheckpointedWriter<Stock> last =
                (CheckpointedWriter<Stock>) open(sink, context(Guarantee.EXACTLY_ONCE, 1, "run"));
        last.restore(List.of(saved));
        last.save(2);
        last.commit(2);
        last.close();
        assertThat(Database.rows(url, "select id from stock")).containsExactly("a");
        assertThat(Database.rows(url, "select number from thalweg_checkpoints where number > 0"))
                .isEmpty();
    }

    /** It is not known to have ended, and belongs to the same run: its commit comes between the look and the transaction. */
    @ParameterizedTest
    @EnumSource
    void shouldWriteOnce_whatATaskStillWritesThatAnotherTakesOver(Database database) throws Exception {
        String url = database.url(folder);
        Database.execute(url, "create table stock (id varchar(3), count integer not null)");
        JdbcSink<Stock> sink = Jdbc.insert(url, "stock", Stock.class);
        CheckpointedWriter<Stock> former =
                (CheckpointedWriter<Stock>) open(sink, context(Guarantee.EXACTLY_ONCE, 0, "run"));
        former.write(new Stock("a", 1));
        former.save(1);
        former.write(new Stock("b", 1));
        byte[] saved = former.save(2);

        boolean[] committed = {false};
        Codec<Object> meanwhile = new Codec<>() {
            @Override
            public void encode(Object value, ByteWriter out) {
                codec().encode(value, out);
            }

            @Override
            public Object decode(ByteReader in) {
                if (!committed[0]) {
                    committed[0] = true;
                    assertThatCode(() -> former.commit(1)).doesNotThrowAnyException();
                }
                return codec().decode(in);
            }
        };
        CheckpointedWriter<Stock> next =
                (CheckpointedWriter<Stock>) open(sink, context(Guarantee.EXACTLY_ONCE, 2, "run", meanwhile));
        next.restore(List.of(saved));
        next.finish();
        next.close();
        former.close();
        assertThat(committed[0]).isTrue();
        assertThat(Database.rows(url, "select id from stock order by id")).containsExactly("a", "b");
    }

    /** A checkpoint may be complete only after the end was saved: what came in between is not its own. */
    @Test
    void shouldNotWriteTheEnd_whenAnEarlierCheckpointIsComplete() throws Exception {
        String url = stock(Database.SQLITE, folder);
        CheckpointedWriter<Stock> writer = (CheckpointedWriter<Stock>)
                open(Jdbc.insert(url, "stock", Stock.class), context(Guarantee.EXACTLY_ONCE, 0, "run"));
        writer.write(new Stock("a", 1));
        writer.save(1);
        writer.write(new Stock("b", 1));
        writer.save(0);
        writer.commit(1);
        assertThat(Database.rows(url, "select id from stock")).containsExactly("a");
        writer.commit(2);
        writer.finish();
        writer.close();
        assertThat(Database.rows(url, "select id from stock")).containsExactly("a", "b");
    }

    @Test
    void shouldRefuseACheckpointOfAnotherDatabase() throws Exception {
        String url = stock(Database.SQLITE, folder);
        JdbcSink<Stock> sink = Jdbc.insert(url, "stock", Stock.class);
        CheckpointedWriter<Stock> first =
                (CheckpointedWriter<Stock>) open(sink, context(Guarantee.EXACTLY_ONCE, 0, "run"));
        first.write(new Stock("a", 1));
        byte[] saved = first.save(1);
        first.close();
        Database.execute(url, "delete from thalweg_checkpoints");
        CheckpointedWriter<Stock> second =
                (CheckpointedWriter<Stock>) open(sink, context(Guarantee.EXACTLY_ONCE, 1, "run"));
        assertThatThrownBy(() -> second.restore(List.of(saved)))
                .hasMessageContaining("nobody can tell which rows are written");
        second.close();
    }

    @Test
    void shouldWaitForAServerThatIsAway_andNeverShowThePassword() throws Exception {
        Assumptions.assumeTrue(TestPostgres.missing().isEmpty(), TestPostgres.missing());
        try (TestPostgres server = TestPostgres.start()) {
            String url = server.database();
            Database.execute(url, "create table stock (id varchar(3) primary key, count integer not null)");
            JdbcSink<Stock> sink = Jdbc.insert(url, "stock", Stock.class)
                    .user("postgres")
                    .password(Secret.of("s3cret-word"))
                    .patience(Duration.ofSeconds(20));
            List<Long> waited = new ArrayList<>();
            SinkWriter<Stock> writer = sink.open(plain(), ms -> {
                waited.add(ms);
                if (waited.size() == 3) {
                    beginAgain(server);
                }
            });
            server.kill();
            writer.write(new Stock("a", 1));
            writer.finish();
            assertThat(waited).startsWith(50L, 100L, 200L);
            String name = "the database " + Connecting.to(url);
            assertThat(losses.stream().dropWhile(each -> each.startsWith("restored")))
                    .as("told once")
                    .hasSize(2)
                    .last()
                    .isEqualTo("restored " + name);
            assertThat(losses).anyMatch(each -> each.startsWith("lost " + name + " ("));
            assertThat(Database.rows(url, "select id from stock")).containsExactly("a");

            server.kill();
            writer.write(new Stock("b", 1));
            assertThatThrownBy(writer::finish)
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("cannot write table stock of jdbc:postgresql://127.0.0.1")
                    .hasMessageContaining("within 20 s (patience)")
                    .hasMessageNotContaining("s3cret-word");
            writer.close();
            server.begin();
        }
        assertThat(losses.toString()).doesNotContain("s3cret-word");
    }

    @Test
    void shouldSayThatAnotherProcessLocksTheFile() throws Exception {
        String url = stock(Database.SQLITE, folder);
        JdbcSink<Stock> sink = Jdbc.insert(url, "stock", Stock.class).set("busy_timeout", "1");
        try (Connection other = DriverManager.getConnection(url)) {
            other.createStatement().execute("begin exclusive");
            List<Long> waited = new ArrayList<>();
            SinkWriter<Stock> writer = sink.open(plain(), ms -> {
                waited.add(ms);
                if (waited.size() == 10) {
                    commit(other);
                }
            });
            writer.write(new Stock("a", 1));
            writer.finish();
            writer.close();
            assertThat(waited).hasSize(10);
        }
        String name = "the database " + url;
        assertThat(losses.stream().filter(each -> each.startsWith("lost ")).toList())
                .singleElement()
                .asString()
                .startsWith("lost " + name + " (")
                .contains("database is locked");
        assertThat(losses).last().isEqualTo("restored " + name);
        assertThat(Database.rows(url, "select id from stock")).containsExactly("a");
    }

    /** Its driver waits for 3 s in each try, beside which the pauses are short. */
    @Test
    void shouldSayAfterAFewSecondsThatTheFileIsLocked() throws Exception {
        String url = stock(Database.SQLITE, folder);
        try (Connection other = DriverManager.getConnection(url)) {
            other.createStatement().execute("begin exclusive");
            List<Long> waited = new ArrayList<>();
            SinkWriter<Stock> writer = Jdbc.insert(url, "stock", Stock.class).open(plain(), ms -> {
                waited.add(ms);
                if (waited.size() == 2) {
                    commit(other);
                }
            });
            writer.write(new Stock("a", 1));
            writer.finish();
            writer.close();
        }
        assertThat(losses.stream().filter(each -> each.startsWith("lost ")).toList())
                .singleElement()
                .asString()
                .contains("database is locked")
                .endsWith(
                        "; another connection has locked the file: end its transaction, or the process that has it open)");
        assertThat(Database.rows(url, "select id from stock")).containsExactly("a");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlite:a.db, 3000",
        "jdbc:sqlite:a.db?busy_timeout=70, 70",
        "jdbc:sqlite:a.db?cache=shared&busy_timeout=70&mode=rw, 70",
        "jdbc:duckdb:a.db, 0"
    })
    void shouldKnowHowLongADriverWaitsForALock(String url, long ms) {
        assertThat(Connecting.to(url).lockWaitMs()).isEqualTo(ms);
        assertThat(Connecting.to(url).with("busy_timeout", "20").lockWaitMs()).isEqualTo(ms == 0 ? 0 : 20);
    }

    /** Of a job with exactly-once: it may be locked when the job starts, and when a checkpoint is complete, and then for ever. */
    @Test
    void shouldWaitForALockedFile_asLongAsItsPatienceLasts() throws Exception {
        String url = stock(Database.SQLITE, folder);
        JdbcSink<Stock> sink =
                Jdbc.insert(url, "stock", Stock.class).set("busy_timeout", "1").patience(Duration.ofSeconds(20));
        try (Connection other = DriverManager.getConnection(url)) {
            List<Long> waited = new ArrayList<>();
            boolean[] forEver = {false};
            Pause pause = ms -> {
                waited.add(ms);
                if (waited.size() == 3 && !forEver[0]) {
                    commit(other);
                }
            };
            other.createStatement().execute("begin exclusive");
            CheckpointedWriter<Stock> writer =
                    (CheckpointedWriter<Stock>) sink.open(context(Guarantee.EXACTLY_ONCE, 0, "run"), pause);
            assertThat(waited).hasSize(3);

            waited.clear();
            writer.write(new Stock("a", 1));
            writer.save(1);
            other.createStatement().execute("begin exclusive");
            writer.commit(1);
            assertThat(waited).hasSize(3);
            assertThat(Database.rows(url, "select id from stock")).containsExactly("a");

            waited.clear();
            forEver[0] = true;
            writer.write(new Stock("b", 1));
            writer.save(2);
            other.createStatement().execute("begin exclusive");
            assertThatThrownBy(() -> writer.commit(2))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("cannot write table stock of " + url)
                    .hasMessageContaining("within 20 s (patience)")
                    .hasMessageContaining("database is locked");
            assertThat(waited.stream().mapToLong(Long::longValue).sum()).isEqualTo(20_000);
            commit(other);
            writer.close();
        }
        assertThat(Database.rows(url, "select id from stock")).containsExactly("a");
    }

    /** A server that hangs may take minutes in each try, and only the pauses counted. */
    @Test
    void shouldCountHowLongEachTryTakes() throws Exception {
        String url = stock(Database.SQLITE, folder);
        SinkWriter<Stock> writer = Jdbc.insert(url, "stock", Stock.class)
                .set("busy_timeout", "1")
                .open(plain(), ms -> {
                    pauses.add(ms);
                    nowNs += Duration.ofSeconds(25).toNanos();
                });
        try (Connection other = DriverManager.getConnection(url)) {
            other.createStatement().execute("begin exclusive");
            writer.write(new Stock("a", 1));
            assertThatThrownBy(writer::finish)
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining(": tried 4 times within 60 s (patience): ");
            assertThat(pauses).hasSize(3);
            commit(other);
        }
        writer.close();
    }

    private static void commit(Connection other) {
        try {
            other.createStatement().execute("commit");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void beginAgain(TestPostgres server) {
        try {
            server.begin();
        } catch (java.io.IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldHidePasswords() {
        Connecting url = Connecting.to("jdbc:mariadb://u:p1@h/d?user=me&password=p2&sslpassword=p3")
                .withPassword(Secret.of("p4"))
                .with("trustStorePassword", "p5");
        assertThat(url.toString()).isEqualTo("jdbc:mariadb://h/d");
        assertThat(url.withoutSecrets("p1 p2 p3 p4 p5")).isEqualTo("(hidden) (hidden) (hidden) (hidden) (hidden)");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:oracle:thin:scott/hush@localhost:1521:xe, jdbc:oracle:thin:@localhost:1521:xe",
        "jdbc:oracle:thin:scott/hush@//localhost:1521/xe, jdbc:oracle:thin:@//localhost:1521/xe",
        "jdbc:oracle:thin:@//localhost:1521/xe, jdbc:oracle:thin:@//localhost:1521/xe",
        "jdbc:mysql://me:hush/more@localhost/d, jdbc:mysql://localhost/d",
        "jdbc:mysql://localhost?password=hush@x, jdbc:mysql://localhost",
        "jdbc:sqlserver://localhost:1433;user=me;password=hush@x, jdbc:sqlserver://localhost:1433",
        "jdbc:sqlite:/home/me@there/test.db, jdbc:sqlite:/home/me@there/test.db"
    })
    void shouldShowAUrlWithoutWhoConnects(String url, String shown) {
        assertThat(Connecting.to(url).toString()).isEqualTo(shown);
        assertThat(Connecting.to(url).withoutSecrets("cannot open " + url)).doesNotContain("hush");
    }

    /** Its driver knows none there, takes it for the host, and says so. */
    @Test
    void shouldRefuseAUserInAUrlOfPostgres() {
        assertThatThrownBy(() -> Jdbc.insert("jdbc:postgresql://me:hush@localhost:5432/d", "stock", Stock.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(".user(…)")
                .hasMessageNotContaining("hush");
        assertThatThrownBy(() -> Jdbc.insert("postgres://me:hush/more@localhost/d", "stock", Stock.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("begins with jdbc:")
                .hasMessageNotContaining("hush");
    }

    @Test
    void shouldSayWhyItCannotConnect() throws Exception {
        Assumptions.assumeTrue(TestPostgres.missing().isEmpty(), TestPostgres.missing());
        JdbcSink<Stock> sink = Jdbc.insert("jdbc:postgresql://no-such-host.invalid/d", "stock", Stock.class)
                .patience(Duration.ZERO);
        assertThatThrownBy(() -> open(sink, plain())).hasMessageContaining("no-such-host.invalid)");
        JdbcSink<Stock> refused = Jdbc.insert("jdbc:postgresql://127.0.0.1:1/d", "stock", Stock.class)
                .patience(Duration.ZERO);
        assertThatThrownBy(() -> open(refused, plain())).hasMessageEndingWith("accepting TCP/IP connections.");
    }

    /** Users say for ever by the longest duration that there is. */
    @Test
    void shouldWaitForEver() throws Exception {
        String url = stock(Database.SQLITE, folder);
        SinkWriter<Stock> writer = open(
                Jdbc.insert(url, "stock", Stock.class)
                        .flushInterval(Duration.ofSeconds(Long.MAX_VALUE))
                        .patience(Duration.ofSeconds(Long.MAX_VALUE)),
                plain());
        writer.write(new Stock("a", 1));
        writer.onClock(1_000);
        assertThat(Database.rows(url, "select id from stock")).isEmpty();
        assertThat(writer.dueMs()).isGreaterThan(1_000);
        writer.finish();
        writer.close();
        assertThat(Database.rows(url, "select id from stock")).containsExactly("a");
    }
}

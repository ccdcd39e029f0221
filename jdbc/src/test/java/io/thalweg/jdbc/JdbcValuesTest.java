// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What stands in the database is what the record held, or the record is a dead letter. */
@Timeout(900)
@Tag("integration")
final class JdbcValuesTest {
    @TempDir
    Path folder;

    private final Writing writing = new Writing();

    private String database(Database database, String... statements) throws Exception {
        String url = database.url(folder);
        Database.execute(url, statements);
        return url;
    }

    @Test
    void shouldNotStoreNaNAsNull() throws Exception {
        record Sizes(String id, float single, double size) {}
        String url = database(Database.SQLITE, "create table sizes (id text, single real, size real)");
        writing.write(
                Jdbc.insert(url, "sizes", Sizes.class),
                new Sizes("a", Float.NaN, 1),
                new Sizes("b", 1.5f, Double.NaN),
                new Sizes("c", Float.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
        assertThat(writing.refused)
                .containsExactly(
                        "component single is NaN, which SQLite would store as null",
                        "component size is NaN, which SQLite would store as null");
        assertThat(Database.rows(url, "select id, single > 1e300, size < -1e300 from sizes"))
                .containsExactly("c,1,1");
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotStoreHalfASurrogatePairAsAQuestionMark(Database database) throws Exception {
        record Note(String text, char letter) {}
        String url = database(database, "create table notes (text varchar(10), letter varchar(1))");
        writing.write(
                Jdbc.insert(url, "notes", Note.class),
                new Note("a\ud83d", 'a'),
                new Note("\ude42", 'a'),
                new Note("b", '\ud83d'),
                new Note("\ud83d\ude42", 'ü'));
        assertThat(writing.refused).hasSize(3).allMatch(each -> each.contains("half a surrogate pair"));
        assertThat(Database.rows(url, "select text, letter from notes")).containsExactly("🙂,ü");
    }

    /** PostgreSQL's own casts keep 15 digits of a double, and 6 of a float. */
    @Test
    void shouldKeepAllDigits_inAColumnOfExactNumbers() throws Exception {
        record Amount(int id, double large, float single) {}
        String url = database(Database.POSTGRESQL, "create table amounts (id int, large numeric, single numeric)");
        Amount[] amounts = {
            new Amount(1, 1_234_567_890_123_456.0, 12_345_678f),
            new Amount(2, 0.1 + 0.2, -0.1f),
            new Amount(3, Double.NaN, Float.POSITIVE_INFINITY)
        };
        writing.write(Jdbc.insert(url, "amounts", Amount.class), amounts);
        writing.write(
                Jdbc.statement(url, "insert into amounts values (:id + 3, :large, :single)", Amount.class), amounts);
        assertThat(Database.rows(url, "select large, single from amounts order by id"))
                .containsExactly(
                        "1234567890123456,12345678",
                        "0.30000000000000004,-0.1",
                        "NaN,Infinity",
                        "1234567890123456,12345678",
                        "0.30000000000000004,-0.1",
                        "NaN,Infinity");
    }

    /** Which point in time it is would depend on the time zone of the machine. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "DUCKDB"})
    void shouldNotTakeALocalTimeForAPointInTime(Database database) throws Exception {
        record Local(LocalDateTime moment) {}
        String url = database(database, "create table times (moment timestamptz)");
        assertThatThrownBy(() -> writing.write(Jdbc.insert(url, "times", Local.class), new Local(LocalDateTime.MIN)))
                .hasMessageEndingWith(
                        "component moment of record Local is a date and time (LocalDateTime); change one of them");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "DUCKDB"})
    void shouldWriteAPointInTimeAsUtc_whateverTheZoneOfTheSession(Database database) throws Exception {
        record Seen(int id, Instant moment) {}
        String url = database(database, "create table seen (id int, moment timestamp, zoned timestamptz)");
        String tokyo = "set timezone = 'Asia/Tokyo'";
        Instant moment = Instant.parse("2018-02-06T15:50:42.400Z");
        writing.write(Jdbc.insert(url, "seen", Seen.class).first(tokyo), new Seen(1, moment));
        String sql = "insert into seen values (:id, :moment, :moment)";
        writing.write(Jdbc.statement(url, sql, Seen.class).first(tokyo), new Seen(2, moment));
        String update = "update seen set moment = :moment, zoned = :moment where id = :id";
        Database.execute(url, "insert into seen (id) values (3)");
        writing.write(Jdbc.statement(url, update, Seen.class).first(tokyo), new Seen(3, moment));
        assertThat(Database.rows(url, "select id, cast(moment as varchar) from seen order by id"))
                .containsExactly("1,2018-02-06 15:50:42.4", "2,2018-02-06 15:50:42.4", "3,2018-02-06 15:50:42.4");
        assertThat(Database.rows(url, "select count(*) from seen where zoned = '2018-02-06 15:50:42.4+00'"))
                .containsExactly("2");
    }

    @Test
    void shouldTakeADomainForWhatItIsMadeOf() throws Exception {
        record Seen(int id, Instant moment, Instant zoned, double exact) {}
        String url = database(
                Database.POSTGRESQL,
                "create domain moment as timestamp",
                "create domain zoned as timestamptz",
                "create domain exact as numeric",
                "create domain list as int[]",
                "create table seen (id int, moment moment, zoned zoned, exact exact, list list)");
        String tokyo = "set timezone = 'Asia/Tokyo'";
        Instant moment = Instant.parse("2018-02-06T15:50:42.400Z");
        writing.write(Jdbc.insert(url, "seen", Seen.class).first(tokyo), new Seen(1, moment, moment, 0.1 + 0.2));
        String sql = "insert into seen values (:id, :moment, :zoned, :exact)";
        writing.write(Jdbc.statement(url, sql, Seen.class).first(tokyo), new Seen(2, moment, moment, 0.1 + 0.2));
        assertThat(Database.rows(
                        url, "select id, moment, zoned = '2018-02-06 15:50:42.4+00', exact from seen order by id"))
                .containsExactly(
                        "1,2018-02-06 15:50:42.4,t,0.30000000000000004",
                        "2,2018-02-06 15:50:42.4,t,0.30000000000000004");

        record Local(int id, LocalDateTime zoned) {}
        assertThatThrownBy(() -> writing.write(Jdbc.insert(url, "seen", Local.class), new Local(1, LocalDateTime.MIN)))
                .hasMessageContaining("component zoned of record Local is a date and time");
        record Listed(int id, String list) {}
        writing.write(Jdbc.insert(url, "seen", Listed.class), new Listed(3, "{1,2}"));
        assertThat(Database.rows(url, "select list[2] from seen where id = 3")).containsExactly("2");
    }

    private static Instant moment(int nanos) {
        return Instant.parse("2018-02-06T15:50:42Z").plusNanos(nanos);
    }

    /** Two of them would be one row. */
    @ParameterizedTest
    @EnumSource
    void shouldRefuseATimeInTheKey_thatIsFinerThanItsColumn(Database database) throws Exception {
        record Event(Instant point, OffsetDateTime zoned, LocalDateTime date, LocalTime time) {}
        String url = database(
                database,
                "create table events (point timestamptz, zoned timestamptz, date timestamp, time time,"
                        + " primary key (point, zoned, date, time))");
        List<int[]> nanos = List.of(
                new int[] {1_000, 1_000, 1_000, 1_000},
                new int[] {100, 0, 0, 0},
                new int[] {0, 200, 0, 0},
                new int[] {0, 0, 300, 0},
                new int[] {0, 0, 0, 400});
        Event[] events = nanos.stream()
                .map(each -> new Event(
                        moment(each[0]),
                        moment(each[1]).atOffset(ZoneOffset.UTC),
                        LocalDateTime.ofInstant(moment(each[2]), ZoneOffset.UTC),
                        LocalTime.NOON.plusNanos(each[3])))
                .toArray(Event[]::new);
        writing.write(Jdbc.upsert(url, "events", Event.class).key("point", "zoned", "date", "time"), events);
        boolean text = database == Database.SQLITE;
        String another = ") would store another value for '";
        String reason = "': it keeps 6 digits of a second; change one of them";
        assertThat(writing.refused).hasSize(text ? 0 : 4).allMatch(each -> each.endsWith(reason));
        assertThat(writing.refused.stream().map(each -> each.replaceFirst("\\(.*?\\)", "(type)")))
                .isEqualTo(
                        text
                                ? List.of()
                                : List.of(
                                        "component point is part of the key, and column point (type" + another
                                                + "2018-02-06T15:50:42.000000100Z" + reason,
                                        "component zoned is part of the key, and column zoned (type" + another
                                                + "2018-02-06T15:50:42.000000200Z" + reason,
                                        "component date is part of the key, and column date (type" + another
                                                + "2018-02-06T15:50:42.000000300" + reason,
                                        "component time is part of the key, and column time (type" + another
                                                + "12:00:00.000000400" + reason));
        assertThat(writing.bad).isEmpty();
        assertThat(Database.rows(url, "select count(*) from events")).containsExactly(text ? "5" : "1");
    }

    /** As the guide says: PostgreSQL's driver rounds, and DuckDB's truncates. */
    @ParameterizedTest
    @EnumSource
    void shouldKeepMicroseconds_outsideTheKey(Database database) throws Exception {
        record Event(int id, Instant point, LocalTime time) {}
        String url = database(database, "create table events (id int primary key, point timestamp, time time)");
        writing.write(
                Jdbc.upsert(url, "events", Event.class).key("id"),
                new Event(1, moment(123_456_499), LocalTime.NOON.plusNanos(123_456_499)),
                new Event(2, moment(123_456_789), LocalTime.NOON.plusNanos(123_456_789)));
        assertThat(writing.refused).isEmpty();
        String[] kept = database == Database.SQLITE
                ? new String[] {
                    "2018-02-06T15:50:42.123456499Z,12:00:00.123456499",
                    "2018-02-06T15:50:42.123456789Z,12:00:00.123456789"
                }
                : new String[] {
                    "2018-02-06 15:50:42.123456,12:00:00.123456",
                    database == Database.POSTGRESQL
                            ? "2018-02-06 15:50:42.123457,12:00:00.123457"
                            : "2018-02-06 15:50:42.123456,12:00:00.123456"
                };
        assertThat(Database.rows(url, "select cast(point as varchar), cast(time as varchar) from events order by id"))
                .containsExactly(kept);
    }

    /** A key, of any class. */
    private interface Keyed {}

    private record Time(LocalDateTime id, int n) implements Keyed {}

    private record Clock(LocalTime id, int n) implements Keyed {}

    private record Exact(BigDecimal id, int n) implements Keyed {}

    private record Whole(long id, int n) implements Keyed {}

    private record Real(double id, int n) implements Keyed {}

    private record Text(String id, int n) implements Keyed {}

    @SafeVarargs
    @SuppressWarnings("varargs")
    private <T extends Record & Keyed> void assertRefused(
            Database database, String type, String kept, List<T> refused, T... taken) throws Exception {
        String url = database(database, "drop table if exists ids");
        assertRefused(url, type, kept, refused, taken);
        if (database == Database.POSTGRESQL) {
            Database.execute(
                    url, "drop table ids", "create domain \"Inner\" as " + type, "create domain own as \"Inner\"");
            assertRefused(url, "own", kept, refused, taken);
            Database.execute(url, "drop table ids");
            assertRefused(url, "\"Inner\"", kept, refused, taken);
        }
    }

    /** Writes one by one. Of those that are not refused, each is a row of its own with its own key. */
    @SafeVarargs
    @SuppressWarnings({"unchecked", "varargs"}) // it is the class of all of them
    private <T extends Record & Keyed> void assertRefused(
            String url, String type, String kept, List<T> refused, T... taken) throws Exception {
        Database.execute(url, "create table ids (id " + type + " primary key, n int)");
        Class<T> record = (Class<T>) refused.get(0).getClass();
        writing.refused.clear();
        writing.write(Jdbc.upsert(url, "ids", record).key("id"), (T[]) refused.toArray(Record[]::new));
        assertThat(writing.refused)
                .as("%s", type)
                .hasSize(refused.size())
                .allMatch(each -> each.startsWith("component id is part of the key, and column id ("))
                .allMatch(each -> each.endsWith("': it keeps " + kept + "; change one of them"));
        assertThat(Database.rows(url, "select count(*) from ids")).containsExactly("0");

        writing.refused.clear();
        writing.write(
                Jdbc.upsert(url, "ids", record).key("id"), (T[]) List.of(taken).toArray(Record[]::new));
        assertThat(writing.refused).as("%s", type).isEmpty();
        assertThat(writing.bad).isEmpty();
        assertThat(Database.rows(url, "select count(*) from ids"))
                .as("%s", type)
                .containsExactly(String.valueOf(taken.length));
        // The same keys are found again.
        writing.write(
                Jdbc.upsert(url, "ids", record).key("id"), (T[]) List.of(taken).toArray(Record[]::new));
        assertThat(Database.rows(url, "select count(*) from ids")).containsExactly(String.valueOf(taken.length));
    }

    private static LocalDateTime local(int nanos) {
        return LocalDateTime.ofInstant(moment(nanos), ZoneOffset.UTC);
    }

    @Test
    void shouldRefuseKeysThatPostgreSqlWouldStoreAsOthers() throws Exception {
        Database database = Database.POSTGRESQL;
        assertRefused(
                database, "timestamp(0)", "whole seconds", List.of(new Time(local(1_000), 1)), new Time(local(0), 1));
        assertRefused(
                database,
                "timestamp(3)",
                "3 digits of a second",
                List.of(new Time(local(1_234_000), 1)),
                new Time(local(1_000_000), 1),
                new Time(local(2_000_000), 2));
        assertRefused(
                database,
                "time(2)",
                "2 digits of a second",
                List.of(new Clock(LocalTime.NOON.plusNanos(1_000_000), 1)),
                new Clock(LocalTime.NOON.plusNanos(10_000_000), 1));
        assertRefused(
                database,
                "numeric(20, 2)",
                "2 digits after the point",
                List.of(new Exact(new BigDecimal("1.005"), 1)),
                new Exact(new BigDecimal("1.010"), 1),
                new Exact(new BigDecimal("1E+3"), 2));
        assertRefused(
                database,
                "numeric(20, 2)",
                "2 digits after the point",
                List.of(new Real(0.1 + 0.2, 1)),
                new Real(0.3, 1),
                new Real(Double.NaN, 2));
        assertRefused(
                database,
                "numeric(5, -2)",
                "-2 digits after the point",
                List.of(new Whole(110, 1)),
                new Whole(100, 1),
                new Whole(1_200, 2));
        assertRefused(
                database, "real", "a float", List.of(new Real(0.1, 1)), new Real(0.5, 1), new Real(Double.NaN, 2));
        assertRefused(
                database,
                "char(3)",
                "no spaces at the end",
                List.of(new Text("a ", 1)),
                new Text("a", 1),
                new Text(" a", 2));
        assertRefused(
                database,
                "varchar(2)",
                "2 characters",
                List.of(new Text("a  ", 1)),
                new Text("a ", 1),
                new Text("a", 2),
                new Text("🙂🙂", 3));
    }

    @Test
    void shouldTakeKeysThatPostgreSqlStoresAsTheyAre() throws Exception {
        Database database = Database.POSTGRESQL;
        String url = database(
                database,
                "create table ids (exact numeric, single real, twice double precision, text text, code varchar,"
                        + " primary key (exact, single, twice, text, code))");
        record Ids(BigDecimal exact, float single, double twice, String text, String code) {}
        writing.write(
                Jdbc.upsert(url, "ids", Ids.class).key("exact", "single", "twice", "text", "code"),
                new Ids(new BigDecimal("0.12345678901234567890123"), 0.1f, 0.1, "a ", "a "),
                new Ids(new BigDecimal("0.12345678901234567890124"), 0.1f, 0.1, "a ", "a "));
        assertThat(writing.refused).isEmpty();
        assertThat(Database.rows(url, "select count(*) from ids")).containsExactly("2");
    }

    @Test
    void shouldRefuseKeysThatDuckDbWouldStoreAsOthers() throws Exception {
        Database database = Database.DUCKDB;
        assertRefused(
                database,
                "timestamp_s",
                "whole seconds",
                List.of(new Time(local(1_000), 1), new Time(local(500_000_000), 2)),
                new Time(local(0), 1));
        assertRefused(
                database,
                "timestamp_ms",
                "3 digits of a second",
                List.of(new Time(local(1_000), 1), new Time(local(1_500_000), 1)),
                new Time(local(1_000_000), 1),
                new Time(local(0), 2));
        assertRefused(
                database,
                "decimal(18, 3)",
                "3 digits after the point",
                List.of(new Exact(new BigDecimal("1.0005"), 1)),
                new Exact(new BigDecimal("1.0010"), 1));
        assertRefused(
                database,
                "decimal(18, 3)",
                "3 digits after the point",
                List.of(new Real(1.0005, 1)),
                new Real(1.001, 1));
        assertRefused(database, "real", "a float", List.of(new Real(0.1, 1)), new Real(0.5, 1));
    }

    /** Its driver would truncate them to microseconds. */
    @Test
    void shouldKeepNanosecondsInDuckDb_whereTheColumnDoes() throws Exception {
        record Event(LocalDateTime id, Instant point, LocalTime time) {}
        String url = database(
                Database.DUCKDB, "create table events (id timestamp_ns primary key, point timestamp_ns, time time_ns)");
        Event[] events = {
            new Event(local(1), moment(2), LocalTime.NOON.plusNanos(3)),
            new Event(local(2), moment(3), LocalTime.NOON.plusNanos(4)),
            new Event(local(1_000), moment(1_000), LocalTime.NOON)
        };
        writing.write(Jdbc.upsert(url, "events", Event.class).key("id"), events);
        writing.write(Jdbc.upsert(url, "events", Event.class).key("id"), events);
        assertThat(writing.refused).isEmpty();
        assertThat(writing.bad).isEmpty();
        assertThat(Database.rows(
                        url,
                        "select epoch_ns(id) % 1000000, epoch_ns(point) % 1000000, cast(time as varchar) from events"
                                + " order by id"))
                .containsExactly("1,2,12:00:00.000000003", "2,3,12:00:00.000000004", "1000,1000,12:00:00");
    }

    @Test
    void shouldRefuseKeysThatSqliteWouldStoreAsOthers() throws Exception {
        Database database = Database.SQLITE;
        assertRefused(
                database,
                "decimal(30, 20)",
                "15 digits of such a number",
                List.of(
                        new Exact(new BigDecimal("1.00000000000000001"), 1),
                        new Exact(new BigDecimal("12345678901234567.0"), 1),
                        new Exact(new BigDecimal("9223372036854775808"), 1),
                        new Exact(new BigDecimal("1E-400"), 1)),
                new Exact(new BigDecimal("1.00000000000001"), 1),
                new Exact(new BigDecimal("12345678901234567"), 2),
                new Exact(new BigDecimal("12345678901234568"), 3),
                new Exact(new BigDecimal("1E+20"), 4));
        assertRefused(
                database,
                "real",
                "15 digits of such a number",
                List.of(new Whole((1L << 53) + 1, 1)),
                new Whole((1L << 53) - 1, 1),
                new Whole(7, 2));
        assertRefused(
                database,
                "int",
                "numbers, and makes one of such a text",
                List.of(
                        new Text("007", 1),
                        new Text("7.0", 1),
                        new Text("1e3", 1),
                        new Text(" 7", 1),
                        new Text("-0", 1),
                        new Text("9223372036854775808", 1)),
                new Text("7", 1),
                new Text("1234567890123456789", 2),
                new Text("7.5", 3));
        assertRefused(
                database,
                "string",
                "numbers, and makes one of such a text",
                List.of(new Text("1.10", 1)),
                new Text("1.1", 1),
                new Text("a", 2),
                new Text("1.10.0", 3));
    }

    @Test
    void shouldTakeKeysThatSqliteStoresAsTheyAre() throws Exception {
        String url = database(
                Database.SQLITE,
                "create table ids (exact text, twice real, text varchar(9), single text, plain, primary key (exact, twice, text, single, plain))");
        record Ids(BigDecimal exact, double twice, String text, double single, String plain) {}
        writing.write(
                Jdbc.upsert(url, "ids", Ids.class).key("exact", "twice", "text", "single", "plain"),
                new Ids(new BigDecimal("0.12345678901234567890123"), 0.1 + 0.2, "007", 0.1 + 0.2, "007"),
                new Ids(new BigDecimal("0.12345678901234567890124"), 0.1 + 0.2, "007", 0.1 + 0.2, "007"),
                new Ids(new BigDecimal("0.12345678901234567890124"), 0.3, "7", 0.3, "7"));
        assertThat(writing.refused).isEmpty();
        assertThat(Database.rows(url, "select count(*) from ids")).containsExactly("3");
    }

    private enum Colour {
        RED,
        BLUE
    }

    @Test
    void shouldWriteEnumsAndDomains_andLeaveOutWhatTheyRefuse() throws Exception {
        record Painted(Colour colour, int n, String note, String code) {}
        String url = database(
                Database.POSTGRESQL,
                "create type colour as enum ('RED')",
                "create domain positive as integer check (value > 0)",
                "create domain code as text check (value like 'x%')",
                "create table painted (colour colour, n positive, note jsonb, code code)");
        writing.write(
                Jdbc.insert(url, "painted", Painted.class),
                new Painted(Colour.RED, 1, "{}", "x1"),
                new Painted(Colour.BLUE, 2, "{}", "x2"),
                new Painted(Colour.RED, -3, "{}", "x3"),
                new Painted(Colour.RED, 4, "{", "x4"),
                new Painted(Colour.RED, 5, "{}", "y"),
                new Painted(Colour.RED, 6, "[]", "x6"));
        assertThat(writing.bad).extracting(each -> each.offset()).containsExactly(2L, 3L, 4L, 5L);
        assertThat(Database.rows(url, "select n, note from painted")).containsExactly("1,{}", "6,[]");
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheOtherKindsOfValues(Database database) throws Exception {
        record Kinds(
                int id,
                byte tiny,
                float single,
                char letter,
                BigInteger big,
                LocalTime clock,
                LocalDateTime moment,
                OffsetDateTime seen,
                LocalDate day,
                UUID code) {}
        String url = database(
                database,
                "create table kinds (id int, tiny smallint, single real, letter varchar(1), big "
                        + (database == Database.SQLITE ? "text" : "decimal(38)")
                        + ", clock time, moment timestamp, seen timestamptz, day date, code "
                        + (database == Database.SQLITE ? "text)" : "uuid)"));
        UUID code = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
        BigInteger big = BigInteger.TEN.pow(30);
        writing.write(
                Jdbc.insert(url, "kinds", Kinds.class),
                new Kinds(
                        1,
                        (byte) -1,
                        0.5f,
                        '"',
                        big,
                        LocalTime.of(23, 59, 58, 1_000),
                        LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
                        OffsetDateTime.parse("1582-10-10T00:00:00+02:00"),
                        LocalDate.of(1582, 10, 10),
                        code),
                new Kinds(
                        2,
                        Byte.MIN_VALUE,
                        -0.25f,
                        ' ',
                        big.negate(),
                        LocalTime.MIDNIGHT,
                        LocalDateTime.of(12_345, 1, 2, 3, 4, 5),
                        OffsetDateTime.parse("9999-12-31T23:59:59-01:00"),
                        LocalDate.of(1, 1, 1),
                        code));
        assertThat(writing.refused).isEmpty();
        assertThat(writing.bad).isEmpty();
        assertThat(Database.rows(url, "select id, tiny, single, letter, big, code from kinds order by id"))
                .containsExactly(
                        "1,-1,0.5,\",1" + "0".repeat(30) + "," + code,
                        "2,-128,-0.25, ,-1" + "0".repeat(30) + "," + code);
        String utc = database == Database.SQLITE ? "seen" : "seen at time zone 'UTC'";
        String times = "select cast(clock as varchar), cast(moment as varchar), cast(" + utc
                + " as varchar), cast(day as varchar) from kinds order by id";
        assertThat(Database.rows(url, times).stream()
                        .map(row -> row.replace('T', ' ').replace("Z", ""))
                        .toList())
                .containsExactly(
                        "23:59:58.000001,1969-12-31 23:59:59.999999,1582-10-09 22:00:00,1582-10-10",
                        database == Database.SQLITE
                                ? "00:00,+12345-01-02 03:04:05,+10000-01-01 00:59:59,0001-01-01"
                                : "00:00:00,12345-01-02 03:04:05,10000-01-01 00:59:59,0001-01-01");
    }

    /** Its driver knows two calendars, and numbers of 38 digits at most. */
    @Test
    void shouldWriteDatesAndNumbersOfDuckDbAsTheyAre() throws Exception {
        record Old(int id, LocalDate day, BigDecimal number) {}
        String url = database(Database.DUCKDB, "create table olds (id int, day date, number decimal(30, 2))");
        writing.write(
                Jdbc.insert(url, "olds", Old.class),
                new Old(1, LocalDate.of(1582, 10, 10), new BigDecimal("1E+3")),
                new Old(2, LocalDate.of(-44, 3, 15), new BigDecimal("-1E-50")),
                new Old(3, LocalDate.of(1582, 10, 15), new BigDecimal("12345678901234567890.12")),
                new Old(4, LocalDate.of(1, 1, 1), BigDecimal.TEN.pow(60)));
        assertThat(Database.rows(url, "select id, year(day), month(day), day(day), number from olds order by id"))
                .containsExactly("1,1582,10,10,1000.00", "2,-44,3,15,0.00", "3,1582,10,15,12345678901234567890.12");
        assertThat(writing.bad).extracting(each -> each.offset()).containsExactly(4L);
    }

    /** Its driver counts only so many days. */
    @Test
    void shouldLeaveOutDaysThatDuckDbDoesNotHave() throws Exception {
        record Day(int id, LocalDate day) {}
        String url = database(Database.DUCKDB, "create table days (id int, day date)");
        writing.write(
                Jdbc.insert(url, "days", Day.class),
                new Day(1, LocalDate.MAX),
                new Day(2, LocalDate.of(5_900_000, 1, 1)),
                new Day(3, LocalDate.of(5_881_580, 7, 11)),
                new Day(4, LocalDate.of(5_881_580, 7, 10)),
                new Day(5, LocalDate.MIN));
        assertThat(writing.bad).extracting(each -> each.offset()).containsExactly(1L, 2L, 3L, 5L);
        assertThat(Database.rows(url, "select id, day from days")).containsExactly("4,+5881580-07-10");
    }

    /** OffsetDateTime, by which drivers take it, holds fewer years. */
    @ParameterizedTest
    @EnumSource
    void shouldRefuseAPointInTimeThatIsOutOfRange(Database database) throws Exception {
        record Seen(Instant moment) {}
        String url = database(database, "create table seen (moment timestamp)");
        writing.write(Jdbc.insert(url, "seen", Seen.class), new Seen(Instant.MAX), new Seen(Instant.EPOCH));
        assertThat(writing.refused).containsExactly("component moment is " + Instant.MAX + ", which is out of range");
        assertThat(Database.rows(url, "select count(*) from seen")).containsExactly("1");
    }

    /** For which its driver writes minus infinity. */
    @Test
    void shouldRefuseDaysThatPostgreSqlDoesNotHave() throws Exception {
        record Day(LocalDate day, LocalDateTime local, OffsetDateTime zoned, Instant point) {}
        String url = database(
                Database.POSTGRESQL,
                "create table days (day date, local timestamp, zoned timestamptz, point timestamptz)");
        LocalDateTime old = LocalDateTime.of(-4713, 12, 31, 23, 59);
        LocalDateTime good = LocalDateTime.of(-4712, 12, 31, 23, 59);
        Instant later = good.toInstant(ZoneOffset.UTC);
        writing.write(
                Jdbc.insert(url, "days", Day.class),
                new Day(old.toLocalDate(), good, good.atOffset(ZoneOffset.UTC), later),
                new Day(good.toLocalDate(), old, good.atOffset(ZoneOffset.UTC), later),
                new Day(good.toLocalDate(), good, old.atOffset(ZoneOffset.UTC), later),
                new Day(good.toLocalDate(), good, good.atOffset(ZoneOffset.UTC), old.toInstant(ZoneOffset.UTC)),
                new Day(good.toLocalDate(), good, good.atOffset(ZoneOffset.UTC), later),
                new Day(LocalDate.MIN, LocalDateTime.MIN, OffsetDateTime.MIN, later));
        assertThat(writing.refused)
                .hasSize(4)
                .allMatch(each -> each.endsWith(
                        ", for which PostgreSQL's driver would write -infinity: it has no day before 4713 BC"))
                .first()
                .asString()
                .startsWith("component day is -4713-12-31, ");
        assertThat(Database.rows(url, "select day, local, isfinite(zoned) from days"))
                .containsExactly("4713-12-31 BC,4713-12-31 23:59:00 BC,t", "-infinity,-infinity,f");
    }

    /** In one batch with values, for which drivers take the types of the first row. */
    @ParameterizedTest
    @EnumSource
    void shouldStoreNulls_inColumnsOfEachType(Database database) throws Exception {
        record Row(
                @Nullable Boolean flag,
                @Nullable Byte tiny,
                @Nullable Short small,
                @Nullable Integer whole,
                @Nullable Long large,
                @Nullable Float single,
                @Nullable Double fraction,
                @Nullable BigDecimal price,
                @Nullable BigInteger big,
                @Nullable String text,
                @Nullable Character letter,
                @Nullable Instant moment,
                @Nullable OffsetDateTime zoned,
                @Nullable LocalDate day,
                @Nullable LocalTime clock,
                @Nullable LocalDateTime local,
                @Nullable UUID code,
                byte @Nullable [] raw,
                Optional<String> note) {}
        boolean postgres = database == Database.POSTGRESQL;
        String url = database(
                database,
                "create table everything (flag boolean, tiny smallint, small smallint, whole integer, large bigint,"
                        + " single real, fraction double precision, price decimal(10, 2), big decimal(20), text varchar,"
                        + " letter char(1), moment timestamp, zoned timestamp, day date, clock time, local timestamp,"
                        + " code " + (database == Database.SQLITE ? "varchar" : "uuid") + ", raw "
                        + (postgres ? "bytea" : "blob") + ", note varchar)");
        Row nulls = new Row(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                Optional.empty());
        Row values = new Row(
                false,
                (byte) 0,
                (short) 0,
                0,
                0L,
                0f,
                0.0,
                BigDecimal.ZERO,
                BigInteger.ZERO,
                "",
                'a',
                Instant.EPOCH,
                OffsetDateTime.parse("2024-02-29T12:00:00Z"),
                LocalDate.EPOCH,
                LocalTime.NOON,
                LocalDateTime.parse("2024-02-29T12:00:00"),
                new UUID(0, 0),
                new byte[0],
                Optional.of(""));

        writing.write(Jdbc.insert(url, "everything", Row.class), nulls, values, nulls);

        assertThat(writing.bad).isEmpty();
        assertThat(writing.refused).isEmpty();
        assertThat(Database.rows(
                        url,
                        "select count(*), count(flag), count(tiny), count(small), count(whole), count(large), count(single),"
                                + " count(fraction), count(price), count(big), count(text), count(letter), count(moment),"
                                + " count(zoned), count(day), count(clock), count(local), count(code), count(raw), count(note)"
                                + " from everything"))
                .containsExactly("3" + ",1".repeat(19));
    }

    /** As of a time in nanoseconds that was taken for milliseconds. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "DUCKDB"})
    void shouldRefuseOnlyTheRowsWhoseValuesAreOutOfRange(Database database) throws Exception {
        record Event(int id, Instant moment, BigInteger big) {}
        String url = database(database, "create table events (id smallint, moment timestamp, big decimal(20))");
        Instant now = Instant.parse("2018-02-06T15:50:42Z");
        writing.write(
                Jdbc.insert(url, "events", Event.class).batch(3),
                new Event(1, now, BigInteger.ONE),
                new Event(2, Instant.ofEpochMilli(1_500_000_000_000_000_000L), BigInteger.ONE),
                new Event(3, now, BigInteger.TEN.pow(60)),
                new Event(70_000, now, BigInteger.ONE),
                new Event(5, now, BigInteger.ONE));
        assertThat(writing.bad).extracting(each -> each.offset()).containsExactly(2L, 3L, 4L);
        assertThat(Database.rows(url, "select id from events order by id")).containsExactly("1", "5");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a lookup finds is what stands in the database, or the lookup fails. */
@Timeout(900)
final class JdbcLookupValuesTest {
    record Whole(int number) {}

    record Small(short number) {}

    record Large(long number) {}

    record Fraction(double number) {}

    record Truth(boolean number) {}

    record Letter(char number) {}

    record Day(LocalDate number) {}

    record Code(UUID number) {}

    record Moment(Instant number) {}

    @TempDir
    Path folder;

    private <R> String lookUp(String url, String sql, Class<R> type) throws Exception {
        return lookUp(Jdbc.lookup(url, sql, type).by((Integer id) -> id));
    }

    /** What is found for the number 1. */
    private static <R> String lookUp(OperatorSupplier<AsyncOperator<Integer, R>> lookup) throws Exception {
        CollectSink<String> sink = CollectSink.of(String.class);
        Topology topology = Topology.named("numbers");
        topology.from(Sources.of(Type.of(Integer.class), List.of(1)))
                .async()
                .joinWith(lookup, JdbcLookupValuesTest::joined)
                .to(sink);
        new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();
        return sink.records().get(0);
    }

    private static String joined(Integer id, @Nullable Object found) {
        return String.valueOf(found);
    }

    /** It keeps any value in any column, and its driver makes a number of each. */
    @ParameterizedTest
    @CsvSource({
        "3000000000, Whole, int",
        "70000, Small, short",
        "'abc', Whole, int",
        "2.5, Large, long",
        "1e30, Large, long",
        "'abc', Fraction, double",
        "'maybe', Truth, boolean",
        "'ab', Letter, char",
        "'', Letter, char",
        "'yesterday', Day, LocalDate",
        "'123e4567-e89b-12d3-1a456-42661417400', Code, UUID",
        "'1-1-1-1-1', Code, UUID"
    })
    void shouldFail_ifAValueOfSqliteDoesNotFit(String value, String record, String type) throws Exception {
        String url = Database.SQLITE.url(folder);
        Database.execute(url, "create table numbers (id integer, number)");
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement insert = connection.prepareStatement("insert into numbers values (1, ?)")) {
            insert.setObject(1, value.matches("[0-9.e]+") ? number(value) : value);
            insert.execute();
        }
        Class<?> component = Class.forName(JdbcLookupValuesTest.class.getName() + "$" + record);
        assertThatThrownBy(() -> lookUp(url, "select number from numbers where id = ?", component))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("column number of a lookup is ")
                .hasMessageContaining(", which is no " + type);
    }

    private static Object number(String text) {
        BigDecimal number = new BigDecimal(text);
        return number.scale() > 0 || number.precision() - number.scale() > 18
                ? (Object) number.doubleValue()
                : (Object) number.longValueExact();
    }

    @Test
    void shouldFail_ifAValueOfPostgresWouldBeCut() throws Exception {
        String url = Database.POSTGRESQL.url(folder);
        Database.execute(
                url,
                "create table numbers (id integer, number numeric, at timestamp)",
                "insert into numbers values (1, 2.7, 'infinity')");
        assertThatThrownBy(() -> lookUp(url, "select number from numbers where id = ?", Whole.class))
                .hasMessageContaining("column number of a lookup is 2.7, which is no int");
        assertThatThrownBy(() -> lookUp(url, "select at as number from numbers where id = ?", Day.class))
                .hasMessageContaining("column number of a lookup is infinity, which is no LocalDate");
        for (String type : List.of("timestamp", "timestamptz")) {
            String sql = "select at::" + type + " as number from numbers where id = ?";
            assertThatThrownBy(() -> lookUp(url, sql, Moment.class))
                    .hasMessageContaining("column number of a lookup is infinity, which is no Instant");
        }
    }

    record Single(float number) {}

    @ParameterizedTest
    @CsvSource({
        "double precision, 1e300, Single, float",
        "numeric, 1e300, Single, float",
        "integer, 16777217, Single, float",
        "bigint, 9007199254740993, Fraction, double",
        "bigint, 1234567890123456800, Fraction, double",
        "numeric, -9007199254740993.00, Fraction, double",
        "numeric, 1e400, Fraction, double"
    })
    void shouldFail_ifAFloatOrADoubleDoesNotHoldTheNumber(String column, String value, String record, String type)
            throws Exception {
        String url = Database.POSTGRESQL.url(folder);
        Database.execute(
                url,
                "create table numbers (id integer, number " + column + ")",
                "insert into numbers values (1, " + value + ")");
        Class<?> component = Class.forName(JdbcLookupValuesTest.class.getName() + "$" + record);
        assertThatThrownBy(() -> lookUp(url, "select number from numbers where id = ?", component))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("column number of a lookup is ")
                .hasMessageContaining(", which is no " + type);
    }

    /** Decimals are the nearest that there is, and what the sink writes comes back. */
    @ParameterizedTest
    @CsvSource({
        "numeric, 0.1, Fraction, 0.1",
        "numeric, 0.1, Single, 0.1",
        "double precision, 0.1, Single, 0.1",
        "numeric, 12345678901234567890.5, Fraction, 1.2345678901234567E19",
        "bigint, 9007199254740992, Fraction, 9.007199254740992E15",
        "bigint, -9223372036854775808, Fraction, -9.223372036854776E18",
        "numeric, 1.7976931348623157e308, Fraction, 1.7976931348623157E308",
        "numeric, 1e20, Single, 1.0E20",
        "integer, 16777216, Single, 1.6777216E7",
        "numeric, 'NaN', Fraction, NaN",
        "double precision, '-infinity', Single, -Infinity"
    })
    void shouldFindFloatsAndDoubles(String column, String value, String record, String found) throws Exception {
        String url = Database.POSTGRESQL.url(folder);
        Database.execute(
                url,
                "create table numbers (id integer, number " + column + ")",
                "insert into numbers values (1, " + value.replaceAll("^-?[a-zA-Z].*", "'$0'") + ")");
        Class<?> component = Class.forName(JdbcLookupValuesTest.class.getName() + "$" + record);
        assertThat(lookUp(url, "select number from numbers where id = ?", component))
                .isEqualTo(record + "[number=" + found + "]");
    }

    record All(
            long id,
            int whole,
            short small,
            byte tiny,
            double part,
            float single,
            boolean yes,
            BigDecimal price,
            String text,
            char letter,
            LocalDate day,
            Instant seen,
            @Nullable Integer absent,
            UUID code) {}

    @ParameterizedTest
    @EnumSource
    void shouldFindWhatWasWritten(Database database) throws Exception {
        String url = database.url(folder);
        String text = database == Database.SQLITE ? "text" : "varchar(20)";
        Database.execute(
                url,
                "create table everything (id bigint, whole integer, small smallint, tiny smallint, part double precision,"
                        + " single real, yes boolean, price " + (database == Database.SQLITE ? text : "decimal(30, 10)")
                        + ", text " + text + ", letter varchar(1), day date, seen timestamp, absent integer, code "
                        + (database == Database.SQLITE ? text : "uuid") + ")");
        All all = new All(
                1,
                Integer.MIN_VALUE,
                Short.MAX_VALUE,
                Byte.MIN_VALUE,
                0.1 + 0.2,
                0.1f,
                true,
                new BigDecimal("12345678901234567890.0123456789"),
                "ü🙂",
                'ß',
                LocalDate.of(1815, 6, 18),
                Instant.parse("1815-06-18T11:35:00.000001Z"),
                null,
                UUID.fromString("01234567-89ab-cdef-0123-456789abcdef"));
        new Writing().write(Jdbc.insert(url, "everything", All.class), all);
        assertThat(lookUp(url, "select * from everything where id = ?", All.class))
                .isEqualTo(all.toString());
    }

    /** SQLite takes a parameter that nobody gives for null, which is equal to nothing. */
    @ParameterizedTest
    @EnumSource
    void shouldRefuseAQueryWithAnotherNumberOfParameters(Database database) throws Exception {
        String url = database.url(folder);
        Database.execute(url, "create table numbers (id integer, number integer)");
        assertThatThrownBy(() -> lookUp(url, "select number from numbers where id = ? and number = ?", Whole.class))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("has 2 question marks, and by(…) gives 1");
        OperatorSupplier<AsyncOperator<Integer, Whole>> two = Jdbc.lookup(
                        url, "select number from numbers where id = ?", Whole.class)
                .by(id -> id, id -> id);
        assertThatThrownBy(() -> lookUp(two)).hasMessageContaining("has 1 question mark, and by(…) gives 2");
    }

    @ParameterizedTest
    @EnumSource
    void shouldLookUpByAnyKindOfValue(Database database) throws Exception {
        String url = database.url(folder);
        record Key(int number, Database kind, UUID code, Instant seen) {}
        String uuid = database == Database.SQLITE ? "text" : "uuid";
        Database.execute(
                url, "create table numbers (number integer, kind varchar(20), code " + uuid + ", seen timestamp)");
        UUID code = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
        Instant seen = Instant.parse("2018-02-06T15:50:42.400Z");
        new Writing().write(Jdbc.insert(url, "numbers", Key.class), new Key(7, Database.SQLITE, code, seen));
        List<NullableFunction<Integer, ?>> keys = List.of(id -> Database.SQLITE, id -> code, id -> seen, id -> 7);
        List<String> columns = List.of("kind", "code", "seen", "number");
        for (int i = 0; i < keys.size(); i++) {
            String sql = "select number from numbers where " + columns.get(i) + " = ?";
            OperatorSupplier<AsyncOperator<Integer, Whole>> lookup =
                    Jdbc.lookup(url, sql, Whole.class).by(keys.get(i));
            assertThat(lookUp(lookup)).as(sql).isEqualTo("Whole[number=7]");
        }
    }
}

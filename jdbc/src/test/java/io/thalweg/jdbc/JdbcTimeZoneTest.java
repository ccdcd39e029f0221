// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Days and times are what they are in whatever time zone a job runs, also where that has no such day or hour. */
@Isolated("it sets the time zone of the JVM")
@Timeout(900)
final class JdbcTimeZoneTest {
    record Times(int id, LocalDate day, LocalDateTime local, Instant point) {}

    @TempDir
    Path folder;

    private final TimeZone before = TimeZone.getDefault();
    private final Writing writing = new Writing();

    @AfterEach
    void resetZone() {
        TimeZone.setDefault(before);
    }

    private void write(String url, String zone, Times times) throws Exception {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        writing.write(Jdbc.upsert(url, "times", Times.class).key("day"), times);
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldWriteDaysAndHoursThatTheZoneOfTheJvmLeavesOut(Database database) throws Exception {
        String url = database.url(folder);
        Database.execute(
                url,
                "create table times (id integer not null, day date primary key, local timestamp not null, point timestamp not null)");

        LocalDate left = LocalDate.of(2011, 12, 30);
        write(url, "Pacific/Apia", new Times(1, left, left.atTime(12, 0), Instant.parse("2011-12-30T12:00:00Z")));
        LocalDate next = LocalDate.of(2011, 12, 31);
        write(url, "Pacific/Apia", new Times(2, next, next.atTime(12, 0), Instant.parse("2011-12-31T12:00:00Z")));
        LocalDate late = LocalDate.of(2018, 11, 4);
        write(url, "America/Sao_Paulo", new Times(3, late, late.atTime(0, 30), Instant.parse("2018-11-04T00:30:00Z")));
        LocalDate hour = LocalDate.of(2024, 3, 10);
        write(url, "America/New_York", new Times(4, hour, hour.atTime(2, 30), Instant.parse("2024-03-10T02:30:00Z")));
        resetZone();

        assertThat(writing.bad).isEmpty();
        assertThat(Database.rows(
                                url,
                                "select id, cast(day as varchar(40)), cast(local as varchar(40)), cast(point as varchar(40))"
                                        + " from times order by id")
                        .stream()
                        .map(row -> row.replace('T', ' ').replaceAll("(\\d\\d:\\d\\d)(:00)?Z?(?=,|$)", "$1"))
                        .toList())
                .containsExactly(
                        "1,2011-12-30,2011-12-30 12:00,2011-12-30 12:00",
                        "2,2011-12-31,2011-12-31 12:00,2011-12-31 12:00",
                        "3,2018-11-04,2018-11-04 00:30,2018-11-04 00:30",
                        "4,2024-03-10,2024-03-10 02:30,2024-03-10 02:30");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An attempt of a task that stood still, was replaced by another one, and goes on. */
@Timeout(900)
@Tag("integration")
final class JdbcFencedTest {
    record Stock(String id, int count) {}

    private static final String FENCES = "select writer from thalweg_checkpoints";

    @TempDir
    Path folder;

    private String url = "";

    private void in(Database database) throws Exception {
        url = database.url(folder);
        Database.execute(url, "create table stock (id varchar(3) primary key, count integer not null)");
    }

    private SinkWriter<Stock> open(String run, int task, int tasks, Guarantee guarantee, long checkpoint)
            throws Exception {
        return Jdbc.upsert(url, "stock", Stock.class)
                .key("id")
                .batch(1)
                .idempotent()
                .fenced()
                .open(new SinkContext("job", "out", task, tasks, System.out, null, guarantee, checkpoint, run));
    }

    private SinkWriter<Stock> open(String run, int task, int tasks) throws Exception {
        return open(run, task, tasks, Guarantee.AT_LEAST_ONCE, 3);
    }

    private static void shouldBeKeptOut(SinkWriter<Stock> former, int task) {
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> former.write(new Stock("a", 0)))
                .withMessageStartingWith(
                        "another attempt of the job has taken over task " + task + " of the sink job/out/stock of ")
                .withMessageEndingWith("; this one must not write to it any more");
    }

    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldKeepOutAnAttemptThatWasReplaced(Database database) throws Exception {
        in(database);
        SinkWriter<Stock> former = open("run", 0, 2);
        SinkWriter<Stock> beside = open("run", 1, 2, Guarantee.EXACTLY_ONCE, 0);
        former.write(new Stock("a", 1));
        SinkWriter<Stock> next = open("run", 0, 2);
        next.write(new Stock("a", 2));

        shouldBeKeptOut(former, 0);
        shouldBeKeptOut(former, 0);
        former.close();
        beside.write(new Stock("b", 1));
        next.write(new Stock("c", 1));

        assertThat(Database.rows(url, "select id, count from stock order by id"))
                .containsExactly("a,2", "b,1", "c,1");
        for (SinkWriter<Stock> each : List.of(next, beside)) {
            each.finish();
            each.close();
        }
        assertThat(Database.rows(url, FENCES)).isEmpty();
    }

    /** There is none of its number that could have replaced it. */
    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldKeepOutATask_whereThereAreFewerNow(Database database) throws Exception {
        in(database);
        SinkWriter<Stock> former = open("run", 1, 2);
        SinkWriter<Stock> next = open("run", 0, 1);
        shouldBeKeptOut(former, 1);
        former.close();
        next.close();
        assertThat(Database.rows(url, "select id from stock")).isEmpty();
    }

    /** As jobs that fill one table for different days. */
    @ParameterizedTest
    @EnumSource(Database.class)
    void shouldKeepOutNoOtherRun_andAskNobodyInAJobWithoutCheckpoints(Database database) throws Exception {
        in(database);
        SinkWriter<Stock> alone = open("alone", 0, 1, Guarantee.NONE, SinkContext.NO_CHECKPOINTS);
        alone.write(new Stock("a", 1));
        alone.close();
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> Database.rows(url, FENCES));

        SinkWriter<Stock> one = open("one", 0, 1);
        SinkWriter<Stock> other = open("other", 0, 1);
        one.write(new Stock("b", 1));
        other.write(new Stock("c", 1));
        one.close();
        other.close();
        assertThat(Database.rows(url, "select id from stock order by id")).containsExactly("a", "b", "c");
    }
}

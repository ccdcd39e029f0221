// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lookups in each database, on the embedded engine. */
@Timeout(900)
final class JdbcLookupTest {
    record Order(long number, @Nullable String user) {}

    record User(String name, @Nullable Integer age) {}

    @TempDir
    Path folder;

    private String users(Database database) throws Exception {
        String url = database.url(folder);
        Database.execute(
                url,
                "create table users (id varchar(10), name varchar(10), age integer)",
                "insert into users values ('u1', 'One', 30), ('u2', 'Two', null), ('u3', 'a', 1), ('u3', 'b', 2)");
        return url;
    }

    private static String joined(Order order, @Nullable User user) {
        return order.number() + " " + (user == null ? "-" : user.name() + " " + user.age());
    }

    private static List<String> run(JdbcLookup<User> lookup, List<Order> orders) throws Exception {
        CollectSink<String> sink = CollectSink.of(String.class);
        Topology topology = Topology.named("orders");
        // region lookup
        topology.from(Sources.of(Type.of(Order.class), orders))
                .async()
                .cache(Order::user, 10_000, Duration.ofMinutes(5))
                .joinWith(lookup.by(Order::user), JdbcLookupTest::joined)
                .to(sink);
        // endregion
        new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();
        return sink.records();
    }

    @ParameterizedTest
    @EnumSource
    void shouldJoinEachRecordWithItsRow(Database database) throws Exception {
        String url = users(database);
        List<Order> orders = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            orders.add(new Order(i, i % 4 == 3 ? null : "u" + i % 4));
            expected.add(i + List.of(" -", " One 30", " Two null", " -").get(i % 4));
        }
        JdbcLookup<User> lookup = Jdbc.lookup(url, "select name, age from users where id = ?", User.class);
        assertThat(run(lookup, orders)).isEqualTo(expected);
    }

    @Test
    void shouldSayInOneLineWhatIsWrong() throws Exception {
        String url = users(Database.SQLITE);
        List<Order> orders = List.of(new Order(1, "u3"));
        String where = " from users where id = ?";
        assertThatThrownBy(() -> run(Jdbc.lookup(url, "select name, age" + where, User.class), orders))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("found more than one row for [u3]");
        assertThatThrownBy(() -> run(Jdbc.lookup(url, "select name" + where, User.class), orders))
                .hasMessageContaining("gives no column age");
        assertThatThrownBy(() -> run(Jdbc.lookup(url, "select nam" + where, User.class), orders))
                .hasMessageContaining("no such column: nam");
    }

    record Named(String userName, int age) {}

    private static List<String> named(String url, String columns) throws Exception {
        CollectSink<String> sink = CollectSink.of(String.class);
        Topology topology = Topology.named("orders");
        JdbcLookup<Named> lookup = Jdbc.lookup(url, "select " + columns + " from users where id = ?", Named.class);
        topology.from(Sources.of(Type.of(Order.class), List.of(new Order(1, "u1"))))
                .async()
                .joinWith(lookup.by(Order::user), (order, user) -> user.userName() + " " + user.age())
                .to(sink);
        new EmbeddedRunner(RunSettings.defaults()).start(topology.graph()).await();
        return sink.records();
    }

    /** As a join of two tables with a column of the same name gives them. */
    @ParameterizedTest
    @EnumSource
    void shouldNotChooseBetweenTwoColumns(Database database) throws Exception {
        String url = users(database);
        assertThatThrownBy(() -> named(url, "name as user_name, 1 as age, 2 as age"))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("gives two columns for age: age and age, columns 2 and 3;"
                        + " name one of them otherwise, with AS")
                .message()
                .doesNotContain("\n");
        assertThatThrownBy(() -> named(url, "name as user_name, age, 'x' as username_"))
                .hasMessageContaining("gives two columns for userName: user_name and username_");
        assertThat(named(url, "'x' as user_name, name as \"userName\", 2 as \"Age\", age"))
                .containsExactly("One 30");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.BroadcastState;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.operator.OperatorContext;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a lookup does with its connections when it is ended, or a request is late. */
@Timeout(900)
final class JdbcLookupConnectionsTest {
    record Found(int number) {}

    /** Takes as long as somebody holds the lock. */
    private static final String SLOW = "select 1 as number from pg_advisory_lock(1) where ? = 1";

    private static final String OTHERS = "pid <> pg_backend_pid() and datname = current_database()";

    @TempDir
    Path folder;

    private static AsyncOperator<Integer, Found> open(JdbcLookup<Found> lookup) throws Exception {
        AsyncOperator<Integer, Found> operator = lookup.by((Integer id) -> id).get();
        operator.open(new LookupContext());
        return operator;
    }

    /** A connection that holds the lock until it is closed. */
    private static Connection lock(String url) throws SQLException {
        Connection holder = DriverManager.getConnection(url);
        try (Statement statement = holder.createStatement()) {
            statement.execute("select pg_advisory_lock(1)");
        }
        return holder;
    }

    private static void awaitRunning(String url) throws Exception {
        await(url, "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and " + OTHERS, "1");
    }

    private static void await(String url, String query, String expected) throws SQLException, InterruptedException {
        while (!Database.rows(url, query).equals(List.of(expected))) {
            new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
        }
    }

    /** A job that begins again and again in the same process would use up all connections. */
    @Test
    void shouldCloseAConnectionThatIsInUse_whenItIsFree() throws Exception {
        String url = Database.POSTGRESQL.url(folder);
        Connection holder = lock(url);
        AsyncOperator<Integer, Found> lookup = open(Jdbc.lookup(url, SLOW, Found.class));
        CompletableFuture<? extends Found> asked = lookup.apply(1).toCompletableFuture();
        awaitRunning(url);
        lookup.close();
        holder.close();
        asked.handle((found, thrown) -> true).join();
        await(url, "select count(*) from pg_stat_activity where " + OTHERS, "0");
    }

    /** PostgreSQL's driver connects to cancel a query, and waits for the server: the thread of a task has no time for that. */
    @Test
    void shouldNotWaitForAServer_toCancelAQuery() throws Exception {
        String url = Database.POSTGRESQL.url(folder);
        Connection holder = lock(url);
        try (Forwarder forwarder = Forwarder.to(url)) {
            String through = forwarder.through(url);
            AsyncOperator<Integer, Found> lookup =
                    open(Jdbc.lookup(through, SLOW, Found.class).set("cancelSignalTimeout", "0"));
            CompletableFuture<? extends Found> asked = lookup.apply(1).toCompletableFuture();
            awaitRunning(url);
            forwarder.freeze();
            assertThat(asked.cancel(true)).isTrue();
            lookup.close();
        }
        holder.close();
    }

    /** SQLite's driver interrupts what the connection runs by then. */
    @Test
    void shouldNotUseAConnectionAgain_whileAQueryOfItIsBeingCancelled() throws Exception {
        CountDownLatch cancelling = new CountDownLatch(1);
        AtomicBoolean goneOn = new AtomicBoolean();
        AtomicBoolean tooSoon = new AtomicBoolean();
        LookupOperator.Request<Found> request = new LookupOperator.Request<>(Runnable::run);
        Thread lookup = new Thread(() -> {
            try {
                cancelling.await();
            } catch (InterruptedException e) {
                return;
            }
            request.runs(null);
            goneOn.set(true);
        });
        PreparedStatement statement = (PreparedStatement) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PreparedStatement.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("cancel");
                    cancelling.countDown();
                    while (lookup.isAlive() && lookup.getState() != Thread.State.BLOCKED) {
                        Thread.onSpinWait();
                    }
                    tooSoon.set(goneOn.get());
                    return null;
                });
        request.runs(statement);
        lookup.start();

        assertThat(request.cancel(true)).isTrue();

        lookup.join();
        assertThat(goneOn).isTrue();
        assertThat(tooSoon).isFalse();
    }

    /** A server that hangs may take minutes in each try, and only the pauses counted. */
    @Test
    void shouldCountHowLongEachTryTakes() throws Exception {
        String url = Database.SQLITE.url(folder);
        Database.execute(url, "create table stock (number integer)");
        JdbcLookup<Found> lookup = Jdbc.lookup(url, "select number from stock where number = ?", Found.class)
                .set("busy_timeout", "1");
        try (Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            statement.execute("begin exclusive");
            assertThatThrownBy(() -> open(lookup))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining(": tried 3 times within 60 s (patience): ");
            statement.execute("commit");
        }
    }

    private static final class LookupContext implements OperatorContext {
        private final AtomicLong nowNs = new AtomicLong();

        /** Each look at the clock takes a good part of a lookup's patience. */
        @Override
        public ConnectionReports connections() {
            return new ConnectionReports() {
                @Override
                public void lost(String system, String reason) {
                    // nobody asks
                }

                @Override
                public void restored(String system) {
                    // nobody asks
                }

                @Override
                public long nowNs() {
                    return nowNs.addAndGet(Duration.ofSeconds(25).toNanos());
                }
            };
        }

        @Override
        public String operator() {
            return "lookup";
        }

        @Override
        public int task() {
            return 0;
        }

        @Override
        public int parallelism() {
            return 1;
        }

        @Override
        public long eventTime() {
            return NO_TIME;
        }

        @Override
        public long stamp() {
            return NO_TIME;
        }

        @Override
        public long watermark() {
            return NO_TIME;
        }

        @Override
        public void countLate() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void countBad(BadRecordException bad) {
            throw bad;
        }

        @Override
        public <F, V> BroadcastState<F, V> broadcastState(String name, Type<F> field, Type<V> value) {
            throw new UnsupportedOperationException();
        }
    }
}

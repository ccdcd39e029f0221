// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.Secret;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.OperatorSupplier;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * Looks up the row for a record in a database, for {@link io.thalweg.api.topology.Stream#async}. Each task has a few
 * connections of its own, each with a thread. Immutable: each method returns another lookup. Made by {@link
 * Jdbc#lookup}.
 *
 * <pre>{@code
 * orders.async()
 *         .cache(Order::user, 10_000, Duration.ofMinutes(5))
 *         .joinWith(Jdbc.lookup(url, "select name from users where id = ?", User.class).by(Order::user), Job::withUser)
 * }</pre>
 *
 * <p>If there is no row for a record, or a parameter is null, the result is null: {@code map} and {@code process} emit
 * nothing, the function of a join receives null. More than one row is a failure.
 *
 * @param <R> what a row becomes
 */
public final class JdbcLookup<R> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Connecting connecting;
    private final String sql;
    private final Class<R> type;
    private final int connections;

    private JdbcLookup(Connecting connecting, String sql, Class<R> type, int connections) {
        this.connecting = connecting;
        this.sql = sql;
        this.type = type;
        this.connections = connections;
    }

    static <R> JdbcLookup<R> of(String url, String sql, Class<R> type) {
        ResultRecord.of(type); // what no row can become is told here
        return new JdbcLookup<>(Connecting.to(url), sql, type, 4);
    }

    private JdbcLookup<R> with(Connecting other) {
        return new JdbcLookup<>(other, sql, type, connections);
    }

    /** Sets the database user. */
    public JdbcLookup<R> user(String name) {
        return with(connecting.withUser(name));
    }

    /** Sets the password, which appears in no plan or message. */
    public JdbcLookup<R> password(Secret secret) {
        return with(connecting.withPassword(secret));
    }

    /** Sets a property of the driver, such as {@code sslmode}. */
    public JdbcLookup<R> set(String name, String value) {
        return with(connecting.with(name, value));
    }

    /**
     * Sets how long a lookup retries while the database is unreachable; one minute by default. The timeout of the
     * stream's lookup may be shorter.
     */
    public JdbcLookup<R> patience(Duration atMost) {
        return with(connecting.withPatience(atMost));
    }

    /** Sets the number of connections of each task; 4 by default. */
    public JdbcLookup<R> connections(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("a lookup needs at least 1 connection, not " + number);
        }
        return new JdbcLookup<>(connecting, sql, type, number);
    }

    /** Sets the parameter of a query with one question mark. */
    public <T> OperatorSupplier<AsyncOperator<T, R>> by(NullableFunction<? super T, ?> parameter) {
        List<NullableFunction<? super T, ?>> one = List.of(parameter);
        return () -> new LookupOperator<>(connecting, sql, type, connections, one);
    }

    /** Sets the parameters of a query with two question marks, in their order. */
    public <T> OperatorSupplier<AsyncOperator<T, R>> by(
            NullableFunction<? super T, ?> first, NullableFunction<? super T, ?> second) {
        List<NullableFunction<? super T, ?>> two = List.of(first, second);
        return () -> new LookupOperator<>(connecting, sql, type, connections, two);
    }
}

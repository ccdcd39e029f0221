// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.OperatorSupplier;
import java.io.Serializable;
import java.time.Duration;

/**
 * Asks a service for what belongs to a record, for {@link io.thalweg.api.topology.Stream#async}. Immutable: each method returns another
 * lookup. Made by {@link Http#lookup}.
 *
 * <pre>{@code
 * orders.async()
 *         .retry(3, Duration.ofMillis(100))
 *         .joinWith(Http.lookup(Json.decoder(User.class)).by(order -> users + order.user()), Job::withUser)
 * }</pre>
 *
 * A response with status 404 or 204, and a record whose URL is null, have the result null: {@code map} and {@code process} emit nothing,
 * a join's function gets null. A body that cannot be decoded makes the record a bad one. Any other status, and no response, is a failure:
 * {@code retry} of the stream tries again.
 *
 * @param <R> what a body becomes
 */
public final class HttpLookup<R> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Calling calling;
    private final Decoder<R> decoder;

    private HttpLookup(Calling calling, Decoder<R> decoder) {
        this.calling = calling;
        this.decoder = decoder;
    }

    static <R> HttpLookup<R> of(Decoder<R> decoder) {
        return new HttpLookup<>(Calling.plainly().with(Header.plain("Accept", "application/json")), decoder);
    }

    private HttpLookup<R> with(Calling other) {
        return new HttpLookup<>(other, decoder);
    }

    /** As {@link HttpSink#header(String, String)}; Accept is {@code application/json} unless told. */
    public HttpLookup<R> header(String name, String value) {
        return with(calling.with(Header.plain(name, value)));
    }

    /** As {@link HttpSink#header(String, Secret)}. */
    public HttpLookup<R> header(String name, Secret value) {
        return with(calling.with(Header.secret(name, "", value)));
    }

    /** {@code Authorization: Bearer …}. The token is read when a task opens. */
    public HttpLookup<R> bearer(Secret token) {
        return with(calling.with(Header.secret("Authorization", "Bearer ", token)));
    }

    /** {@code Authorization: Basic …}. */
    public HttpLookup<R> basic(String user, Secret password) {
        return with(calling.with(Header.basic(user, password)));
    }

    /** How long a connection may take; 10 seconds unless told. The whole lookup has the timeout of the stream. */
    public HttpLookup<R> connectTimeout(Duration atMost) {
        return with(calling.withConnectTimeout(atMost));
    }

    /** @param url of a record; encode what you put into it */
    public <T> OperatorSupplier<AsyncOperator<T, R>> by(NullableFunction<? super T, String> url) {
        return () -> new LookupOperator<>(calling, decoder, url);
    }
}

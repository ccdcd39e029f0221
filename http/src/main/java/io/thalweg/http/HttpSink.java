// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.operator.NullableFunction;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends records to an HTTP service, several in a request. All that came before a checkpoint was answered with a status of 2xx, or is
 * a dead letter, before the checkpoint is complete; after a failure some are sent again. Each request has an {@code Idempotency-Key},
 * the same whenever it is tried again. Immutable: each method returns another sink. Made by {@link Http}.
 *
 * @param <T> records
 */
public final class HttpSink<T> implements Sink<T> {
    private static final long serialVersionUID = 1L;

    /** What the user has said of records that come twice. */
    private enum Twice {
        UNSAID,
        HARMLESS,
        DEDUPLICATED
    }

    private final Service service;
    private final Encoder<T> encoder;
    private final Batching batching;
    private final @Nullable NullableFunction<? super T, String> keys;
    private final Twice twice;

    private HttpSink(
            Service service,
            Encoder<T> encoder,
            Batching batching,
            @Nullable NullableFunction<? super T, String> keys,
            Twice twice) {
        this.service = service;
        this.encoder = encoder;
        this.batching = batching;
        this.keys = keys;
        this.twice = twice;
    }

    static <T> HttpSink<T> of(String url, Encoder<T> encoder) {
        return new HttpSink<>(Service.at(url), encoder, Batching.arrays(), null, Twice.UNSAID);
    }

    Service service() {
        return service;
    }

    /** A service would take the records of a request for the one whose key it has. */
    private static IllegalStateException linesWithKeys() {
        return new IllegalStateException(
                "lines() sends several records in a request, and key(…) each in one of its own:"
                        + " leave lines() out; or leave key(…) out, and add deduplicated() if the service knows requests again");
    }

    private HttpSink<T> with(Service other) {
        return new HttpSink<>(other, encoder, batching, keys, twice);
    }

    private HttpSink<T> with(Calling calling) {
        return with(service.with(calling));
    }

    private HttpSink<T> with(Batching other) {
        return new HttpSink<>(service, encoder, other, keys, twice);
    }

    private HttpSink<T> with(Twice other) {
        return new HttpSink<>(service, encoder, batching, keys, other);
    }

    /** POST unless told; PUT and PATCH are the others. */
    public HttpSink<T> method(String name) {
        return with(service.withMethod(name));
    }

    /**
     * A header of each request. Content-Type is {@code application/json} unless told, and {@code application/x-ndjson} for lines.
     *
     * @throws IllegalArgumentException for one that the sink sets itself, or that is to be a {@link Secret}
     */
    public HttpSink<T> header(String name, String value) {
        return with(service.calling().with(Header.plain(name, value)));
    }

    /** A header of each request whose value appears in no plan, message or log. */
    public HttpSink<T> header(String name, Secret value) {
        return with(service.calling().with(Header.secret(name, "", value)));
    }

    /** {@code Authorization: Bearer …}. The token is read when a task opens. */
    public HttpSink<T> bearer(Secret token) {
        return with(service.calling().with(Header.secret("Authorization", "Bearer ", token)));
    }

    /** {@code Authorization: Basic …}. */
    public HttpSink<T> basic(String user, Secret password) {
        return with(service.calling().with(Header.basic(user, password)));
    }

    /**
     * A request's body has a record on each line, such as JSON lines, instead of a JSON array. A record that holds a line feed is bad.
     *
     * @throws IllegalStateException with {@link #key}
     */
    public HttpSink<T> lines() {
        if (keys != null) {
            throw linesWithKeys();
        }
        return with(batching.as(BodyFormat.LINES));
    }

    /** One record in each request, whose body is what the encoder makes of it. */
    public HttpSink<T> single() {
        return with(batching.as(BodyFormat.SINGLE));
    }

    /** Compresses the bodies. The service must know that. */
    public HttpSink<T> gzip() {
        return with(service.gzipped());
    }

    /** Records in a request, at most; 500 unless told. */
    public HttpSink<T> batch(int records) {
        return with(batching.withRecords(records));
    }

    /** Bytes of a request's body before compression, at most; 1 MiB unless told. A larger record goes alone. */
    public HttpSink<T> batchBytes(int bytes) {
        return with(batching.withBytes(bytes));
    }

    /** How long a record waits for others, at most; a second unless told. With {@link #deduplicated} it waits for the checkpoint. */
    public HttpSink<T> flushInterval(Duration atMost) {
        return with(batching.withFlushInterval(atMost));
    }

    /**
     * Requests of a task that are under way at once; 1 unless told, which keeps the order of a task's records. A request that had
     * no response in time may still arrive after it was tried again, and after those that follow: then the order holds only for a
     * service that knows the {@code Idempotency-Key} ({@link #deduplicated}, {@link #key}).
     */
    public HttpSink<T> inFlight(int requests) {
        return with(batching.withInFlight(requests));
    }

    /** How long a connection may take; 10 seconds unless told. */
    public HttpSink<T> connectTimeout(Duration atMost) {
        return with(service.calling().withConnectTimeout(atMost));
    }

    /** How long a request may take, from the connection to the end of the response; 30 seconds unless told. Then it is tried again. */
    public HttpSink<T> requestTimeout(Duration atMost) {
        return with(service.calling().withRequestTimeout(atMost));
    }

    /** How long a request is tried again before the job fails; a minute unless told. */
    public HttpSink<T> patience(Duration atMost) {
        return with(service.withPatience(atMost));
    }

    /**
     * Statuses with which the service refuses a record, beside 400, 413 and 422: the batch is divided until the bad record is
     * found, which becomes a dead letter. The service must have stored nothing of a request that it refuses. For 401, 403, 404, 405, 407,
     * 410 and 415 the job would fail, and 409 is tried again.
     *
     * @param statuses from 400 to 499
     */
    public HttpSink<T> refusedWith(int... statuses) {
        return with(service.withRefusals(Arrays.stream(statuses).boxed().collect(Collectors.toSet())));
    }

    /**
     * The {@code Idempotency-Key} of each record, which is sent in a request of its own: for services that know a record again by its
     * key. Then a job may be exactly-once. A record whose key is null, or not visible ASCII, is bad.
     *
     * @param function gives the same for the same record whenever it comes
     * @throws IllegalStateException with {@link #lines}
     */
    public HttpSink<T> key(NullableFunction<? super T, String> function) {
        if (batching.format() == BodyFormat.LINES) {
            throw linesWithKeys();
        }
        return new HttpSink<>(service, encoder, batching.as(BodyFormat.SINGLE), function, twice);
    }

    /**
     * The service does nothing for a request whose {@code Idempotency-Key} it has seen, and answers as it did before. Then a job may be
     * exactly-once: batches are held until the checkpoint is complete, which holds them, too, and whoever sends them again after a
     * failure does so with the same bytes and keys.
     */
    public HttpSink<T> deduplicated() {
        return with(Twice.DEDUPLICATED);
    }

    /** Records are sent as they come, and some twice after a failure, even if the job promises more. */
    public HttpSink<T> atLeastOnce() {
        return with(Twice.HARMLESS);
    }

    /** Without the server: a job may go on from its checkpoint when it has another name. */
    @Override
    public String name() {
        String path = service.uri().getRawPath();
        return "HTTP " + service.method() + " " + (path == null || path.isEmpty() ? "/" : path);
    }

    @Override
    public String describe() {
        return service + " in " + batching.format().words() + (service.gzip() ? ", gzip" : "");
    }

    /** Where records are confirmed one by one, each is answered before {@link SinkWriter#write} returns. */
    @Override
    public boolean immediate() {
        return true;
    }

    @Override
    public boolean blocking() {
        return true;
    }

    @Override
    public SinkWriter<T> open(SinkContext context) {
        return open(context, Pause.REAL, new Random());
    }

    SinkWriter<T> open(SinkContext context, Pause pause, Random random) {
        boolean exactly = context.guarantee() == Guarantee.EXACTLY_ONCE && keys == null && twice != Twice.HARMLESS;
        if (exactly && twice == Twice.UNSAID) {
            throw new ConnectorException(
                    service + " cannot be sent exactly once: a service may get a request twice. If it knows requests"
                            + " again by their Idempotency-Key, add .deduplicated(); if it knows records again, add .key(…);"
                            + " if records that come twice do no harm, add .atLeastOnce()");
        }
        Requests<T> requests = new Requests<>(encoder.open(), keys, batching.format() == BodyFormat.LINES);
        RequestsInFlight sending = new RequestsInFlight(
                context.operator() + " " + context.task(),
                batching.inFlight(),
                context.reports(),
                bad -> new Delivery(
                        service,
                        new Backoff(random),
                        pause,
                        context.reports()::nowNs,
                        bad,
                        context.reports().connections()));
        boolean holding = exactly && context.checkpoint() != SinkContext.NO_CHECKPOINTS;
        return holding
                ? new HoldingWriter<>(requests, batching, sending, context)
                : new PlainWriter<>(requests, batching, sending, context);
    }
}

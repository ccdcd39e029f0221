// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.connector.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A schema registry with the HTTP API of Confluent's. Each task asks for a schema once, when it meets the first message
 * that has its id. While the registry cannot be reached, or answers with 408, 429 or 5xx, the task waits and asks again,
 * up to {@link #patience}; then the job fails with one line. The JDK's trust store says which certificates are trusted.
 * Immutable: each method returns another one. Made by {@link Schemas#registry}.
 *
 * <pre>{@code
 * Schemas.registry("https://registry.example:8081").basic("etl", Secret.environment("REGISTRY_PASSWORD"))
 * }</pre>
 */
public final class SchemaRegistry extends Schemas {
    private static final long serialVersionUID = 1L;

    private static final Duration LONGEST = Duration.ofDays(1);

    private final String url;

    @SuppressWarnings("serial") // one of the JDK's
    private final List<RegistryHeader> headers;

    private final Duration connectTimeout;
    private final Duration requestTimeout;
    private final Duration patience;

    private SchemaRegistry(
            String url,
            List<RegistryHeader> headers,
            Duration connectTimeout,
            Duration requestTimeout,
            Duration patience) {
        this.url = url;
        this.headers = headers;
        this.connectTimeout = connectTimeout;
        this.requestTimeout = requestTimeout;
        this.patience = patience;
    }

    static SchemaRegistry at(String url) {
        check(url);
        return new SchemaRegistry(
                url.endsWith("/") ? url.substring(0, url.length() - 1) : url,
                List.of(),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(1));
    }

    private static void check(String url) {
        String shown = url.replaceAll("[?#].*", "").replaceAll("//[^/@]*@", "//");
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("the URL " + shown + " cannot be read: " + e.getReason());
        }
        boolean known = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
        if (!known || uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("the URL of a schema registry is http://HOST:PORT or https://HOST:PORT,"
                    + " with a path if it needs one; this one is not: " + shown);
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException("the URL of the schema registry " + uri.getHost()
                    + " holds a user; write .basic(user, Secret.environment(…)) instead");
        }
    }

    private SchemaRegistry with(RegistryHeader header) {
        List<RegistryHeader> all = new ArrayList<>(headers);
        all.removeIf(each -> each.name().equalsIgnoreCase(header.name()));
        all.add(header);
        return new SchemaRegistry(url, List.copyOf(all), connectTimeout, requestTimeout, patience);
    }

    /**
     * A header of each request.
     *
     * @throws IllegalArgumentException for one that cannot be sent, or that is to be a {@link Secret}
     */
    public SchemaRegistry header(String name, String value) {
        return with(RegistryHeader.plain(name, value));
    }

    /** A header of each request whose value appears in no plan, message or log. */
    public SchemaRegistry header(String name, Secret value) {
        return with(RegistryHeader.secret(name, "", value));
    }

    /** {@code Authorization: Bearer …}. The token is read when a task opens. */
    public SchemaRegistry bearer(Secret token) {
        return with(RegistryHeader.secret("Authorization", "Bearer ", token));
    }

    /** {@code Authorization: Basic …}. The password is read when a task opens. */
    public SchemaRegistry basic(String user, Secret password) {
        return with(RegistryHeader.basic(user, password));
    }

    /** Sets how long a connection may take; 10 seconds by default. */
    public SchemaRegistry connectTimeout(Duration atMost) {
        return new SchemaRegistry(url, headers, inRange(atMost), requestTimeout, patience);
    }

    /** Sets how long a request may take, from the connection to the end of the response; 30 seconds by default. */
    public SchemaRegistry requestTimeout(Duration atMost) {
        return new SchemaRegistry(url, headers, connectTimeout, inRange(atMost), patience);
    }

    /**
     * Sets how long the registry is asked again before the job fails, the time that its answers take included; a minute by default, and
     * not at all if zero.
     */
    public SchemaRegistry patience(Duration atMost) {
        if (atMost.isNegative()) {
            throw new IllegalArgumentException("a schema registry cannot be waited for " + atMost);
        }
        return new SchemaRegistry(url, headers, connectTimeout, requestTimeout, atMost);
    }

    private static Duration inRange(Duration atMost) {
        if (atMost.compareTo(Duration.ofMillis(1)) < 0 || atMost.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a timeout is from 1 ms to 1 day, not " + atMost);
        }
        return atMost;
    }

    String url() {
        return url;
    }

    Duration connectTimeout() {
        return connectTimeout;
    }

    long requestTimeoutMs() {
        return requestTimeout.toMillis();
    }

    long patienceMs() {
        return patience.toMillis();
    }

    List<RegistryHeader.Ready> readHeaders() {
        return headers.stream().map(RegistryHeader::read).toList();
    }

    @Override
    SchemaLookup open() {
        return open(Pause.REAL, new Random());
    }

    SchemaLookup open(Pause pause, Random random) {
        return new RegistryLookup(new RegistryClient(this, pause, random));
    }
}

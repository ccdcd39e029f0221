// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Secret;
import java.io.Serializable;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A header of each request.
 *
 * @param text all of the value, or what stands before the secret
 * @param user whose password the secret is; null for a secret that is sent as it is
 */
record RegistryHeader(
        String name,
        String text,
        @Nullable Secret secret,
        @Nullable String user) implements Serializable {
    private static final Set<String> SECRET = Set.of("authorization", "proxy-authorization", "cookie");

    static RegistryHeader plain(String name, String value) {
        if (SECRET.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "the header " + name + " is a secret; write .header(\"" + name + "\", Secret.environment(…))");
        }
        check(name, value);
        return new RegistryHeader(name, value, null, null);
    }

    static RegistryHeader secret(String name, String before, Secret secret) {
        check(name, before);
        return new RegistryHeader(name, before, secret, null);
    }

    static RegistryHeader basic(String user, Secret password) {
        if (user.indexOf(':') >= 0) {
            throw new IllegalArgumentException("a user's name in Basic authentication cannot contain a colon: " + user);
        }
        return new RegistryHeader("Authorization", "Basic ", password, user);
    }

    private static void check(String name, String value) {
        try {
            HttpRequest.newBuilder(URI.create("http://localhost")).header(name, value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the header '" + name + "' cannot be sent: " + e.getMessage());
        }
        if (!sendable(value)) {
            throw new IllegalArgumentException("the header '" + name
                    + "' cannot be sent: it has letters that are not ASCII, which would arrive as question marks");
        }
    }

    private static boolean sendable(String value) {
        return value.chars().allMatch(each -> each == '\t' || (each >= ' ' && each <= '~'));
    }

    /**
     * As it is sent.
     *
     * @param hidden no message may contain these
     */
    record Ready(String name, String value, List<String> hidden) {}

    /** @throws ConnectorException if the secret cannot be had, or be sent */
    Ready read() {
        if (secret == null) {
            return new Ready(name, text, List.of());
        }
        String word = secret.read();
        if (user == null) {
            if (!sendable(word)) { // Java's client would say so with all of it
                throw new ConnectorException("the secret for the header " + name + " " + secret
                        + " has a character that cannot be sent in a header: only visible ASCII can");
            }
            return new Ready(name, text + word, List.of(word));
        }
        String both = Base64.getEncoder().encodeToString((user + ":" + word).getBytes(StandardCharsets.UTF_8));
        return new Ready(name, text + both, List.of(word, both));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;

/**
 * HTTP services.
 *
 * <pre>{@code
 * totals.to(Http.post("https://example.com/totals", Json.<Total>encoder())
 *         .bearer(Secret.environment("TOTALS_TOKEN")));
 * }</pre>
 */
public final class Http {
    private Http() {}

    /**
     * Sends records in the bodies of POST requests: as JSON arrays, unless the sink is told otherwise.
     *
     * @param url {@code http://…} or {@code https://…}; what stands behind a question mark appears in no message
     * @param encoder makes the bytes of one record, such as {@code Json.encoder()}
     * @throws IllegalArgumentException if it is no such URL, or holds a user or password
     */
    public static <T> HttpSink<T> post(String url, Encoder<T> encoder) {
        return HttpSink.of(url, encoder);
    }

    /**
     * Asks a service with GET for what belongs to a record; call {@link HttpLookup#by}.
     *
     * @param decoder makes the result of a response's body, such as {@code Json.decoder(User.class)}
     */
    public static <R> HttpLookup<R> lookup(Decoder<R> decoder) {
        return HttpLookup.of(decoder);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a service has said to a request.
 *
 * @param text how its body begins, in one line
 */
record Answer(int status, HttpHeaders headers, String text) {
    /** What is to be done. */
    enum Meaning {
        TAKEN,
        /** The same again has a chance. */
        AGAIN,
        /** Some record is bad, or all together are too many. */
        SPLIT,
        /** All records are bad. */
        REFUSED,
        /** Nothing helps but the user. */
        FATAL
    }

    /** No record can be at fault: authentication, the URL, the method, the type of the body. */
    private static final Set<Integer> OURS = Set.of(401, 403, 404, 405, 407, 410, 415);

    private static final Set<Integer> SPLIT = Set.of(400, 413, 422);

    /** 409 too: a service that knows idempotency keys says it while it is still at the first request with this key. */
    private static final Set<Integer> AGAIN = Set.of(408, 409, 425, 429);

    private static final int LONGEST_TEXT = 200;
    private static final Duration LONGEST_WAIT = Duration.ofDays(365);

    /** @param sent headers of the request, whose secrets a service may repeat */
    static Answer of(HttpResponse<FirstBytes> response, List<Header.Ready> sent) {
        FirstBytes body = response.body();
        String said = Header.withoutSecrets(sent, new String(body.bytes(), StandardCharsets.UTF_8));
        String text = Calling.withoutParameters(response.uri(), said)
                .replaceAll("[\\p{Cntrl}\\s]+", " ")
                .strip();
        boolean cut = body.cut() || text.length() > LONGEST_TEXT;
        String first = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
        return new Answer(response.statusCode(), response.headers(), cut ? first + "…" : first);
    }

    /** @param refusals of the user's own */
    Meaning meaning(Set<Integer> refusals) {
        if (status >= 200 && status < 300) {
            return Meaning.TAKEN;
        }
        if (refusals.contains(status)) {
            return Meaning.SPLIT;
        }
        if (status >= 500 || AGAIN.contains(status)) {
            return Meaning.AGAIN;
        }
        if (SPLIT.contains(status)) {
            return Meaning.SPLIT;
        }
        return status < 400 || OURS.contains(status) ? Meaning.FATAL : Meaning.REFUSED;
    }

    /** {@code status 422: "name is missing"}. */
    String words() {
        return "status " + status + (text.isEmpty() ? "" : ": " + text);
    }

    /**
     * How long the service asks to be left alone, 0 if it does not say. A date is compared with that of the response, so that the clock
     * here does not matter; without one it says nothing.
     */
    long retryAfterMs() {
        Optional<String> value = headers.firstValue("Retry-After").map(String::strip);
        if (value.isEmpty()) {
            return 0;
        }
        if (value.get().matches("\\d{1,9}")) {
            return Math.min(LONGEST_WAIT.toMillis(), Long.parseLong(value.get()) * 1_000);
        }
        Optional<ZonedDateTime> until = date(value.get());
        Optional<ZonedDateTime> now = headers.firstValue("Date").flatMap(Answer::date);
        if (until.isEmpty() || now.isEmpty()) {
            return 0;
        }
        long ms = Duration.between(now.get(), until.get()).toMillis();
        return Math.max(0, Math.min(LONGEST_WAIT.toMillis(), ms));
    }

    private static Optional<ZonedDateTime> date(String text) {
        try {
            return Optional.of(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}

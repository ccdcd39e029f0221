// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.io.Serializable;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How requests are made.
 *
 * @param requestTimeout from the connection to the last byte of the response
 */
@SuppressWarnings("serial") // the list is one of the JDK's
record Calling(List<Header> headers, Duration connectTimeout, Duration requestTimeout) implements Serializable {
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Duration FOR_EVER = Duration.ofDays(36_500);
    private static final int MOST_PORTS = 65_535;

    /** What is shorter may stand in any text. */
    private static final int SHORTEST_SECRET = 4;

    static Calling plainly() {
        return new Calling(List.of(), Duration.ofSeconds(10), Duration.ofSeconds(30));
    }

    /** In place of another one of the same name. */
    Calling with(Header header) {
        List<Header> all = new ArrayList<>(headers);
        all.removeIf(each -> each.name().equalsIgnoreCase(header.name()));
        all.add(header);
        return new Calling(List.copyOf(all), connectTimeout, requestTimeout);
    }

    Calling withConnectTimeout(Duration atMost) {
        return new Calling(headers, inRange("connection", atMost), requestTimeout);
    }

    Calling withRequestTimeout(Duration atMost) {
        return new Calling(headers, connectTimeout, inRange("response", atMost));
    }

    private static Duration inRange(String what, Duration atMost) {
        if (atMost.compareTo(Duration.ofMillis(1)) < 0 || atMost.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a " + what + " can be waited for from 1 ms to 1 day, not " + atMost);
        }
        return atMost;
    }

    /** Or the longest that can be counted in milliseconds: users say for ever by the longest of all durations. */
    static Duration inMs(Duration atMost) {
        return atMost.compareTo(FOR_EVER) > 0 ? FOR_EVER : atMost;
    }

    /** Redirects are followed by nobody unasked. Over plain HTTP it asks for no other version: not all servers bear that. */
    HttpClient client(boolean tls) {
        return HttpClient.newBuilder()
                .version(tls ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connectTimeout)
                .build();
    }

    List<Header.Ready> read() {
        return headers.stream().map(Header::read).toList();
    }

    /** @throws IllegalArgumentException if it is not one of HTTP, with what is wrong */
    static URI uri(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("the URL " + bare(url) + " cannot be read: " + e.getReason());
        }
        boolean known = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
        if (!known || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "the URL of a service is http://HOST/… or https://HOST/…; this one is not: " + bare(url));
        }
        if (uri.getPort() > MOST_PORTS) {
            throw new IllegalArgumentException("there is no port " + uri.getPort() + ", as in the URL " + bare(url));
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "the URL of " + uri.getHost() + " holds a user; write .basic(user, Secret.environment(…)) instead");
        }
        return uri;
    }

    /** Without what may be secret, also where it cannot be read. */
    private static String bare(String url) {
        return shown(url).replaceAll("(?s)//.*@", "//");
    }

    /** A text in which a service may repeat the URL, without what stands behind the question mark. */
    static String withoutParameters(URI uri, String text) {
        String query = uri.getRawQuery();
        if (query == null || query.isEmpty()) {
            return text;
        }
        String hidden = text.replace(query, "(hidden)");
        for (String each : query.split("&", -1)) {
            String value = each.substring(each.indexOf('=') + 1);
            for (String form : List.of(value, URLDecoder.decode(value, StandardCharsets.UTF_8))) {
                hidden = form.length() < SHORTEST_SECRET ? hidden : hidden.replace(form, "(hidden)");
            }
        }
        return hidden;
    }

    /** Without what may be secret. */
    static String shown(String url) {
        return url.replaceAll("[?#].*", "").replaceAll("//[^/@]*@", "//");
    }

    static String place(URI uri) {
        return shown(uri.toString());
    }

    static boolean tls(URI uri) {
        return "https".equalsIgnoreCase(uri.getScheme());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.server;

import com.sun.net.httpserver.Headers;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides whom a server answers. On loopback, those who ask for it by a loopback name: a page from elsewhere that made its own name
 * lead here (DNS rebinding) sends that name. On any other address, and wherever a token is demanded, those who know it. Pages from
 * elsewhere are refused on both.
 */
final class Visitors {
    private static final Pattern LOOPBACK = Pattern.compile("(?i)(localhost|127\\.[0-9.]+|\\[::1])(:[0-9]+)?");
    private static final Pattern PORT = Pattern.compile(":([0-9]{1,5})$");
    private static final String TOKEN = "token=";
    private static final String BEARER = "Bearer ";

    private final @Nullable String token;
    private final boolean told;
    private final int port;

    /**
     * @param token null if none is demanded, which is for loopback only
     * @param told whether addresses hold it, because nobody can know it otherwise
     */
    Visitors(InetAddress address, int port, @Nullable String token, boolean told) {
        if (token == null && !address.isLoopbackAddress()) {
            throw new IllegalArgumentException("a server that others can reach needs a token");
        }
        this.token = token;
        this.told = told;
        this.port = port;
    }

    /** Why a request is refused; null if it is answered. */
    @Nullable Answer refusal(Headers request, String query) {
        List<String> hosts = request.getOrDefault("Host", List.of());
        String host = hosts.size() == 1 ? hosts.get(0) : "";
        if (hosts.size() > 1
                || (token == null && !hosts.isEmpty() && !LOOPBACK.matcher(host).matches())) {
            return Answer.error(403, "ask for 127.0.0.1 or localhost");
        }
        String origin = request.getFirst("Origin");
        if (origin != null && !origin.equalsIgnoreCase("http://" + host)) {
            return Answer.error(403, "pages from elsewhere are not answered");
        }
        if (token != null && !knowsToken(request, query)) {
            return Answer.error(
                    401,
                    "a token is needed: open the address that the job printed, with ?token=TOKEN if it ends without one, or send Authorization: Bearer TOKEN");
        }
        return null;
    }

    private boolean knowsToken(Headers request, String query) {
        if (isInQuery(query)) {
            return true;
        }
        String authorization = request.getFirst("Authorization");
        if (authorization != null
                && authorization.startsWith(BEARER)
                && isToken(authorization.substring(BEARER.length()).strip())) {
            return true;
        }
        String cookie = cookieName(request) + "=";
        for (String line : request.getOrDefault("Cookie", List.of())) {
            for (String each : line.split(";")) {
                String stripped = each.strip();
                if (stripped.startsWith(cookie) && isToken(stripped.substring(cookie.length()))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the address itself held the right token. */
    boolean isInQuery(String query) {
        for (String each : query.split("&")) {
            if (each.startsWith(TOKEN) && isToken(each.substring(TOKEN.length()))) {
                return true;
            }
        }
        return false;
    }

    private boolean isToken(String given) {
        String right = token;
        return right != null && areEqual(given, right);
    }

    /** Takes as long for a wrong token as for the right one. */
    static boolean areEqual(String given, String right) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
    }

    /** Keeps the token in the browser, where no script and no page from elsewhere reads it. */
    String cookie(Headers request) {
        return String.format(Locale.ROOT, "%s=%s; Path=/; HttpOnly; SameSite=Lax", cookieName(request), token);
    }

    /**
     * A browser keeps cookies by host, whatever the port, so the name has the port: the one that the browser asks, which behind a
     * tunnel is another than that of this server, and as another page's server may have.
     */
    private String cookieName(Headers request) {
        String host = request.getFirst("Host");
        Matcher asked = PORT.matcher(host == null ? "" : host);
        return "thalweg-" + (asked.find() ? asked.group(1) : port);
    }

    /** What the address of a page ends with. */
    String suffix() {
        return told ? "?" + TOKEN + token : "";
    }
}

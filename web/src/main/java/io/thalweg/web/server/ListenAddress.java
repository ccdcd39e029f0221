// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a server listens.
 *
 * @param host a name or an address; {@value #LOOPBACK} unless another was given
 * @param port 0 for a free one
 */
public record ListenAddress(String host, int port) {
    /** The host that only programs of this machine reach. */
    public static final String LOOPBACK = "127.0.0.1";

    private static final int GREATEST_PORT = 65_535;
    private static final Pattern FORM = Pattern.compile("(?:(\\[[0-9A-Fa-f:.]+]|[0-9A-Za-z._-]+):)?([0-9]{1,9})");

    /**
     * Reads {@code [HOST:]PORT}.
     *
     * @param option that it was given to, for the message
     * @throws IllegalArgumentException if it is no such text; the message says what it must be
     */
    public static ListenAddress of(String option, String text) {
        Matcher given = FORM.matcher(text);
        if (!given.matches()) {
            throw new IllegalArgumentException(
                    option + " takes PORT or HOST:PORT, such as 8080 or 0.0.0.0:8080, not '" + text + "'");
        }
        String host = given.group(1) == null ? LOOPBACK : given.group(1);
        return new ListenAddress(host, port(option, Integer.parseInt(given.group(2))));
    }

    /**
     * On loopback.
     *
     * @throws IllegalArgumentException if there is no such port
     */
    public static ListenAddress local(String option, int port) {
        return new ListenAddress(LOOPBACK, port(option, port));
    }

    private static int port(String option, int port) {
        if (port < 0 || port > GREATEST_PORT) {
            throw new IllegalArgumentException(option + " is a port from 0 to " + GREATEST_PORT + ", not " + port);
        }
        return port;
    }

    /**
     * Whether only programs of this machine reach it.
     *
     * @throws UnknownHostException if this machine does not know the host
     */
    public boolean isLoopback() throws UnknownHostException {
        return resolved().isLoopbackAddress();
    }

    /** @throws UnknownHostException if this machine does not know the host */
    InetAddress resolved() throws UnknownHostException {
        return InetAddress.getByName(host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

/** A server's name or address with its port: {@code localhost:9999}, {@code [::1]:9999}. */
record ServerAddress(String host, int port) {
    private static final int HIGHEST_PORT = 65_535;

    static ServerAddress of(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("write an IPv6 address in brackets, [::1]:9999, not '" + text + "'");
        }
        int port = port(text.substring(colon + 1));
        if (host.isBlank() || port < 1 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException("a server is HOST:PORT, such as localhost:9999, not '" + text + "'");
        }
        return new ServerAddress(host, port);
    }

    private static int port(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}

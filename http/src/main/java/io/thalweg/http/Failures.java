// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What it means that a request has no response, in words for the user. */
final class Failures {
    private Failures() {}

    static boolean unknownHost(IOException thrown) {
        return cause(thrown, UnresolvedAddressException.class) != null
                || cause(thrown, UnknownHostException.class) != null;
    }

    /** What nobody but the user can change, whatever is tried. */
    static Optional<String> hopeless(IOException thrown, String host) {
        CertificateException certificate = cause(thrown, CertificateException.class);
        if (certificate != null) {
            return Optional.of("the certificate of " + host + " is not trusted (" + message(certificate)
                    + "); is its issuer in the trust store, javax.net.ssl.trustStore?");
        }
        SSLException ssl = cause(thrown, SSLException.class);
        if (ssl != null && message(ssl).matches("(?i).*unrecognized SSL message.*")) {
            return Optional.of(host + " does not speak TLS there; does the URL begin with http://?");
        }
        return Optional.empty();
    }

    /** In one line. */
    static String reason(IOException thrown, String host) {
        if (unknownHost(thrown)) {
            return "there is no host " + host;
        }
        ConnectException refused = cause(thrown, ConnectException.class);
        if (refused != null && refused.getMessage() == null) {
            return "nobody accepts connections there";
        }
        return message(thrown);
    }

    private static String message(Throwable thrown) {
        String text = thrown.getMessage();
        List<String> lines = text == null
                ? List.of()
                : text.lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .toList();
        return lines.isEmpty() ? thrown.getClass().getSimpleName() : String.join(" ", lines);
    }

    private static <E extends Throwable> @Nullable E cause(Throwable thrown, Class<E> type) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
        }
        return null;
    }
}

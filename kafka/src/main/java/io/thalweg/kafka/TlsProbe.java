// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Finds out whether a broker requires TLS: to a client without TLS it just closes the connection. */
final class TlsProbe {
    private static final int ANSWER_MS = 2_000;

    private TlsProbe() {}

    /** @param servers of which the first is asked */
    static boolean speaksTls(String servers) {
        String first = servers.split(",", 2)[0].strip();
        int colon = first.lastIndexOf(':');
        SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        try (Socket plain = new Socket()) {
            String host = first.substring(0, Math.max(0, colon));
            plain.connect(new InetSocketAddress(host, Integer.parseInt(first.substring(colon + 1))), ANSWER_MS);
            plain.setSoTimeout(ANSWER_MS);
            try (SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, plain.getPort(), true)) {
                socket.startHandshake();
                return true;
            }
        } catch (IOException e) {
            return isAboutCertificate(e);
        } catch (RuntimeException e) {
            return false; // not an address
        }
    }

    /** True if the broker has sent a certificate. */
    private static boolean isAboutCertificate(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }
}

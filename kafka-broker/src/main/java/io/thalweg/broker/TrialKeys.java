// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A new key with a certificate for {@code 127.0.0.1} and {@code localhost} that nobody else trusts, for brokers that require TLS.
 *
 * @param store a key store (PKCS #12), for clients the trust store
 */
public record TrialKeys(Path store, String password) {
    private static final int PASSWORD_BYTES = 24;

    /**
     * Makes a key with the JDK's keytool.
     *
     * @param store a file that does not exist
     */
    public static TrialKeys make(Path store) throws IOException, InterruptedException {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        ProcessBuilder keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "broker",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=broker",
                        "-ext",
                        "san=ip:127.0.0.1,dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass:env",
                        "TRIAL_PASSWORD"))
                .redirectErrorStream(true);
        keytool.environment().put("TRIAL_PASSWORD", password);
        Process process = keytool.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool cannot make a key: " + said.strip());
        }
        return new TrialKeys(store.toAbsolutePath(), password);
    }

    /** Settings of the broker. */
    Map<String, String> broker() {
        return Map.of(
                "ssl.keystore.type",
                "PKCS12",
                "ssl.keystore.location",
                store.toString(),
                "ssl.keystore.password",
                password,
                "ssl.key.password",
                password);
    }

    /** Settings of a client that trusts the broker and logs in with SCRAM. */
    public Map<String, String> client(String user, String userPassword) {
        return Map.of(
                "security.protocol",
                "SASL_SSL",
                "ssl.truststore.type",
                "PKCS12",
                "ssl.truststore.location",
                store.toString(),
                "ssl.truststore.password",
                password,
                "sasl.mechanism",
                "SCRAM-SHA-512",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + user + "\" password=\""
                        + userPassword + "\";");
    }

    /** Without the password. */
    @Override
    public String toString() {
        return store.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.run.CacheFolder;
import io.thalweg.run.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The TLS key of a cluster that Thalweg started. Its processes and clients trust the certificate of this key and no
 * other, so the handshake keeps out other users of this machine and web pages in a browser. The key is in a folder that
 * only its owner can read.
 *
 * @param store a key store (PKCS #12), also the trust store
 */
public record ClusterKeys(Path store, String password) {
    private static final String STORE = "keys.p12";
    private static final String CONNECTION = "connection.properties";
    private static final int PASSWORD_BYTES = 24;
    private static final Object MAKING = new Object();
    private static @Nullable ClusterKeys ofThisJvm;

    /**
     * Makes a new key.
     *
     * @param folder that only its owner can read
     */
    public static ClusterKeys make(Path folder) throws IOException, InterruptedException {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        Path store = folder.toAbsolutePath().resolve(STORE);
        Files.deleteIfExists(store);
        ProcessBuilder keytool = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "thalweg",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=thalweg",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-validity",
                "3650",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass:env",
                "THALWEG_STORE_PASSWORD");
        keytool.environment().put("THALWEG_STORE_PASSWORD", password);
        keytool.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = keytool.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool cannot make a key for the cluster: " + said.strip());
        }
        return new ClusterKeys(store, password);
    }

    /** Makes a key for clusters within this JVM; it is deleted when the JVM ends. */
    static ClusterKeys ofThisJvm() throws IOException, InterruptedException {
        synchronized (MAKING) {
            if (ofThisJvm == null) {
                ofThisJvm = make(TemporaryFolder.make("thalweg-flink-").path());
            }
            return ofThisJvm;
        }
    }

    /** The key of this user's trial cluster at this address; null if there is none. */
    static @Nullable ClusterKeys ofTrialCluster(String address) {
        return read(CacheFolder.ofCluster("flink"), address);
    }

    /** @param folder of a cluster that has called {@link #write} */
    static @Nullable ClusterKeys read(Path folder, String address) {
        Properties connection = new Properties();
        try (InputStream in = Files.newInputStream(folder.resolve(CONNECTION))) {
            connection.load(in);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new ConnectorException(
                    "how to connect to the trial cluster cannot be read from " + folder.resolve(CONNECTION) + ": "
                            + e.getMessage(),
                    e);
        }
        String store = connection.getProperty("store");
        String password = connection.getProperty("password");
        boolean same = address.replace("localhost:", "127.0.0.1:").equals(connection.getProperty("address"));
        return same && store != null && password != null ? new ClusterKeys(Path.of(store), password) : null;
    }

    /** Writes where the clients of the cluster at this address find the key. */
    void write(Path folder, String address) throws IOException {
        Properties connection = new Properties();
        connection.setProperty("address", address);
        connection.setProperty("store", store.toString());
        connection.setProperty("password", password);
        try (Writer writer = Files.newBufferedWriter(folder.resolve(CONNECTION))) {
            connection.store(writer, null);
        }
    }

    /** The folder of the key; only its owner can read it. */
    Path folder() {
        return Objects.requireNonNull(store.getParent());
    }

    static void forget(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(CONNECTION));
        Files.deleteIfExists(folder.resolve(STORE));
    }

    /**
     * Flink's options, for processes and clients alike: the REST endpoint, RPC, blob server and data exchange require
     * the key.
     */
    public Map<String, String> options() {
        Map<String, String> options = new TreeMap<>();
        for (String part : new String[] {"rest", "internal"}) {
            String prefix = "security.ssl." + part + ".";
            options.put(prefix + "enabled", "true");
            options.put(prefix + "keystore", store.toString());
            options.put(prefix + "keystore-password", password);
            options.put(prefix + "key-password", password);
            options.put(prefix + "keystore-type", "PKCS12");
            options.put(prefix + "truststore", store.toString());
            options.put(prefix + "truststore-password", password);
            options.put(prefix + "truststore-type", "PKCS12");
        }
        options.put("security.ssl.rest.authentication-enabled", "true");
        options.put("security.ssl.protocol", "TLSv1.3");
        options.put("security.ssl.algorithms", "TLS_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384");
        options.put("web.access-control-allow-origin", "none"); // no page has this origin
        return options;
    }

    /** A client that the REST endpoint accepts. */
    public HttpClient.Builder client() {
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password.toCharArray());
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(keys, password.toCharArray());
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(keys);
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
            return HttpClient.newBuilder().sslContext(context);
        } catch (IOException | GeneralSecurityException e) {
            throw new ConnectorException(
                    "the key of the cluster cannot be read from " + store + ": " + e.getMessage(), e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.run.CacheFolder;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Properties;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The key with which this user's trial cluster of Flink answers, as {@code thalweg flink start} has left it. */
final class FlinkKeys {
    private static final String CONNECTION = "connection.properties";

    private FlinkKeys() {}

    /**
     * Has a client use the key, if the trial cluster is the one at this address.
     *
     * @param folder of the trial cluster
     * @return false if it is not, and the client is as before
     */
    static boolean use(HttpClient.Builder client, Path folder, String address) {
        Path file = folder.resolve(CONNECTION);
        if (!Files.exists(file)) {
            return false;
        }
        try {
            Properties connection = new Properties();
            try (InputStream in = Files.newInputStream(file)) {
                connection.load(in);
            }
            String store = connection.getProperty("store");
            String password = connection.getProperty("password");
            boolean same = address.replace("localhost:", "127.0.0.1:").equals(connection.getProperty("address"));
            if (!same || store == null || password == null) {
                return false;
            }
            client.sslContext(context(Path.of(store), password.toCharArray()));
            return true;
        } catch (IOException | GeneralSecurityException e) {
            throw new ConnectorException(
                    "the key of the trial cluster cannot be read from " + folder + ": " + e.getMessage(), e);
        }
    }

    /** The folder of the trial cluster of this user. */
    static Path folder() {
        return CacheFolder.ofCluster("flink");
    }

    private static SSLContext context(Path store, char[] password) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, password);
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, password);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }
}

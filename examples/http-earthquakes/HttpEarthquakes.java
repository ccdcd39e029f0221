// SPDX-License-Identifier: Apache-2.0
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.thalweg.api.connector.Secret;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.files.Json;
import io.thalweg.files.JsonLines;
import io.thalweg.http.Http;
import io.thalweg.http.HttpSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Strong earthquakes to a web service, several in a request.
 *
 * <p>Settings: {@code url=URL} of the service, without which the job starts one of its own that prints what it receives; its token is
 * taken from the environment, {@code ALERTS_TOKEN}; {@code mag=NUMBER} is the least magnitude; {@code in=FILE} reads another file.
 */
public final class HttpEarthquakes implements TopologyDefinition {
    record Event(@Nullable Properties properties, String id) {
        boolean atLeast(double magnitude) {
            return properties != null && properties.mag() != null && properties.mag() >= magnitude;
        }

        Alert alert() {
            return new Alert(
                    id, properties == null ? null : properties.mag(), properties == null ? null : properties.place());
        }
    }

    record Properties(@Nullable Double mag, @Nullable String place) {}

    record Alert(String id, @Nullable Double mag, @Nullable String place) {}

    @Override
    public void define(Topology topology, Settings settings) {
        String in = settings.has("in")
                ? settings.text("in", "")
                : settings.file("in", "../earthquakes/earthquakes.jsonl").toString();
        double magnitude = Double.parseDouble(settings.text("mag", "5"));
        String url = settings.has("url") ? settings.text("url", "") : ownService();
        // region job
        HttpSink<Alert> alerts = Http.post(url, Json.<Alert>encoder()).batch(20);
        topology.from(JsonLines.read(in, Event.class))
                .filter(event -> event.atLeast(magnitude))
                .map(Event::alert)
                .to(settings.has("url") ? alerts.bearer(Secret.environment("ALERTS_TOKEN")) : alerts);
        // endregion
    }

    private static String ownService() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", HttpEarthquakes::receive);
            Thread starts = new Thread(server::start);
            starts.setDaemon(true); // and so is the server's own, which must not outlive the job
            starts.start();
            return "http://127.0.0.1:" + server.getAddress().getPort() + "/alerts";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            int alerts = body.split("\"id\":", -1).length - 1;
            System.out.println(
                    "received " + alerts + " alerts, the first of them " + body.substring(1, body.indexOf('}') + 1));
            exchange.sendResponseHeaders(204, -1);
        }
    }
}

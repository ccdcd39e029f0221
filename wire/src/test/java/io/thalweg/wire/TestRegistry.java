// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.thalweg.files.json.JsonReader;
import io.thalweg.files.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A registry in memory, on a free port of 127.0.0.1, with as much of the protocol as is used. */
final class TestRegistry implements AutoCloseable {
    static {
        // Otherwise each response waits for a delayed ACK.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    /** What is registered: its fields as they are answered. */
    private record Entry(int id, String subject, int version, Map<String, JsonValue> fields) {}

    private record Reply(int status, String body) {}

    private final HttpServer server;
    private final List<Entry> entries = new ArrayList<>();
    /** Given before anything else is. */
    private final Queue<Reply> troubles = new ArrayDeque<>();

    private String authorization = "";

    final List<String> requests = new CopyOnWriteArrayList<>();

    TestRegistry() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    synchronized void answerFirst(int status, String body) {
        troubles.add(new Reply(status, body));
    }

    synchronized void requireAuthorization(String header) {
        authorization = header;
    }

    /** The id of a new schema. */
    synchronized int add(String subject, String kind, String schema, String references) {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        fields.put("schema", JsonValue.of(schema));
        if (!kind.equals("AVRO")) {
            fields.put("schemaType", JsonValue.of(kind));
        }
        fields.put("references", json(references));
        return add(subject, fields).id;
    }

    private Entry add(String subject, Map<String, JsonValue> fields) {
        int version = 1
                + (int) entries.stream()
                        .filter(each -> each.subject.equals(subject))
                        .count();
        Entry entry = new Entry(100 + entries.size(), subject, version, fields);
        entries.add(entry);
        return entry;
    }

    synchronized int size() {
        return entries.size();
    }

    private static JsonValue json(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return JsonReader.of(JsonValue.class, 64).read(bytes, 0, bytes.length);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        requests.add(exchange.getRequestMethod() + " " + path);
        String given = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        Reply reply = answer(path, sent, given);
        byte[] bytes = reply.body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private synchronized Reply answer(String path, String sent, String given) {
        Reply trouble = troubles.poll();
        if (trouble != null) {
            return trouble;
        }
        if (!authorization.isEmpty() && !authorization.equals(given)) {
            return new Reply(401, "{\"error_code\":401,\"message\":\"refused: " + given + "\"}");
        }
        String[] parts = path.substring(1).split("/");
        if (path.startsWith("/schemas/ids/")) {
            return found(
                    40403,
                    entries.stream()
                            .filter(each -> each.id == Integer.parseInt(parts[2]))
                            .toList());
        }
        if (path.startsWith("/subjects/") && sent.isEmpty()) {
            List<Entry> versions = entries.stream()
                    .filter(each -> each.subject.equals(parts[1]))
                    .toList();
            boolean latest = parts[3].equals("latest");
            return found(
                    40401,
                    versions.stream()
                            .filter(each -> latest
                                    ? each.version == versions.size()
                                    : each.version == Integer.parseInt(parts[3]))
                            .toList());
        }
        if (path.startsWith("/subjects/")) {
            Map<String, JsonValue> fields = ((JsonValue.Fields) json(sent)).values();
            List<Entry> same = entries.stream()
                    .filter(each -> each.subject.equals(parts[1])
                            && json(schema(each.fields)).equals(json(schema(fields))))
                    .toList();
            if (parts.length == 3 && same.isEmpty()) {
                return found(0, List.of(add(parts[1], fields)));
            }
            return found(40403, same);
        }
        return new Reply(404, "<html>nothing here</html>");
    }

    /** As JSON, so that its layout does not count. */
    private static String schema(Map<String, JsonValue> fields) {
        String text = ((JsonValue.Text) fields.get("schema")).value();
        return text.startsWith("{") ? text : JsonValue.of(text).toString();
    }

    private static Reply found(int code, List<Entry> entries) {
        if (entries.isEmpty()) {
            return new Reply(404, "{\"error_code\":" + code + ",\"message\":\"not found\"}");
        }
        Entry entry = entries.get(0);
        Map<String, JsonValue> fields = new LinkedHashMap<>(entry.fields);
        fields.put("id", JsonValue.of(entry.id));
        fields.put("subject", JsonValue.of(entry.subject));
        fields.put("version", JsonValue.of(entry.version));
        return new Reply(200, new JsonValue.Fields(fields).toString());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

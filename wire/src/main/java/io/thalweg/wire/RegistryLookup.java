// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.files.json.JsonValue;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Schemas of a registry, with those that they refer to. */
final class RegistryLookup implements SchemaLookup {
    /** A registry that is sound has no circles, and few levels. */
    private static final int MOST_LEVELS = 100;

    private final RegistryClient client;

    RegistryLookup(RegistryClient client) {
        this.client = client;
    }

    @Override
    public @Nullable SchemaText byId(int id) throws InterruptedException {
        String path = "/schemas/ids/" + id;
        JsonValue answer = client.get(path);
        return answer == null ? null : schema(path, answer, "schema " + id + " of " + client.url());
    }

    @Override
    public Identified latest(String subject) throws InterruptedException {
        String path = "/subjects/" + escaped(subject) + "/versions/latest";
        JsonValue answer = client.get(path);
        if (answer == null) {
            throw client.failure(path, "has no subject '" + subject + "'");
        }
        int id = id(path, answer);
        return new Identified(id, schema(path, answer, "schema " + id + " of " + client.url()));
    }

    @Override
    public int idOf(String subject, SchemaText schema) throws InterruptedException {
        String path = "/subjects/" + escaped(subject);
        JsonValue answer = client.post(path, body(schema));
        if (answer == null) {
            throw client.failure(
                    path,
                    "has no such schema for the subject '" + subject
                            + "'; register it, say register(), or say latest() to write with the schema that is there");
        }
        return id(path, answer);
    }

    @Override
    public int register(String subject, SchemaText schema) throws InterruptedException {
        String path = "/subjects/" + escaped(subject) + "/versions";
        JsonValue answer = client.post(path, body(schema));
        if (answer == null) {
            throw client.failure(path, "does not know the subject '" + subject + "'");
        }
        return id(path, answer);
    }

    private static JsonValue body(SchemaText schema) {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        fields.put("schema", JsonValue.of(schema.text()));
        if (schema.kind() != SchemaKind.AVRO) { // what it is unless told
            fields.put("schemaType", JsonValue.of(schema.kind().name()));
        }
        return new JsonValue.Fields(fields);
    }

    private SchemaText schema(String path, JsonValue answer, String place) throws InterruptedException {
        Map<String, SchemaText.Import> imports = new LinkedHashMap<>();
        collect(path, answer, imports, 0);
        String kind = answer.field("schemaType")
                .filter(each -> !each.equals(JsonValue.nothing()))
                .map(each -> each instanceof JsonValue.Text text ? text.value() : "")
                .orElse("AVRO");
        return new SchemaText(
                SchemaKind.named(kind), text(path, answer, "schema"), place, List.copyOf(imports.values()));
    }

    /** Those that a schema refers to, each behind those that it refers to itself. */
    private void collect(String path, JsonValue answer, Map<String, SchemaText.Import> imports, int level)
            throws InterruptedException {
        if (level > MOST_LEVELS) {
            throw client.failure(path, "has schemas that refer to each other in a circle");
        }
        if (!(answer.field("references").orElse(JsonValue.nothing()) instanceof JsonValue.Elements references)) {
            return;
        }
        for (JsonValue each : references.values()) {
            String name = text(path, each, "name");
            if (imports.containsKey(name)) {
                continue;
            }
            String there =
                    "/subjects/" + escaped(text(path, each, "subject")) + "/versions/" + whole(path, each, "version");
            JsonValue found = client.get(there);
            if (found == null) {
                throw client.failure(there, "does not have what another schema refers to as '" + name + "'");
            }
            collect(there, found, imports, level + 1);
            imports.put(name, new SchemaText.Import(name, text(there, found, "schema")));
        }
    }

    private int id(String path, JsonValue answer) {
        return Math.toIntExact(whole(path, answer, "id"));
    }

    private long whole(String path, JsonValue answer, String field) {
        if (answer.field(field).orElse(JsonValue.nothing()) instanceof JsonValue.Numeric number) {
            try {
                return Integer.parseInt(number.text());
            } catch (NumberFormatException e) {
                throw malformed(path, field);
            }
        }
        throw malformed(path, field);
    }

    private String text(String path, JsonValue answer, String field) {
        if (answer.field(field).orElse(JsonValue.nothing()) instanceof JsonValue.Text text) {
            return text.value();
        }
        throw malformed(path, field);
    }

    private ConnectorException malformed(String path, String field) {
        return client.failure(path, "answers without a valid '" + field + "'; is the URL the base of its API?");
    }

    private static String escaped(String subject) {
        return URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String toString() {
        return client.url();
    }
}

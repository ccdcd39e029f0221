// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.files.input.ByteInput;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where the schemas of messages come from. Messages have a header of five bytes, a zero and the number (id) of their
 * schema, as the serializers of Confluent's clients write it, unless {@link #plain} is used. Files are read when the job is built, and travel with it to a
 * cluster. Immutable.
 */
public abstract class Schemas implements Serializable {
    private static final long serialVersionUID = 1L;

    /** {@code 7.avsc}, {@code 7-order.avsc}. */
    private static final Pattern NUMBERED = Pattern.compile("([0-9]{1,9})(-.*)?\\.[a-z]+");

    /** Only here. */
    Schemas() {}

    /** For one task. */
    abstract SchemaLookup open();

    /**
     * Messages without a header, which all have the schema of one file.
     *
     * @param file {@code .avsc} for Avro, {@code .proto} for Protobuf
     * @throws ConnectorException if the file cannot be read, or is not a schema
     */
    public static Schemas plain(String file) {
        return new LocalSchemas(Map.of(0, read(Path.of(file), List.of())), false, file);
    }

    /**
     * Schemas by their ids.
     *
     * @param files a file {@code .avsc} or {@code .proto} for each id
     * @throws ConnectorException if a file cannot be read, or is not a schema
     */
    public static Schemas files(Map<Integer, String> files) {
        Map<Integer, SchemaText> schemas = new TreeMap<>();
        files.forEach((id, file) -> schemas.put(id, read(Path.of(file), List.of())));
        return new LocalSchemas(schemas, true, "the files given");
    }

    /**
     * The schemas of a folder: {@code 7.avsc} or {@code 7-order.avsc} has the id 7; likewise {@code .proto}. Other files
     * {@code .avsc} declare named types for all of them; files {@code .proto} are imported by their paths within the folder.
     *
     * @throws ConnectorException if the folder cannot be read, has no schema with an id, two of one id, or a file that is not a schema
     */
    public static Schemas folder(String folder) {
        Path root = Path.of(folder);
        List<SchemaText.Import> shared = CommonTypes.of(root, others(root, SchemaKind.AVRO));
        List<SchemaText.Import> imported = new ArrayList<>();
        for (Path file : files(root, SchemaKind.PROTOBUF)) {
            String name = root.relativize(file).toString().replace('\\', '/');
            imported.add(new SchemaText.Import(name, text(file)));
        }
        Map<Integer, SchemaText> schemas = new TreeMap<>();
        for (SchemaKind kind : List.of(SchemaKind.AVRO, SchemaKind.PROTOBUF)) {
            for (Path file : files(root, kind)) {
                Matcher name = NUMBERED.matcher(String.valueOf(file.getFileName()));
                if (!name.matches()) {
                    continue;
                }
                int id = Integer.parseInt(name.group(1));
                if (schemas.put(id, read(file, kind == SchemaKind.AVRO ? shared : imported)) != null) {
                    throw new ConnectorException("folder " + folder + " has two schemas of id " + id);
                }
            }
        }
        if (schemas.isEmpty()) {
            throw new ConnectorException(
                    "folder " + folder + " has no schema with an id; name them 7.avsc, 7-order.avsc or 7.proto");
        }
        return new LocalSchemas(schemas, true, folder);
    }

    /**
     * A schema registry with the HTTP API of Confluent's.
     *
     * @param url base of its API: {@code http://localhost:8081}
     * @throws IllegalArgumentException if it is no URL of HTTP, or holds a user
     */
    public static SchemaRegistry registry(String url) {
        return SchemaRegistry.at(url);
    }

    private static List<Path> others(Path root, SchemaKind kind) {
        return files(root, kind).stream()
                .filter(file ->
                        !NUMBERED.matcher(String.valueOf(file.getFileName())).matches())
                .toList();
    }

    private static List<Path> files(Path root, SchemaKind kind) {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(file -> file.toString().endsWith("." + kind.ending) && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) { // of a folder within
            throw unreadable(root, Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw unreadable(root, e);
        }
    }

    private static ConnectorException unreadable(Path root, IOException e) {
        String place = e instanceof FileSystemException system && system.getFile() != null
                ? system.getFile()
                : root.toString();
        return new ConnectorException("folder " + root + " cannot be read: " + place + ": " + ByteInput.reason(e), e);
    }

    /** The schema of a file, checked. */
    static SchemaText read(Path file, List<SchemaText.Import> imports) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        SchemaKind kind = name.endsWith(".proto") ? SchemaKind.PROTOBUF : SchemaKind.AVRO;
        SchemaText schema = new SchemaText(kind, text(file), file.toString(), imports);
        try {
            schema.check();
        } catch (InvalidSchemaException e) {
            throw new ConnectorException(String.valueOf(e.getMessage()), e);
        }
        return schema;
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new ConnectorException("schema file " + file + " cannot be read: " + e, e);
        }
    }
}

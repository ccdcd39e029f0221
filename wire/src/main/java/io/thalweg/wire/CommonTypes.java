// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.connector.ConnectorException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Orders files of Avro types so that each refers to earlier ones only. */
final class CommonTypes {
    private CommonTypes() {}

    /** @throws ConnectorException if a file is no schema, whatever comes before it */
    static List<SchemaText.Import> of(Path root, List<Path> files) {
        List<SchemaText.Import> ordered = new ArrayList<>();
        List<Path> left = new ArrayList<>(files);
        while (!left.isEmpty()) {
            InvalidSchemaException last = null;
            int before = ordered.size();
            for (Path file : List.copyOf(left)) {
                SchemaText schema =
                        new SchemaText(SchemaKind.AVRO, Schemas.text(file), file.toString(), List.copyOf(ordered));
                try {
                    schema.avro();
                    ordered.add(new SchemaText.Import(root.relativize(file).toString(), schema.text()));
                    left.remove(file);
                } catch (InvalidSchemaException e) {
                    last = e;
                }
            }
            if (last != null && ordered.size() == before) {
                throw new ConnectorException(String.valueOf(last.getMessage()), last);
            }
        }
        return List.copyOf(ordered);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.wire.SchemaLookup.Identified;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What encoders do when a task opens. */
final class Opening {
    private Opening() {}

    static Identified find(Schemas schemas, WrittenSchema written, SchemaKind kind, @Nullable SchemaText own) {
        try {
            return written.find(schemas.open(), kind, own);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectorException("interrupted while a schema was looked for", e);
        }
    }

    /** What writes with a schema. */
    static <P> P fitting(SchemaText schema, Supplier<P> made) {
        try {
            return made.get();
        } catch (Misfit e) {
            throw new ConnectorException(schema.place() + " does not fit what is written: " + e.describe(), e);
        } catch (InvalidSchemaException e) {
            throw new ConnectorException(String.valueOf(e.getMessage()), e);
        }
    }
}

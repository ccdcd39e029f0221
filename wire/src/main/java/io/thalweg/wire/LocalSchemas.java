// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Schemas that were in files when the job was built. */
final class LocalSchemas extends Schemas {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // one of the JDK's
    private final Map<Integer, SchemaText> schemas;

    private final boolean headers;
    private final String place;

    LocalSchemas(Map<Integer, SchemaText> schemas, boolean headers, String place) {
        this.schemas = schemas;
        this.headers = headers;
        this.place = place;
    }

    @Override
    SchemaLookup open() {
        return new SchemaLookup() {
            @Override
            public boolean headers() {
                return headers;
            }

            @Override
            public @Nullable SchemaText byId(int id) {
                return schemas.get(id);
            }

            @Override
            public String toString() {
                return place;
            }
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import java.util.Map;
import org.apache.avro.Schema;

/** Classes of single values that whole messages may be, such as keys. */
final class Scalars {
    private static final Map<Class<?>, Schema.Type> TYPES = Map.of(
            String.class, Schema.Type.STRING,
            Long.class, Schema.Type.LONG,
            Integer.class, Schema.Type.INT,
            Double.class, Schema.Type.DOUBLE,
            Float.class, Schema.Type.FLOAT,
            Boolean.class, Schema.Type.BOOLEAN,
            byte[].class, Schema.Type.BYTES);

    private Scalars() {}

    static boolean has(Class<?> type) {
        return TYPES.containsKey(type);
    }

    static Schema schema(Class<?> type) {
        Schema.Type stored = TYPES.get(type);
        if (stored == null) {
            throw new IllegalArgumentException("no single value: " + type);
        }
        return Schema.create(stored);
    }
}

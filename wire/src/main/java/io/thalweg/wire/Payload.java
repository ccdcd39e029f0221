// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.files.record.MalformedException;

/** Reads what follows the header of messages of one schema, for one task. */
@FunctionalInterface
interface Payload<T> {
    /** @throws MalformedException if it is not what the schema says, or no record can be made of it */
    T read(byte[] bytes, int from, int to);

    /** Makes payloads; throws what {@link Framed} makes bad records of. */
    @FunctionalInterface
    interface Maker<T> {
        /**
         * @throws MalformedException if no record can be made of messages of this schema
         * @throws InvalidSchemaException if the schema is none
         */
        Payload<T> of(SchemaText schema);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.connector.ConnectorException;
import org.jspecify.annotations.Nullable;

/** Finds schemas for one task. */
interface SchemaLookup {
    /**
     * A schema with its id.
     *
     * @param id 0 for messages without a header
     */
    record Identified(int id, SchemaText schema) {}

    /** False if messages have no header; then there is one schema, whose id is 0. */
    default boolean headers() {
        return true;
    }

    /**
     * The schema of an id.
     *
     * @return null if there is none
     * @throws ConnectorException if nobody can say
     */
    @Nullable SchemaText byId(int id) throws InterruptedException;

    /** The latest schema of a subject. */
    default Identified latest(String subject) throws InterruptedException {
        throw needsRegistry("latest()");
    }

    /** The id of a schema that is registered for a subject. */
    default int idOf(String subject, SchemaText schema) throws InterruptedException {
        throw needsRegistry("subject(…)");
    }

    /** Registers a schema for a subject, unless it is. */
    default int register(String subject, SchemaText schema) throws InterruptedException {
        throw needsRegistry("register()");
    }

    private static ConnectorException needsRegistry(String method) {
        return new ConnectorException(method + " needs a schema registry; with schemas from files, say id(…)");
    }
}

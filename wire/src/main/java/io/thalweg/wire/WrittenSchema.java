// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.wire.SchemaLookup.Identified;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Which schema messages are written with, and how its id is found.
 *
 * @param id -1 if it is not given
 * @param subject empty if it is not given
 * @param given the schema; null for the one of the class
 */
record WrittenSchema(
        int id, String subject, How how, @Nullable SchemaText given) implements Serializable {
    /** How the id of a subject's schema is found. */
    enum How {
        LOOKED_UP,
        LATEST,
        REGISTERED
    }

    static WrittenSchema unsaid() {
        return new WrittenSchema(-1, "", How.LOOKED_UP, null);
    }

    WrittenSchema withId(int other) {
        if (other < 0) {
            throw new IllegalArgumentException("the id of a schema is not negative: " + other);
        }
        return new WrittenSchema(other, subject, how, given);
    }

    WrittenSchema withSubject(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the subject needs a name, such as TOPIC-value");
        }
        return new WrittenSchema(id, name, how, given);
    }

    WrittenSchema found(How other) {
        return new WrittenSchema(id, subject, other, given);
    }

    WrittenSchema withSchema(SchemaText schema) {
        return new WrittenSchema(id, subject, how, schema);
    }

    /**
     * Finds it.
     *
     * @param own the schema of the class; null if it has none
     */
    Identified find(SchemaLookup schemas, SchemaKind kind, @Nullable SchemaText own) throws InterruptedException {
        if (!schemas.headers() || id >= 0) {
            int number = schemas.headers() ? id : 0;
            SchemaText schema = schemas.byId(number);
            if (schema == null) {
                throw new ConnectorException("there is no schema " + number + " at " + schemas);
            }
            return checked(new Identified(number, schema), kind);
        }
        if (subject.isEmpty()) {
            throw new ConnectorException(
                    "messages cannot be written without the id of their schema; say id(…) or subject(…)");
        }
        if (how == How.LATEST) {
            return checked(schemas.latest(subject), kind);
        }
        SchemaText schema = given == null ? own : given;
        if (schema == null) {
            throw new ConnectorException(
                    "no schema is given for subject '" + subject + "'; say schema(FILE), latest() or id(…)");
        }
        int found = how == How.REGISTERED ? schemas.register(subject, schema) : schemas.idOf(subject, schema);
        return new Identified(found, schema);
    }

    private static Identified checked(Identified found, SchemaKind kind) {
        if (found.schema().kind() != kind) {
            throw new ConnectorException(found.schema().place() + " is not of the kind " + kind);
        }
        return found;
    }
}

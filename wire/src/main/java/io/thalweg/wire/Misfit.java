// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.codec.CodecException;
import java.util.function.Supplier;

/** A value, or a type, that does not fit a schema. Its message is the reason. */
final class Misfit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;

    Misfit(String reason) {
        this(reason, "");
    }

    private Misfit(String reason, String path) {
        super(reason, null, false, false);
        this.path = path;
    }

    /** A generated class has something else than the schema that it is written with. */
    static Misfit another(String schema, String own) {
        return new Misfit("the schema has " + schema + ", and the generated class " + own
                + "; write with the schema of the class, or generate the class from this one");
    }

    /** The same, of a field of this name. */
    Misfit in(String field) {
        return new Misfit(String.valueOf(getMessage()), path.isEmpty() ? field : field + "." + path);
    }

    static <T> T within(String field, Supplier<T> made) {
        try {
            return made.get();
        } catch (Misfit e) {
            throw e.in(field);
        }
    }

    /** The same, of an object that goes to another task, or into a checkpoint. */
    CodecException untravelled(Class<?> generated) {
        return new CodecException("a " + generated.getName()
                + " goes to another task or a checkpoint, and cannot be written: " + describe());
    }

    /** With the field that it is about. */
    String describe() {
        return path.isEmpty() ? String.valueOf(getMessage()) : "'" + path + "': " + getMessage();
    }
}

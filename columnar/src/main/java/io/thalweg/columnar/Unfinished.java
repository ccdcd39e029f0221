// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.columnar.Declared.Part;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.files.record.MalformedException;
import io.thalweg.files.record.RecordShape;
import org.jspecify.annotations.Nullable;

/**
 * The record that is being read: the first thing that is wrong with it. What is wrong does not stop the reading, so that the
 * next record begins where it should.
 */
public final class Unfinished {
    /** Elements of lists and entries of maps; a damaged or hostile page of a few bytes can claim billions. */
    private static final int MAX_ELEMENTS = 16 << 20;

    private @Nullable String wrong;
    private int elements;

    public void begin() {
        wrong = null;
        elements = 0;
    }

    /** Null if nothing is wrong. */
    public @Nullable String wrong() {
        return wrong;
    }

    public void refuse(String path, String reason) {
        if (wrong == null) {
            wrong = "'" + path + "': " + reason;
        }
    }

    /** False if the record has too many elements already. */
    public boolean takesElement(String path) {
        if (elements == MAX_ELEMENTS) {
            refuse(path, "the record has more than " + MAX_ELEMENTS + " elements");
            return false;
        }
        elements++;
        return true;
    }

    /** What a component, an element or a map holds for a value that was read. */
    public @Nullable Object hold(Part part, @Nullable Object value, String path) {
        if (value != null) {
            return part.held(value);
        }
        @Nullable Object[] ofNull = part.ofNull();
        if (ofNull == null) {
            refuse(path, "it is null, and may be only if it is declared as @Nullable or Optional");
            return null;
        }
        return ofNull[0];
    }

    /**
     * Makes a record, if nothing is wrong.
     *
     * @param values of the parts, null if there is none; they are changed
     */
    public @Nullable Object make(Struct struct, @Nullable Object[] values, String prefix) {
        for (int i = 0; i < values.length; i++) {
            String path = prefix + struct.shape().names().get(i);
            values[i] = hold(struct.parts().get(i), values[i], path);
        }
        if (wrong != null) {
            return null;
        }
        try {
            return struct.shape().make(values, e -> new MalformedException(refusal(e), 0));
        } catch (MalformedException e) {
            wrong = e.getMessage();
            return null;
        }
    }

    private static String refusal(RuntimeException e) {
        return RecordShape.refusal(e);
    }
}

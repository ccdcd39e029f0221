// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.columnar.Declared.Part;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.files.record.MalformedException;
import io.thalweg.files.record.RecordShape;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is wrong with the record that is being read; the first problem makes the record bad. A problem throws
 * nothing: the
 * rest of the record is still read, so that the next one begins at the right place. For one thread; reused for each record.
 */
public final class RecordProblems {
    /** Limit on list elements and map entries: a damaged or hostile page of a few bytes can claim billions. */
    private static final int MAX_ELEMENTS = 16 << 20;

    private @Nullable String wrong;
    private int elements;

    /** Forgets the last record. Must be called before each record. */
    public void begin() {
        wrong = null;
        elements = 0;
    }

    /** The first problem, as {@code 'price': reason}; null if there is none. */
    public @Nullable String wrong() {
        return wrong;
    }

    /**
     * Reports a problem; ignored if the record has one already.
     *
     * @param path of the component: {@code order.price}
     * @param reason in a few words, for the user
     */
    public void refuse(String path, String reason) {
        if (wrong == null) {
            wrong = "'" + path + "': " + reason;
        }
    }

    /** Counts one more list element or map entry; false, after reporting it, if the record has too many. */
    public boolean takesElement(String path) {
        if (elements == MAX_ELEMENTS) {
            refuse(path, "the record has more than " + MAX_ELEMENTS + " elements");
            return false;
        }
        elements++;
        return true;
    }

    /**
     * Converts a value that was read to what the record holds for it: an Optional of it, say.
     *
     * @param value null if the file has a null there
     * @return null for a null, or after reporting a null that is not allowed
     */
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
     * Calls the record's constructor. What the constructor throws is reported as a problem.
     *
     * @param values one for each part, null for a null; overwritten
     * @param prefix of the parts' paths: empty, or {@code order.}
     * @return null if the record has a problem
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

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.columnar.Declared.Many;
import io.thalweg.columnar.Declared.Scalar;
import io.thalweg.columnar.Declared.Struct;
import java.util.List;

/**
 * The schema of a file does not match the record class. The message names the column; callers put the name of the file
 * before it.
 */
public final class SchemaMismatch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How many columns a message lists. */
    private static final int SHOWN = 20;

    private SchemaMismatch(String message) {
        super(message, null, false, false);
    }

    /**
     * A column that the record declares is not in the file.
     *
     * @param path of the column: {@code order.price}
     * @param there the columns that are, of the same group; a message lists 20 at most
     */
    public static SchemaMismatch missing(String path, List<String> there) {
        String more = there.size() > SHOWN ? ", …" : "";
        String names = String.join(", ", there.subList(0, Math.min(SHOWN, there.size())));
        return new SchemaMismatch(
                "there is no column '" + path + "', which the record declares; there are: " + names + more);
    }

    /**
     * A column has a type that its component cannot hold.
     *
     * @param path of the column
     * @param found its type, in the words of the format
     * @param declared what the record declares
     */
    public static SchemaMismatch found(String path, String found, Declared declared) {
        return new SchemaMismatch("column '" + path + "' is " + found + ", and the record declares " + text(declared));
    }

    /**
     * The file does not hold records.
     *
     * @param found what it holds, in the words of the format
     * @param declared the record class
     */
    public static SchemaMismatch whole(String found, Struct declared) {
        return new SchemaMismatch("it holds " + found + ", and " + text(declared) + " is declared");
    }

    private static String text(Declared declared) {
        if (declared instanceof Scalar scalar) {
            String name = scalar.type().getSimpleName();
            if (scalar.form() != null) {
                return name + " with @Pattern, which is for texts; remove @Pattern";
            }
            return scalar.epoch() == null ? name : name + " with @Epoch, which is for plain numbers; remove @Epoch";
        }
        if (declared instanceof Many many) {
            return many.raw().getSimpleName()
                    + (many.raw().isArray() ? "" : "<" + text(many.element().type()) + ">");
        }
        return declared instanceof Struct struct
                ? "record " + struct.shape().type().getSimpleName()
                : "a Map";
    }
}

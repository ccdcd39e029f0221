// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.columnar.Declared.Many;
import io.thalweg.columnar.Declared.Scalar;
import io.thalweg.columnar.Declared.Struct;
import java.util.List;

/** A file that does not have what a record declares; the message says which column, in words that follow the file's name. */
public final class Unfit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** More columns than that do not help who reads the message. */
    private static final int SHOWN = 20;

    private Unfit(String message) {
        super(message, null, false, false);
    }

    public static Unfit missing(String path, List<String> there) {
        String more = there.size() > SHOWN ? ", …" : "";
        String names = String.join(", ", there.subList(0, Math.min(SHOWN, there.size())));
        return new Unfit("there is no column '" + path + "', which the record declares; there are: " + names + more);
    }

    public static Unfit found(String path, String found, Declared declared) {
        return new Unfit("column '" + path + "' is " + found + ", and the record declares " + text(declared));
    }

    public static Unfit whole(String found, Struct declared) {
        return new Unfit("it holds " + found + ", and " + text(declared) + " is declared");
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

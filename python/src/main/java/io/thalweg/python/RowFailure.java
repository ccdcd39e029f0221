// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.msgpack.core.MessageUnpacker;

/**
 * An exception of the user's function.
 *
 * @param type of the exception; empty if the text says all
 * @param places in the user's files, innermost last
 */
record RowFailure(String type, String text, List<Place> places) {
    /** A line in a file. */
    record Place(String file, int line, String function) {}

    private static final int MOST_PLACES = 6;

    static RowFailure read(MessageUnpacker in) throws IOException {
        String type = in.unpackString();
        String text = in.unpackString().strip().replaceAll("\\s*\\R\\s*", " ");
        int size = in.unpackArrayHeader();
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            in.unpackArrayHeader();
            places.add(new Place(in.unpackString(), in.unpackInt(), in.unpackString()));
        }
        return new RowFailure(type, text, List.copyOf(places));
    }

    /** One line: the exception, and where it was thrown. */
    String message() {
        StringBuilder message = new StringBuilder();
        if (type.isEmpty()) {
            message.append(text);
        } else {
            message.append(type).append(text.isEmpty() ? "" : ": ").append(text);
        }
        String separator = " in ";
        String before = "";
        for (int i = places.size() - 1; i >= Math.max(0, places.size() - MOST_PLACES); i--) {
            Place place = places.get(i);
            message.append(separator)
                    .append(place.function())
                    .append(" (")
                    .append(place.file().equals(before) ? "" : place.file() + " ")
                    .append("line ")
                    .append(place.line())
                    .append(')');
            before = place.file();
            separator = ", called from ";
        }
        if (type.equals("ModuleNotFoundError")) {
            message.append("; install it for the interpreter, or name one that has it with virtualenv(…);"
                    + " modules of your own are sent with the job by with(…)");
        }
        return message.toString();
    }
}

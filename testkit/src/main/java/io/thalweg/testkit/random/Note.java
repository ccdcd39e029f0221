// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.api.operator.BadRecordException;
import io.thalweg.testkit.random.Functions.Pair;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** What flows beside {@link Event}, to be connected with it: an event under another type. */
record Note(long number, long at, String owner) implements Serializable {
    static Note of(Event event) {
        return new Note(event.value(), event.time(), event.key());
    }

    Event event() {
        return new Event(owner, at, number);
    }

    static long few(Note note) {
        return Math.floorMod(note.number, 5L);
    }

    static @Nullable Long fewOrNull(Note note) {
        long few = few(note);
        return few == 4 ? null : Long.valueOf(few);
    }

    static Pair pair(Note note) {
        if (note.number % 31 == 4) {
            throw new BadRecordException("no key for a number of 4 modulo 31", note.toString());
        }
        return new Pair(note.owner, note.number & 1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbered rows of longs and objects, all longs in one array and all objects in another: no object for a row, and who reads one
 * cell finds the others of the row beside it. A row ends with an accumulator; what comes before that is the subclass's.
 */
abstract class Rows {
    private static final int FIRST_CAPACITY = 16;
    private static final int SAMPLED = 8;

    final Layout layout;

    private final int longsEach;
    private final int longsBefore;
    private final int objectsEach;
    private final int objectsBefore;

    long[] longs;

    @Nullable Object[] objects;

    private int capacity;

    /** With so many longs and objects of the subclass in each row. */
    Rows(Layout layout, int longsBefore, int objectsBefore) {
        this.layout = layout;
        this.longsBefore = longsBefore;
        this.objectsBefore = objectsBefore;
        longsEach = longsBefore + layout.longs();
        objectsEach = objectsBefore + layout.objects();
        capacity = FIRST_CAPACITY;
        longs = new long[capacity * longsEach];
        objects = new Object[capacity * objectsEach];
    }

    /** Where the longs of a row begin. */
    final int row(int row) {
        return row * longsEach;
    }

    /** Where the objects of a row begin. */
    final int rowOfObjects(int row) {
        return row * objectsEach;
    }

    /** Where the longs of a row's accumulator begin. */
    final int atLongs(int row) {
        return row * longsEach + longsBefore;
    }

    /** Where the objects of a row's accumulator begin. */
    final int atObjects(int row) {
        return row * objectsEach + objectsBefore;
    }

    /** One of the objects of a row's accumulator. */
    @SuppressWarnings("NullAway") // each row in use has all of them
    final Object object(int row, int place) {
        return objects[atObjects(row) + place];
    }

    /** Makes room for a row of this number, and half as many again. */
    final void reserve(int row) {
        if (row < capacity) {
            return;
        }
        long wanted = capacity + (long) (capacity >> 1);
        if (wanted * Math.max(longsEach, objectsEach) > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException("a task holds at most " + row + " keys or sessions of " + longsEach
                    + " longs and " + objectsEach + " objects in one window: use more tasks");
        }
        longs = Arrays.copyOf(longs, (int) wanted * longsEach);
        objects = Arrays.copyOf(objects, (int) wanted * objectsEach);
        capacity = (int) wanted;
    }

    /** Bytes of heap, if the rows below {@code used} are in use; of their objects a few are looked at. */
    final long bytes(int used) {
        long ofSample = 0;
        int looked = Math.min(used, SAMPLED);
        for (int i = 0; i < looked; i++) {
            int row = (int) ((long) i * used / looked);
            for (int at = rowOfObjects(row); at < rowOfObjects(row + 1); at++) {
                ofSample += HeapSize.of(objects[at]);
            }
        }
        long ofObjects = looked == 0 ? 0 : ofSample * used / looked;
        return 8L * longs.length + (long) HeapSize.REFERENCE * objects.length + ofObjects;
    }

    /** Begins the accumulator of a row anew. */
    final void create(int row) {
        Arrays.fill(longs, atLongs(row), row(row + 1), 0);
        layout.create(objects, atObjects(row));
    }

    /** Gives the objects of a row up. */
    final void clear(int row) {
        Arrays.fill(objects, rowOfObjects(row), rowOfObjects(row + 1), null);
    }

    /** A row's accumulator as an object, to be saved. */
    final Object read(int row) {
        return layout.read(this, row);
    }
}

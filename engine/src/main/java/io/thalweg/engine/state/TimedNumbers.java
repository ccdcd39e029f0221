// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import java.util.Arrays;

/** Numbers with a time each, taken out by their times. A binary heap; those added in order of time cost little. */
final class TimedNumbers {
    private static final int FIRST_CAPACITY = 16;

    private long[] times = new long[FIRST_CAPACITY];
    private int[] numbers = new int[FIRST_CAPACITY];
    private int size;

    void add(long time, int number) {
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            numbers = Arrays.copyOf(numbers, size * 2);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (times[parent] <= time) {
                break;
            }
            times[at] = times[parent];
            numbers[at] = numbers[parent];
            at = parent;
        }
        times[at] = time;
        numbers[at] = number;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The earliest time. */
    long firstTime() {
        return times[0];
    }

    int first() {
        return numbers[0];
    }

    void removeFirst() {
        int last = --size;
        long time = times[last];
        int at = 0;
        for (int child = 1; child < last; child = 2 * at + 1) {
            if (child + 1 < last && times[child + 1] < times[child]) {
                child++;
            }
            if (times[child] >= time) {
                break;
            }
            times[at] = times[child];
            numbers[at] = numbers[child];
            at = child;
        }
        times[at] = time;
        numbers[at] = numbers[last];
    }

    long bytes() {
        return 12L * times.length;
    }

    int size() {
        return size;
    }

    /** Any of them, by its place below {@link #size}. */
    int at(int place) {
        return numbers[place];
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

/** Numbers with a time each, taken out by their times. Those that come in order pass a queue, only others a heap. */
final class InOrder {
    private static final int FIRST_CAPACITY = 16;

    private long[] times = new long[FIRST_CAPACITY];
    private int[] numbers = new int[FIRST_CAPACITY];
    private int head;
    private int queued;
    private long lastTime;

    private final TimedNumbers others = new TimedNumbers();

    void add(long time, int number) {
        if (queued > 0 && time < lastTime) {
            others.add(time, number);
            return;
        }
        if (queued == times.length) {
            grow();
        }
        int at = (head + queued++) & (times.length - 1);
        times[at] = time;
        numbers[at] = number;
        lastTime = time;
    }

    private void grow() {
        long[] grownTimes = new long[queued * 2];
        int[] grownNumbers = new int[queued * 2];
        for (int i = 0; i < queued; i++) {
            int at = (head + i) & (times.length - 1);
            grownTimes[i] = times[at];
            grownNumbers[i] = numbers[at];
        }
        times = grownTimes;
        numbers = grownNumbers;
        head = 0;
    }

    boolean isEmpty() {
        return queued == 0 && others.isEmpty();
    }

    /** The earliest time. */
    long firstTime() {
        return queueFirst() ? times[head] : others.firstTime();
    }

    private boolean queueFirst() {
        return others.isEmpty() || (queued > 0 && times[head] <= others.firstTime());
    }

    /** Takes out a number of the earliest time. */
    int removeFirst() {
        if (queueFirst()) {
            int number = numbers[head];
            head = (head + 1) & (times.length - 1);
            queued--;
            return number;
        }
        int number = others.first();
        others.removeFirst();
        return number;
    }

    long bytes() {
        return 12L * times.length + others.bytes();
    }

    /** All numbers, in no order. */
    int[] all() {
        int[] all = new int[queued + others.size()];
        for (int i = 0; i < queued; i++) {
            all[i] = numbers[(head + i) & (numbers.length - 1)];
        }
        for (int i = 0; i < others.size(); i++) {
            all[queued + i] = others.at(i);
        }
        return all;
    }
}

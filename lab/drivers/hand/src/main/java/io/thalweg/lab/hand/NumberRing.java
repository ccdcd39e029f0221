// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand;

import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.SinkMeter;

/** Records that are their number alone, handed over without an object for each. */
final class NumberRing {
    private final Load load;
    private final SinkMeter sink;
    private final long[][] numbers = new long[Positions.BATCHES][Positions.RECORDS];
    private final long[][] dueNs;
    private final int[] sizes = new int[Positions.BATCHES];
    private final Positions positions;

    private NumberRing(Load load, SinkMeter sink, boolean timed) {
        this.load = load;
        this.sink = sink;
        positions = new Positions(load.parks());
        dueNs = timed ? new long[Positions.BATCHES][Positions.RECORDS] : new long[0][];
    }

    static void run(Load load, SinkMeter sink) throws InterruptedException {
        NumberRing ring = new NumberRing(load, sink, false);
        ring.positions.run(ring::fill, ring::empty);
    }

    static void runTimed(Load load, SinkMeter sink) throws InterruptedException {
        NumberRing ring = new NumberRing(load, sink, true);
        ring.positions.run(ring::fillTimed, ring::emptyTimed);
    }

    private void fill() {
        while (!load.ended()) {
            int batch = positions.toFill();
            long[] into = numbers[batch];
            int size = 0;
            while (size < into.length && !load.ended()) {
                into[size++] = load.take();
            }
            sizes[batch] = size;
            positions.publish();
        }
        positions.end();
    }

    private void empty() {
        for (int batch = positions.toEmpty(); batch >= 0; batch = positions.toEmpty()) {
            long[] from = numbers[batch];
            int size = sizes[batch];
            for (int i = 0; i < size; i++) {
                sink.received(from[i]);
            }
            positions.release();
        }
    }

    private void fillTimed() {
        for (int waits = 0; !load.ended(); waits++) {
            if (!load.due()) {
                positions.awaitDue(load, waits);
                continue;
            }
            int batch = positions.toFill();
            int size = 0;
            while (size < Positions.RECORDS && !load.ended() && load.due()) {
                dueNs[batch][size] = load.dueNs();
                numbers[batch][size++] = load.take();
            }
            sizes[batch] = size;
            positions.publish();
        }
        positions.end();
    }

    private void emptyTimed() {
        for (int batch = positions.toEmpty(); batch >= 0; batch = positions.toEmpty()) {
            for (int i = 0; i < sizes[batch]; i++) {
                sink.received(numbers[batch][i], dueNs[batch][i]);
            }
            positions.release();
        }
    }
}

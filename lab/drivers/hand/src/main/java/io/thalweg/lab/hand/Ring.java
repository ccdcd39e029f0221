// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand;

import io.thalweg.lab.driver.Load;
import java.util.function.Consumer;
import java.util.function.Function;

/** Records that one thread makes and another takes in, by reference. */
final class Ring {
    private Ring() {}

    /** Runs a load until it has ended and all of it was taken in. A batch that is not full goes on when nothing more is due. */
    static <T> void run(Load load, Function<Load, T> make, Consumer<T> take) throws InterruptedException {
        Object[][] batches = new Object[Positions.BATCHES][Positions.RECORDS];
        int[] sizes = new int[Positions.BATCHES];
        Positions positions = new Positions(load.parks());
        positions.run(() -> fill(load, make, batches, sizes, positions), () -> empty(take, batches, sizes, positions));
    }

    /** The same, with each record confirmed when it was taken in, and at most {@code pending} that are not. */
    static <T> void run(Load load, Function<Load, T> make, Consumer<T> take, int pending) throws InterruptedException {
        Object[][] batches = new Object[Positions.BATCHES][Math.min(Positions.RECORDS, pending)];
        int[] sizes = new int[Positions.BATCHES];
        Positions positions = new Positions(load.parks());
        Consumer<T> confirmed = record -> {
            take.accept(record);
            positions.confirm();
        };
        positions.run(
                () -> fillWithin(pending, load, make, batches, sizes, positions),
                () -> empty(confirmed, batches, sizes, positions));
    }

    private static <T> void fillWithin(
            int pending, Load load, Function<Load, T> make, Object[][] batches, int[] sizes, Positions positions) {
        for (int waits = 0; !load.ended(); waits++) {
            if (!load.due()) {
                positions.awaitDue(load, waits);
                continue;
            }
            int batch = positions.toFill();
            Object[] records = batches[batch];
            int most = Math.min(records.length, positions.credits(load.sent(), pending));
            int size = 0;
            while (size < most && !load.ended() && load.due()) {
                records[size++] = make.apply(load);
            }
            sizes[batch] = size;
            positions.publish();
        }
        positions.end();
    }

    private static <T> void fill(
            Load load, Function<Load, T> make, Object[][] batches, int[] sizes, Positions positions) {
        for (int waits = 0; !load.ended(); waits++) {
            if (!load.due()) {
                positions.awaitDue(load, waits);
                continue;
            }
            int batch = positions.toFill();
            Object[] records = batches[batch];
            int size = 0;
            while (size < Positions.RECORDS && !load.ended() && load.due()) {
                records[size++] = make.apply(load);
            }
            sizes[batch] = size;
            positions.publish();
        }
        positions.end();
    }

    @SuppressWarnings("unchecked") // only fill puts anything there
    private static <T> void empty(Consumer<T> take, Object[][] batches, int[] sizes, Positions positions) {
        for (int batch = positions.toEmpty(); batch >= 0; batch = positions.toEmpty()) {
            Object[] records = batches[batch];
            for (int i = 0; i < sizes[batch]; i++) {
                take.accept((T) records[i]);
            }
            positions.release();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.files;

import io.thalweg.lab.driver.FileJob;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The larger orders, each whole and once. */
final class OrdersAnswer implements Answer {
    private final long orders;
    private final long expected;
    private final BitSet found = new BitSet();
    private @Nullable String problem;

    /**
     * @param orders in the input
     * @param expected of them, how many are large enough
     */
    OrdersAnswer(long orders, long expected) {
        this.orders = orders;
        this.expected = expected;
    }

    @Override
    public List<String> header() {
        return List.of(Order.HEADER.split(","));
    }

    @Override
    public void row(List<String> fields) {
        long id = Long.parseLong(fields.get(0));
        if (id < 0 || id >= orders) {
            say("order " + id + " came out, which there is not");
            return;
        }
        Order order = Order.of(id);
        if (order.quantity() <= FileJob.QUANTITY) {
            say("order " + id + " came out, of " + order.quantity() + " pieces");
        } else if (found.get((int) id)) {
            say("order " + id + " came out twice");
        } else if (!same(order, fields)) {
            say(fields + " came out instead of " + order);
        }
        found.set((int) id);
    }

    private static boolean same(Order order, List<String> fields) {
        return fields.size() == header.length
                && Instant.parse(instant(fields.get(1))).equals(order.time())
                && fields.get(2).equals(order.shop())
                && fields.get(3).equals(order.product())
                && Long.parseLong(fields.get(4)) == order.quantity()
                && Double.parseDouble(fields.get(5)) == order.price()
                && fields.get(6).equals(order.note());
    }

    private static final String[] header = Order.HEADER.split(",");

    /** Engines write a time each in their own way: with a blank in the middle, or without a zone. */
    private static String instant(String text) {
        String middle = text.replace(' ', 'T');
        return middle.endsWith("Z") ? middle : middle.replace("+00:00", "").replace("+00", "") + "Z";
    }

    private void say(String what) {
        problem = problem == null ? what : problem;
    }

    @Override
    public @Nullable String problem() {
        return problem != null || found.cardinality() == expected
                ? problem
                : "only " + found.cardinality() + " of " + expected + " orders came out";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

/** An event with a key of two texts. */
public record Sale(long time, String shop, String item, double price, long amount) {
    /** What sales are grouped by. */
    public record Group(String shop, String item) {}

    /** The aggregates of one group. */
    public record Figures(long count, double highest, long amount) {}

    Group group() {
        return new Group(shop, item);
    }
}

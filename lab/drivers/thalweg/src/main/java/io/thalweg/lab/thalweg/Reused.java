// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.lab.driver.Load;

/** A number in an object that its source hands out again and again. */
public final class Reused {
    public long number;

    static LoadSource.Maker<Reused> maker() {
        Reused record = new Reused();
        return load -> record.next(load);
    }

    private Reused next(Load load) {
        number = load.take();
        return this;
    }

    static Reused of(long number) {
        Reused record = new Reused();
        record.number = number;
        return record;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand;

import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.SinkMeter;

/** Records that are their number alone. A relay that hands on what it got is nothing at all in a loop. */
final class Numbers {
    private Numbers() {}

    static void loop(Load load, SinkMeter sink) {
        while (!load.ended()) {
            sink.received(load.take());
        }
    }

    static void loopTimed(Load load, SinkMeter sink) {
        while (!load.ended()) {
            if (load.due()) {
                long dueNs = load.dueNs();
                sink.received(load.take(), dueNs);
            } else {
                load.idle();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Hoard;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.Message;
import io.thalweg.lab.driver.Payload;
import io.thalweg.lab.driver.SinkMeter;
import java.util.Arrays;

/** Records with a payload: made from a template, copied and stamped by each relay where the cell says so, checked and counted. */
final class Messages {
    private final SinkMeter sink;
    private final byte[] template;
    private final boolean timed;
    private final int copies;

    /** Of each layer of relays. */
    private final Hoard[] hoards;

    Messages(Cell cell, SinkMeter sink) {
        this.sink = sink;
        template = Payload.template(Math.max(Long.BYTES, cell.payload()));
        timed = cell.ratePerSecond() > 0 || cell.stamps();
        copies = cell.stamps() ? cell.layers() : 0;
        hoards = new Hoard[cell.hoard() > 0 ? cell.layers() : 0];
        Arrays.setAll(hoards, layer -> new Hoard(cell.hoard()));
    }

    void loop(Load load) {
        while (!load.ended()) {
            if (load.due()) {
                pass(make(load));
            } else {
                load.idle();
            }
        }
    }

    Message make(Load load) {
        long[] times = timed ? new long[] {load.dueNs()} : Message.UNTIMED;
        return Message.of(load.take(), template, times);
    }

    void pass(Message message) {
        for (Hoard each : hoards) {
            each.replace();
        }
        Message passed = message;
        for (int i = 0; i < copies; i++) {
            passed = passed.next();
        }
        passed.count(template.length, sink);
    }
}

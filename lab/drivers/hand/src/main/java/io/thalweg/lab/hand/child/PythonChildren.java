// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.Message;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.Payload;
import io.thalweg.lab.driver.PythonCommand;
import io.thalweg.lab.driver.SinkMeter;
import io.thalweg.python.PythonPackage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Relays of a cell that are the same programs in Python as Storm's and Thalweg's bolts start. */
public final class PythonChildren {
    private PythonChildren() {}

    /** @param pending at most so many tuples are not acked */
    public static void run(Cell cell, int pending) throws Exception {
        Path folder = cell.folder().path();
        List<String> command = PythonCommand.ofStorm(cell, folder);
        PythonPackage.writeTo(folder); // a script finds what is beside it
        List<Child> children = new ArrayList<>();
        List<SinkMeter> sinks = new ArrayList<>();
        try {
            for (int i = 0; i < cell.relays(); i++) {
                children.add(Child.start(command, folder, cell.payload()));
            }
            List<Consumer<Message>> taken = new ArrayList<>();
            for (int i = 0; i < cell.relays(); i++) {
                SinkMeter sink = Meters.of(cell).sink();
                sinks.add(sink);
                taken.add(message -> message.count(cell.payload(), sink));
            }
            boolean timed = cell.ratePerSecond() > 0 || cell.stamps();
            byte[] template = Payload.template(cell.payload());
            try (Load load = Load.open(cell, 0, 1)) {
                new ChildLoop(children, () -> children.forEach(Child::close))
                        .run(load, from -> make(from, template, timed), taken, pending);
            }
        } catch (IOException e) {
            throw new IOException("the child " + String.join(" ", command) + ": " + e.getMessage(), e);
        } finally {
            children.forEach(Child::close);
            sinks.forEach(SinkMeter::close);
        }
    }

    private static Message make(Load load, byte[] template, boolean timed) {
        long[] times = timed ? new long[] {load.dueNs()} : Message.UNTIMED;
        return Message.of(load.take(), template, times);
    }
}

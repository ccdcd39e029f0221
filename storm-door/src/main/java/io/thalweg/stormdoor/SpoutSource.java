// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.ArrayList;
import java.util.List;

/**
 * A spout: each executor is a split, which its task reads itself.
 *
 * @param patienceNs how long a poll waits for a spout that emits nothing: 0 where the task has no thread of its own
 */
record SpoutSource(HostHandle handle, String component, long patienceNs) implements Source<DoorTuple> {
    @Override
    public String name() {
        return "spout " + component;
    }

    @Override
    public Type<DoorTuple> type() {
        return DoorTuple.TYPE;
    }

    @Override
    public List<String> splits(int parallelism) {
        List<String> splits = new ArrayList<>();
        for (int i = 0;
                i < handle.host().layout.component(component).executors().size();
                i++) {
            splits.add(Integer.toString(i));
        }
        return splits;
    }

    @Override
    public SplitReader<DoorTuple> open(String split, SourceContext context) {
        SpoutReader reader =
                new SpoutReader(handle.host(), component, Integer.parseInt(split), patienceNs, context::wakeUp);
        reader.open();
        return reader;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.ArrayList;
import java.util.List;

/** A spout: each executor is a split, read by a task with a thread of its own, so that a spout may block it. */
record SpoutSource(Handle handle, String component) implements Source<Message> {
    @Override
    public String name() {
        return "spout " + component;
    }

    @Override
    public Type<Message> type() {
        return Message.TYPE;
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
    public SplitReader<Message> open(String split, SourceContext context) {
        SpoutReader reader = new SpoutReader(
                handle.host(), component, Integer.parseInt(split), SpoutReader.PATIENCE_NS, context::wakeUp);
        reader.open();
        return reader;
    }
}

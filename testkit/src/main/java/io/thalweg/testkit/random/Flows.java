// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.topology.StreamSink;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The flows of a random topology so far, and which of them nobody has read. */
final class Flows {
    private final Random random;
    private final Log log;
    private final List<Flow> all = new ArrayList<>();
    private final Set<Flow> read = new HashSet<>();

    Flows(Random random, Log log) {
        this.random = random;
        this.log = log;
    }

    void add(Flow flow) {
        all.add(flow);
    }

    /** One of the later flows, more often than not. */
    Flow any() {
        int index = Math.max(random.nextInt(all.size()), random.nextInt(all.size()));
        Flow flow = all.get(index);
        read.add(flow);
        return flow;
    }

    /** Leads every flow that nobody has read to a sink, and some others too. */
    void toSinks() {
        for (Flow flow : all) {
            if (!read.contains(flow) || random.nextInt(4) == 0) {
                toSink(flow);
            }
        }
    }

    void toSink(Flow flow) {
        String name = log.name("sink");
        log.add("%s reads %s", name, flow.name());
        StreamSink sink = (random.nextInt(3) == 0 ? flow.stream().shuffle() : flow.stream())
                .to(Sinks.discard())
                .name(name);
        if (random.nextInt(3) == 0) {
            sink.parallelism(1 + random.nextInt(3));
        }
    }
}

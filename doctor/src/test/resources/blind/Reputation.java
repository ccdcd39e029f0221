// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** Two faults: waits for a service for each request; and keeps the answer for every address that was ever seen. */
public final class Reputation implements TopologyDefinition {
    record Request(long address, String path) {}

    record Verdict(long address, String report) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Request(i * 2_654_435_761L, "/login")).splitInto(2))
                .name("requests")
                .map(Reputation::ask)
                .name("ask")
                .keyBy(Verdict::address)
                .process(Remember::new)
                .name("remember")
                .to(Sinks.discard());
    }

    static Verdict ask(Request request) throws InterruptedException {
        Thread.sleep(1);
        return new Verdict(request.address(), (request.path() + "-" + request.address()).repeat(800));
    }

    static final class Remember implements KeyedOperator<Long, Verdict, Boolean> {
        private ValueState<Verdict> verdict;

        @Override
        public void open(KeyedContext context) {
            verdict = context.state("verdict", Type.of(Verdict.class));
        }

        @Override
        public void process(Long address, Verdict now, Output<Boolean> output) {
            Verdict before = verdict.get();
            verdict.set(now);
            output.emit(before != null && !before.report().equals(now.report()));
        }
    }
}

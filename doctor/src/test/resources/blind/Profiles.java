// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.MapState;
import io.thalweg.api.operator.Output;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** What each of 200,000 users clicked. Run with a checkpoint every 50 ms, "to lose as little as possible". */
public final class Profiles implements TopologyDefinition {
    record Click(int user, String topic) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(
                                1_000_000_000L,
                                i -> new Click((int) (i * 7919 % 200_000), "topic-" + i / 200_000 % 8))
                        .splitInto(2))
                .name("clicks")
                .keyBy(Click::user)
                .process(Profile::new)
                .name("profiles")
                .to(Sinks.discard());
    }

    static final class Profile implements KeyedOperator<Integer, Click, String> {
        private MapState<String, Long> topics;

        @Override
        public void open(KeyedContext context) {
            topics = context.mapState("topics", Type.of(String.class), Type.of(Long.class));
        }

        @Override
        public void process(Integer user, Click click, Output<String> output) {
            Long before = topics.get(click.topic());
            topics.put(click.topic(), before == null ? 1 : before + 1);
            if (before != null && before == 1000) {
                output.emit(user + " likes " + click.topic());
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Numbers from a topic, each counted within its key, to another topic, in a process of its own, until it is killed.
 *
 * <p>{@code CrashJob SERVERS FROM TO CHECKPOINTS GUARANTEE TASKS LOG PAUSE-AT PAUSE-MS}
 */
public final class CrashJob {
    static final int KEYS = 40;
    private static final Duration DISCOVERY = Duration.ofMillis(500);

    /** A task may still open when its broker is killed, and the broker needs minutes to come back where many others compute. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofMinutes(10);

    /** Half of what a message has: one that is sent again after 30 s, as by default, may be there without anybody learning where. */
    private static final String REQUEST_TIMEOUT_MS = "300000";

    static final String REPLAY_FROM_TOPIC = "thalweg.replay-from-topic";

    private CrashJob() {}

    /** Says of each number how many of its key there were up to it. */
    private static final class Counting implements KeyedOperator<Integer, String, String> {
        private ValueState<Long> count;

        @Override
        public void open(KeyedContext context) {
            count = context.state("count", Type.of(Long.class));
        }

        @Override
        public void process(Integer key, String number, Output<String> output) {
            Long before = count.get();
            long now = before == null ? 1 : before + 1;
            count.set(now);
            output.emit(number + "," + key + "," + now);
        }
    }

    public static Topology topology(String[] arguments) {
        KafkaSink<String> results = Kafka.write(arguments[0], arguments[2], Encoder.text())
                .key(line -> line.substring(line.indexOf(',') + 1, line.lastIndexOf(',')))
                .set("request.timeout.ms", REQUEST_TIMEOUT_MS)
                .connectTimeout(CONNECT_TIMEOUT);
        if (Boolean.getBoolean(REPLAY_FROM_TOPIC)) {
            results = results.replayFromTopic();
        }
        PhaseSink sink = new PhaseSink(
                results, arguments[6], PhaseSink.Phase.valueOf(arguments[7]), Integer.parseInt(arguments[8]));
        Topology topology = Topology.named("crash");
        topology.from(Kafka.read(arguments[0], arguments[1], Decoder.text())
                        .discovery(DISCOVERY)
                        .connectTimeout(CONNECT_TIMEOUT))
                .name("numbers")
                .keyBy(number -> Integer.parseInt(number) % KEYS)
                .process(Counting::new)
                .as(String.class)
                .name("counts")
                .to(sink)
                .name("results");
        return topology;
    }

    public static RunSettings settings(String[] arguments) {
        CheckpointSettings checkpoints = CheckpointSettings.in(Path.of(arguments[3]))
                .every(Duration.ofMillis(100))
                .restoringLatest();
        return RunSettings.defaults()
                .withParallelism(Integer.parseInt(arguments[5]))
                .withGuarantee(Guarantee.valueOf(arguments[4]), checkpoints);
    }

    public static void main(String[] arguments) throws InterruptedException {
        new EmbeddedRunner(settings(arguments))
                .start(topology(arguments).graph())
                .await();
    }
}

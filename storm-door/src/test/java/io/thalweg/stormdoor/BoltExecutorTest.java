// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An executor of a bolt without a topology that runs, so that each moment can be chosen. */
@Timeout(300)
final class BoltExecutorTest {
    @TempDir
    private Path resources;

    private Host host(TopologyBuilder topology) {
        Map<String, Object> conf = new HashMap<>(Utils.readStormConfig());
        conf.put(Config.TOPOLOGY_NAME, "test");
        ClassLoader loader = BoltExecutorTest.class.getClassLoader();
        return new Host(new Layout("test", topology.createTopology(), conf, loader), resources, loader);
    }

    private static TopologyBuilder numbers() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(new Journal(), 0));
        return topology;
    }

    /** One whose tuple cannot be sent, say: nobody would write to the child that follows. */
    @Test
    void shouldStartNoOtherChild_whenItHasFailed() throws Exception {
        Runs.needPython();
        Files.writeString(resources.resolve("idle.py"), """
                from thalweg.storm import Bolt

                with open("starts", "a") as file:
                    file.write("one\\n")

                class Idle(Bolt):
                    def process(self, tup):
                        pass

                Idle().run()
                """);
        TopologyBuilder topology = numbers();
        topology.setBolt("idle", new Shell.PythonBolt("idle.py")).shuffleGrouping("numbers");
        LinkedBlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        Host host = host(topology);
        BoltExecutor executor = new BoltExecutor(host, "idle", 0, message -> {}, failures::add);
        executor.prepare();
        Thread reader = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("thalweg-idle-reader"))
                .findFirst()
                .orElseThrow();
        try {
            executor.execute(0, tuple(host, "idle", new BitSet()));

            assertThat(failures.poll(1, TimeUnit.MINUTES)).hasMessageContaining("cannot be sent to a child");
            while (reader.isAlive() && starts() == 1) {
                reader.join(10);
            }
            assertThat(starts()).isEqualTo(1);
        } finally {
            executor.cleanup();
        }
    }

    private static DoorTuple tuple(Host host, String to, Object first) {
        return new DoorTuple(
                host.layout.place(to, 0, 0),
                host.context(),
                List.of(first, 0, 0),
                "numbers",
                host.context().getComponentTasks("numbers").get(0),
                Utils.DEFAULT_STREAM_ID,
                MessageId.makeUnanchored());
    }

    /** It waits for them, and whoever gets the tuple may have no room for it. */
    @Test
    void shouldTellAChildTheTasksOfItsTuple_beforeTheyGetIt() throws Exception {
        Runs.needPython();
        Files.writeString(resources.resolve("asks.py"), """
                import json, os, sys

                def read(kind):
                    while True:
                        lines = []
                        for line in iter(sys.stdin.readline, "end\\n"):
                            if not line:
                                sys.exit()
                            lines.append(line)
                        message = json.loads("".join(lines))
                        if isinstance(message, kind):
                            return message

                def send(message):
                    print(json.dumps(message) + "\\nend", flush=True)

                read(dict)
                send({"pid": os.getpid()})
                tup = read(dict)
                while tup["stream"] == "__heartbeat":
                    tup = read(dict)
                send({"command": "emit", "anchors": [tup["id"]], "tuple": [1]})
                tasks = read(list)
                with open("tasks", "w") as file:
                    json.dump(tasks, file)
                read(list)
                """);
        TopologyBuilder topology = numbers();
        topology.setBolt("asks", new Shell.PythonBolt("asks.py")).shuffleGrouping("numbers");
        topology.setBolt("end", new Untidy()).shuffleGrouping("asks");
        Host host = host(topology);
        LinkedBlockingQueue<Object> happened = new LinkedBlockingQueue<>();
        Journal journal = new Journal();
        BoltExecutor executor = new BoltExecutor(
                host,
                "asks",
                0,
                message -> {
                    journal.await("the child knows the tasks", () -> Files.exists(resources.resolve("tasks")));
                    happened.add(message);
                },
                happened::add);
        executor.prepare();
        try {
            executor.execute(0, tuple(host, "asks", 7));

            assertThat(happened.take()).isInstanceOf(DoorTuple.class);
            journal.await("all is written", () -> tasks().startsWith("[") && tasks().endsWith("]"));
            assertThat(tasks())
                    .isEqualTo(host.context().getComponentTasks("end").toString());
        } finally {
            executor.cleanup();
            journal.forget();
        }
    }

    private String tasks() {
        try {
            return Files.readString(resources.resolve("tasks"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int starts() throws IOException {
        return Files.readAllLines(resources.resolve("starts")).size();
    }

    /** Fails when it is cleaned up. */
    private static final class Untidy extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        private static final AtomicInteger CLEANED = new AtomicInteger();

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {}

        @Override
        public void execute(Tuple tuple) {}

        @Override
        public void cleanup() {
            throw new IllegalStateException("cleaned up " + CLEANED.incrementAndGet());
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Others may have a child process. */
    @Test
    void shouldCleanUpAllTasks_evenIfOneFails() {
        TopologyBuilder topology = numbers();
        topology.setBolt("untidy", new Untidy(), 1).setNumTasks(2).shuffleGrouping("numbers");
        BoltExecutor executor = new BoltExecutor(host(topology), "untidy", 0, message -> {}, failure -> {});
        executor.prepare();

        assertThatThrownBy(executor::cleanup)
                .hasMessage("cleaned up 1")
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
        assertThat(Untidy.CLEANED).hasValue(2);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.hooks.BaseTaskHook;
import org.apache.storm.metric.api.rpc.CountShellMetric;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spouts and bolts in Python, in either framing. */
@Timeout(900)
@Tag("integration")
final class MultilangTest {
    /** What a child of Storm's protocol begins with, without a library. */
    private static final String BY_HAND = """
                import json, os, sys

                def read():
                    lines = list(iter(sys.stdin.readline, "end\\n"))
                    return json.loads("".join(lines))

                def send(message):
                    sys.stdout.write(json.dumps(message) + "\\nend\\n")
                    sys.stdout.flush()

                open(os.path.join(read()["pidDir"], str(os.getpid())), "w").close()
                send({"pid": os.getpid()})
                """;

    private static final Duration END = Duration.ofSeconds(5);

    /** What bolts may take to end where the machine does other things too. */
    private static final Duration BUSY = Duration.ofSeconds(60);

    /** Doubles numbers; a part of it is replaced. */
    private static final String DOUBLE = """
            import os, signal, sys, time
            from thalweg.storm import Bolt

            class Double(Bolt):
                def initialize(self, conf, context):
                    self.count = 0
                    self.marks = conf["marks"]

                def process(self, tup):
                    self.count += 1
                    self.before(tup)
                    self.emit([tup.values[0] * 2])

                def once(self, name):
                    path = os.path.join(self.marks, name)
                    if os.path.exists(path):
                        return False
                    open(path, "w").close()
                    return True

                def before(self, tup):
            %s

            Double().run()
            """;

    @TempDir
    private Path resources;

    private final Journal journal = new Journal();

    @BeforeAll
    static void needPython() throws InterruptedException {
        Runs.needPython();
    }

    @AfterEach
    void forget() {
        journal.forget();
    }

    private void script(String name, String text) throws IOException {
        Files.writeString(resources.resolve(name), text);
    }

    /** One that does this before it doubles a number. */
    private void doubling(String before) throws IOException {
        script("double.py", DOUBLE.formatted(before.indent(8).stripTrailing()));
    }

    private TopologyBuilder numbers(int many, String script) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, many));
        builder.setBolt("double", new Shell.PythonBolt(script)).shuffleGrouping("numbers");
        end(builder, "double");
        return builder;
    }

    private void end(TopologyBuilder builder, String from) {
        builder.setBolt("end", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("end", tuple.getValue(0));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping(from);
    }

    private StormRun start(TopologyBuilder builder, String framing, Object... more) {
        Map<String, Object> conf = new HashMap<>();
        conf.put("marks", resources.toString());
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600); // what a test counts as failed was failed by a bolt
        conf.put(Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS, 600); // Python may take long to start on a busy machine
        if (framing.equals("json")) {
            conf.put("topology.multilang.framings", List.of());
        }
        for (int i = 0; i < more.length; i += 2) {
            conf.put((String) more[i], more[i + 1]);
        }
        return StormDoor.of("shell", builder.createTopology(), conf, resources, MultilangTest.class.getClassLoader())
                .start(RunSettings.defaults());
    }

    /** Runs it until all are acked, and checks what came out at least once. */
    private List<ComponentStats> allAcked(StormRun run, int many) throws Exception {
        journal.await(
                "all are acked",
                () -> Runs.ended(run)
                        || journal.page("acked").stream().distinct().count() == many);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end")).contains(doubles(many));
        return run.stats();
    }

    private static Object[] doubles(int many) {
        return IntStream.range(0, many).mapToObj(n -> n * 2).toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldRunABoltOfThePackage(String framing) throws Exception {
        doubling("pass");
        List<ComponentStats> stats = allAcked(start(numbers(2_000, "double.py"), framing), 2_000);
        assertThat(journal.page("end")).hasSize(2_000);
        assertThat(Runs.of(stats, "double").acked()).isEqualTo(2_000);
        assertThat(stats).allMatch(each -> each.errors() == 0);
    }

    private void copyStormPy() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(MultilangTest.class.getResourceAsStream("/resources/storm.py"), "storm.py")) {
            Files.copy(in, resources.resolve("storm.py"));
        }
    }

    /** Storm's own library, which knows JSON only. */
    @Test
    void shouldRunABoltOfStormPy() throws Exception {
        copyStormPy();
        script("double.py", """
                import storm

                class Double(storm.BasicBolt):
                    def process(self, tup):
                        storm.logInfo("a number")
                        storm.emit([tup.values[0] * 2])

                Double().run()
                """);
        List<ComponentStats> stats = allAcked(start(numbers(200, "double.py"), "msgpack"), 200);
        assertThat(journal.page("end")).hasSize(200);
        assertThat(stats).allMatch(each -> each.errors() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldSendAgainWhatAChildThatDiesHasNotAcked(String framing) throws Exception {
        doubling("if self.count == 60:\n    os.kill(os.getpid(), signal.SIGKILL)");
        List<ComponentStats> stats = allAcked(start(numbers(500, "double.py"), framing), 500);
        assertThat(Runs.of(stats, "numbers").failed()).isZero();
    }

    /** The terminal sends Ctrl-C to all processes; the topology ends by it in order, and until then its children are needed. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldNotLoseAChildToWhatTheTerminalSendsIt(String framing) throws Exception {
        doubling("if self.count % 10 == 0:\n    for each in (signal.SIGINT, signal.SIGHUP):\n"
                + "        os.kill(os.getpid(), each)");
        List<ComponentStats> stats = allAcked(start(numbers(100, "double.py"), framing), 100);
        assertThat(Runs.of(stats, "double").errors()).isZero();
        assertThat(journal.page("end")).hasSize(100);
    }

    /** On a busy machine Python takes seconds to start, which count. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldEndAChildThatHangsAndSendAgain(String framing) throws Exception {
        doubling("if tup.values[0] == 7 and self.once('hung'):\n    time.sleep(600)");
        allAcked(start(numbers(20, "double.py"), framing, Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS, 30), 20);
    }

    /** With Storm's own library, whose standard output is that of the protocol. */
    private void leaving(String script, String kind, String method) throws IOException {
        copyStormPy();
        script(script, """
                import os, subprocess
                import storm

                class Leaving(storm.%s):
                    def %s:
                        if not os.path.exists("left"):
                            left = subprocess.Popen(["sleep", "600"])
                            with open("left.part", "w") as file:
                                file.write(str(left.pid))
                            os.rename("left.part", "left")
                        os._exit(3)

                Leaving().run()
                """.formatted(kind, method));
    }

    private void endWhatWasLeft() throws IOException {
        ProcessHandle.of(Long.parseLong(Files.readString(resources.resolve("left"))))
                .ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void shouldFail_ifTheOutputOfADeadBoltIsHeld() throws Exception {
        leaving("double.py", "BasicBolt", "process(self, tup)");
        StormRun run = start(numbers(20, "double.py"), "json", Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS, 30);
        assertThatThrownBy(run::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining(
                        "topology 'shell', operator 'double': the child 'python3 double.py' does not answer: it"
                                + " has died (exit code 3), and a process that it started still has its standard output");
        endWhatWasLeft();
    }

    @Test
    void shouldSay_ifTheOutputOfADeadSpoutIsHeld() throws Exception {
        leaving("count.py", "Spout", "nextTuple(self)");
        StormRun run = start(counting(), "json", Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS, 30);
        journal.await("it is told", () -> Runs.of(run.stats(), "count").errors() > 0);
        assertThat(Runs.of(run.stats(), "count").lastError())
                .contains("the child 'python3 count.py' does not answer: it has died (exit code 3)");
        endWhatWasLeft();
        assertThatThrownBy(run::await).hasMessageContaining("died 4 times without a tuple in between (exit code 3)");
    }

    @Test
    void shouldFailWithATupleThatKillsEachChild() throws Exception {
        doubling("if tup.values[0] == 9:\n    os.kill(os.getpid(), signal.SIGKILL)");
        StormRun run = start(numbers(20, "double.py"), "msgpack");
        assertThatThrownBy(run::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("topology 'shell', operator 'double': the child 'python3 double.py' died ")
                .hasMessageContaining(" times without a tuple acked or failed in between (killed by signal 9)");
        assertThat(journal.page("end")).contains(doubles(9)); // what was before it is done
    }

    /** More than a pipe holds, before anything is read or written. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldBearAChildThatFloodsItsErrorsAndPrints(String framing) throws Exception {
        doubling("if self.count == 1:\n    sys.stderr.write('x' * 99 + '\\n' * 3000)\nprint('by mistake')");
        assertThat(Runs.of(allAcked(start(numbers(100, "double.py"), framing), 100), "double")
                        .errors())
                .isZero();
        assertThat(journal.page("end")).hasSize(100);
    }

    /** What has no library that keeps prints apart. */
    @Test
    void shouldTakePrintedLinesForWhatTheyAre() throws Exception {
        script(
                "double.py",
                plain("print('by mistake'); send({'command': 'emit', 'anchors': [t['id']],"
                        + " 'tuple': [t['tuple'][0] * 2], 'need_task_ids': False})"));
        allAcked(start(numbers(50, "double.py"), "json"), 50);
        assertThat(journal.page("end")).hasSize(50);
    }

    @Test
    void shouldSayThatAChildWritesWhatIsNoMessage() throws Exception {
        script("double.py", plain("sys.stdout.write('oops {\\nend\\n'); sys.stdout.flush()"));
        StormRun run = start(numbers(1, "double.py"), "json");
        assertThatThrownBy(run::await)
                .hasMessageContaining("it wrote to its standard output what is no message: oops {")
                .hasMessageContaining("print to standard error");
    }

    @Test
    void shouldSayThatAChildWritesWhatIsNoFrame() throws Exception {
        doubling("os.write(self._channel._answers, b'something that is no frame')\ntime.sleep(1)");
        StormRun run = start(numbers(1, "double.py"), "msgpack");
        assertThatThrownBy(run::await).hasMessageContaining("it wrote what is no frame");
    }

    @Test
    void shouldSayThatAScriptIsNotThere() throws Exception {
        StormRun run = start(numbers(1, "nowhere.py"), "msgpack");
        assertThatThrownBy(run::await)
                .hasMessageContaining("the child 'python3 nowhere.py' ended before its first message (exit code 2")
                .hasMessageContaining("nowhere.py");
    }

    /** With a code that no signal has: it is not started again. */
    @Test
    void shouldSayThatAScriptEndsByItself() throws Exception {
        script("leaves.py", "import sys\nsys.exit(-1)\n");
        StormRun run = start(numbers(1, "leaves.py"), "msgpack");
        assertThatThrownBy(run::await)
                .hasMessageContaining("the child 'python3 leaves.py' ended before its first message (exit code 255)");
    }

    @Test
    void shouldSayThatAnInterpreterIsNotThere() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 1));
        builder.setBolt("double", new Shell.PythonBolt("double.py", "no-such-python", "n"))
                .shuffleGrouping("numbers");
        StormRun run = start(builder, "msgpack");
        assertThatThrownBy(run::await)
                .hasMessageContaining("'no-such-python double.py' cannot be started")
                .hasMessageContaining("is it installed, and on the path?");
    }

    @Test
    void shouldSayThatAFramingIsNotOffered() throws Exception {
        script(
                "double.py",
                plain("pass").replace("\"pid\": os.getpid()", "\"pid\": os.getpid(), \"framing\": \"arrow\""));
        StormRun run = start(numbers(1, "double.py"), "msgpack");
        assertThatThrownBy(run::await)
                .hasMessageContaining("it asks for the framing 'arrow', and [msgpack-1, arrow-1] is offered");
    }

    /** A child that speaks JSON by itself. */
    private static String plain(String act) {
        return """
                import json, os, sys

                def read():
                    lines = []
                    while True:
                        line = sys.stdin.readline()
                        if not line:
                            sys.exit(0)
                        if line.strip() == "end":
                            return json.loads("".join(lines))
                        lines.append(line)

                def send(message):
                    sys.stdout.write(json.dumps(message) + "\\nend\\n")
                    sys.stdout.flush()

                read()
                send({"pid": os.getpid()})
                while True:
                    t = read()
                    if t["stream"] == "__heartbeat":
                        send({"command": "sync"})
                        continue
                    %s
                    send({"command": "ack", "id": t["id"]})
                """.formatted(act);
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldCarryATupleOf50Megabytes(String framing) throws Exception {
        script("double.py", """
                from thalweg.storm import Bolt

                class Large(Bolt):
                    def process(self, tup):
                        self.emit(["x" * 50_000_000])

                Large().run()
                """);
        script("length.py", """
                from thalweg.storm import Bolt

                class Length(Bolt):
                    def process(self, tup):
                        self.emit([len(tup.values[0])])

                Length().run()
                """);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 1));
        builder.setBolt("large", new Shell.PythonBolt("double.py")).shuffleGrouping("numbers");
        builder.setBolt("length", new Shell.PythonBolt("length.py")).shuffleGrouping("large");
        end(builder, "length");
        StormRun run = start(builder, framing);
        journal.await("it is acked", () -> Runs.ended(run) || journal.size("acked") == 1);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end")).containsExactly(50_000_000);
    }

    /** Without ids nobody else would know of them: nothing is pending. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldCountWhatAChildHasNotAckedAtTheEnd(String framing) throws Exception {
        doubling(
                "if tup.values[0] == 5:\n    open(os.path.join(self.marks, 'begun'), 'w').close()\n    time.sleep(600)");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 30).withoutIds());
        builder.setBolt("double", new Shell.PythonBolt("double.py")).shuffleGrouping("numbers");
        end(builder, "double");
        StormRun run = start(builder, framing);
        journal.await("it hangs", () -> Runs.ended(run) || Files.exists(resources.resolve("begun")));
        journal.await(
                "it was given all, and has acked five",
                () -> Runs.ended(run)
                        || (Runs.of(run.stats(), "double").executed() == 30
                                && Runs.of(run.stats(), "double").acked() == 5));
        assertThat(run.stop(Duration.ZERO, BUSY)).isTrue();
        assertThat(run.unacked()).isEqualTo(Map.of("double", 25L));
        assertThat(List.of(run.pending(), run.dropped())).containsExactly(0L, 0L);
    }

    /** One that a task hook has registered, as prepare of a component in Java would. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldLetAChildChangeAMetric(String framing) throws Exception {
        Metered.journal = journal;
        doubling(
                "self.update_metric('numbers', tup.values[0])\n"
                        + "if tup.values[0] == 4:\n    self.update_metric('numbers', 'four')\n    self.update_metric('others', 1)");
        List<ComponentStats> stats = allAcked(
                start(
                        numbers(10, "double.py"),
                        framing,
                        Config.TOPOLOGY_AUTO_TASK_HOOKS,
                        List.of(Metered.class.getName())),
                10);
        assertThat(((CountShellMetric) journal.page("metric").get(0)).getValueAndReset())
                .isEqualTo(45L);
        ComponentStats bolt = Runs.of(stats, "double");
        assertThat(bolt.errors()).as("a text, and a metric that is not there").isEqualTo(2);
        assertThat(bolt.lastError()).contains("a metric 'others', and the component has registered no IShellMetric");
    }

    /** Registers a metric for the child. */
    public static final class Metered extends BaseTaskHook {
        private static volatile Journal journal;

        @Override
        @SuppressWarnings("deprecation") // what a child can change
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            if (context.getThisComponentId().equals("double")) {
                journal.note("metric", context.registerMetric("numbers", new CountShellMetric(), 1));
            }
        }
    }

    /** The child is ended, and the next one gets all that was not acked. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldLoseNothingByAMessageThatCannotBeRead(String framing) throws Exception {
        if (framing.equals("json")) {
            script("double.py", plain("""
                    if t["tuple"][0] == 7 and not os.path.exists("torn"):
                            open("torn", "w").close()
                            sys.stdout.write("oops {\\nend\\n")
                        send({"command": "emit", "anchors": [t["id"]], "tuple": [t["tuple"][0] * 2], "need_task_ids": False})
                    """.stripTrailing()));
        } else {
            doubling("if tup.values[0] == 7 and self.once('torn'):\n"
                    + "    os.write(self._channel._answers, b'something that is no frame')\n    time.sleep(600)");
        }
        List<ComponentStats> stats = allAcked(start(numbers(20, "double.py"), framing), 20);
        assertThat(resources.resolve("torn")).exists();
        assertThat(Runs.of(stats, "numbers").failed()).isZero();
    }

    /** The child writes more than all pipes and queues hold before it reads again, and nobody takes it meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldNotDeadlockWithAChildThatWritesBeforeItReads(String framing) throws Exception {
        doubling("for n in range(8_000):\n    self.emit([tup.values[0] * 2], anchors=[])");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 3));
        builder.setBolt("double", new Shell.PythonBolt("double.py")).shuffleGrouping("numbers");
        builder.setBolt("end", new Script(journal, (tuple, scene) -> {
                    if (scene.journal.counter("taken").incrementAndGet() == 1) {
                        scene.journal.await("all are sent", () -> scene.journal.size("emitted") == 3);
                    }
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("double");
        StormRun run = start(builder, framing);
        journal.await("all are acked", () -> Runs.ended(run) || journal.size("acked") == 3);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(Runs.of(run.stats(), "end").executed()).isEqualTo(3 * 8_001);
    }

    /** Answers to what it asks fill the pipe that it does not read, and what it writes fills the other one. */
    @Test
    void shouldNotDeadlockWithAChildThatAsksAgainBeforeItReadsAnAnswer() throws Exception {
        script("double.py", BY_HAND + """
                def answers():
                    while True:
                        message = read()
                        if isinstance(message, list):
                            yield message
                        elif message["stream"] == "__heartbeat":
                            send({"command": "sync"})

                tup = read()
                while tup["stream"] == "__heartbeat":
                    send({"command": "sync"})
                    tup = read()
                for n in range(30_000):
                    send({"command": "emit", "tuple": [n], "anchors": [tup["id"]]})
                told = answers()
                for n in range(30_000):
                    assert len(next(told)) == 1
                send({"command": "ack", "id": tup["id"]})
                next(told)
                """);
        List<ComponentStats> stats = allAcked(start(numbers(1, "double.py"), "json"), 1);
        assertThat(Runs.of(stats, "end").executed()).isEqualTo(30_000);
        assertThat(journal.page("end"))
                .isEqualTo(IntStream.range(0, 30_000).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldTellTheTasksThatATupleWentTo(String framing) throws Exception {
        doubling("tasks = self.emit([tup.values[0]], need_task_ids=True)\nassert len(tasks) == 1, tasks");
        List<ComponentStats> stats = allAcked(start(numbers(300, "double.py"), framing), 300);
        assertThat(stats).allMatch(each -> each.errors() == 0 && each.failed() == 0);
        assertThat(Runs.of(stats, "end").executed()).isEqualTo(600);
    }

    @Test
    void shouldFailATupleWhoseCallRaises() throws Exception {
        doubling("if tup.values[0] == 3 and self.once('raised'):\n    raise ValueError('three')");
        List<ComponentStats> stats = allAcked(start(numbers(10, "double.py"), "msgpack"), 10);
        assertThat(Runs.of(stats, "numbers").failed()).isEqualTo(1);
        assertThat(Runs.of(stats, "double").errors()).isEqualTo(1);
        assertThat(Runs.of(stats, "double").lastError()).contains("ValueError: three");
    }

    /** What is emitted before a long call is not kept back until its end. */
    @Test
    void shouldFlushWhatACallHasEmittedWhileItGoesOn() throws Exception {
        doubling("""
                self.emit([tup.values[0]])
                while not os.path.exists(os.path.join(self.marks, "seen")):
                    time.sleep(0.001)""");
        StormRun run = start(numbers(1, "double.py"), "msgpack");
        journal.await("end", 1);
        script("seen", "");
        journal.await("acked", 1);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end")).hasSize(2);
    }

    @Test
    void shouldGiveABoltAllThatCameTogether() throws Exception {
        script("double.py", """
                from thalweg.storm import Bolt

                class Double(Bolt):
                    def process_batch(self, tuples):
                        for tup in tuples:
                            self.emit([tup.values[0] * 2], anchors=[tup])

                Double().run()
                """);
        allAcked(start(numbers(1_000, "double.py"), "msgpack"), 1_000);
        assertThat(journal.page("end")).hasSize(1_000);
    }

    @Test
    void shouldTick() throws Exception {
        script("double.py", """
                from thalweg.storm import Bolt

                class Ticking(Bolt):
                    def process(self, tup):
                        pass

                    def process_tick(self, tup):
                        self.emit([-1])

                Ticking().run()
                """);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 1));
        builder.setBolt("double", new Shell.PythonBolt("double.py"))
                .shuffleGrouping("numbers")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
        end(builder, "double");
        StormRun run = start(builder, "msgpack");
        journal.await("end", 1);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end")).contains(-1);
    }

    /** As in the guide. */
    @Test
    void shouldSplitLines() throws Exception {
        try (InputStream in =
                Objects.requireNonNull(MultilangTest.class.getResourceAsStream("/resources/split.py"), "split.py")) {
            Files.copy(in, resources.resolve("split.py"));
        }
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 1));
        builder.setBolt(
                        "lines",
                        new Script(journal, (tuple, scene) -> {
                                    scene.collector.emit(tuple, new Values("the line of fastest flow"));
                                    scene.collector.ack(tuple);
                                })
                                .emits("n"))
                .shuffleGrouping("numbers");
        builder.setBolt("split", new Shell.PythonBolt("split.py")).shuffleGrouping("lines");
        end(builder, "split");
        StormRun run = start(builder, "msgpack");
        journal.await("acked", 1);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end")).containsExactly("the", "line", "of", "fastest", "flow");
    }

    /** Values of all kinds come back as JSON would bring them. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldCarryValues(String framing) throws Exception {
        script("double.py", """
                from thalweg.storm import Bolt

                class Same(Bolt):
                    def process(self, tup):
                        assert tup.values == [[1, 2.5, "é", None, True, {"a": [1 << 40, -1]}]], tup.values
                        self.emit(tup.values)

                Same().run()
                """);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 1));
        builder.setBolt(
                        "all",
                        new Script(journal, (tuple, scene) -> {
                                    List<Object> values = java.util.Arrays.asList(
                                            1, 2.5, "é", null, true, Map.of("a", List.of(1L << 40, -1)));
                                    scene.collector.emit(tuple, new Values(values));
                                    scene.collector.ack(tuple);
                                })
                                .emits("n"))
                .shuffleGrouping("numbers");
        builder.setBolt("double", new Shell.PythonBolt("double.py")).shuffleGrouping("all");
        end(builder, "double");
        StormRun run = start(builder, framing);
        journal.await("it is acked", () -> Runs.ended(run) || journal.size("acked") == 1);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(((List<?>) journal.page("end").get(0)).toArray())
                .containsExactly(1, 2.5, "é", null, true, Map.of("a", List.of(1L << 40, -1)));
    }

    private static final String SAME = """
            from thalweg.storm import Bolt

            class Same(Bolt):
                def process(self, tup):
                    self.emit(tup.values)

            Same().run()
            """;

    /** As texts, of which every tenth has half a surrogate pair when a number comes for the first time. */
    private TopologyBuilder texts(int many) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, many));
        builder.setBolt(
                        "texts",
                        new Script(journal, (tuple, scene) -> {
                                    int n = tuple.getInteger(0);
                                    boolean half = n % 10 == 3
                                            && scene.journal
                                                            .counter("tried " + n)
                                                            .incrementAndGet()
                                                    == 1;
                                    scene.collector.emit(tuple, new Values(List.of("?" + n + (half ? "\ud800" : ""))));
                                    scene.collector.ack(tuple);
                                })
                                .emits("n"))
                .shuffleGrouping("numbers");
        builder.setBolt("double", new Shell.PythonBolt("double.py")).shuffleGrouping("texts");
        end(builder, "double");
        return builder;
    }

    @Test
    void shouldFailATupleWithHalfASurrogatePair_andNoOther() throws Exception {
        script("double.py", SAME);
        StormRun run = start(texts(500), "msgpack");
        journal.await(
                "all are acked",
                () -> Runs.ended(run)
                        || journal.page("acked").stream().distinct().count() == 500);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end"))
                .containsExactlyInAnyOrder(
                        IntStream.range(0, 500).mapToObj(n -> List.of("?" + n)).toArray());
        ComponentStats bolt = Runs.of(run.stats(), "double");
        assertThat(bolt.errors()).isEqualTo(50);
        assertThat(bolt.lastError())
                .matches(
                        ".*: the tuple \\[\\[\\?\\d+\\\\ud800]] of 'texts', stream 'default', cannot be sent to a child,"
                                + " and fails: field 'n': element 0: the text contains half a surrogate pair, which UTF-8 cannot"
                                + " encode");
        assertThat(Runs.of(run.stats(), "numbers").failed()).isEqualTo(50);
    }

    @Test
    void shouldCarryHalfASurrogatePairByJson() throws Exception {
        script("double.py", SAME);
        StormRun run = start(texts(20), "json");
        journal.await("all are acked", () -> Runs.ended(run) || journal.size("acked") == 20);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end"))
                .containsExactlyInAnyOrder(IntStream.range(0, 20)
                        .mapToObj(n -> List.of("?" + n + (n % 10 == 3 ? "\ud800" : "")))
                        .toArray());
    }

    /** As that of a worker of Storm's. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldFindTheEnvironmentOfTheTopology(String framing) throws Exception {
        doubling("assert os.environ['CITY'] == 'Linz' and os.environ['PATH'], os.environ");
        Map<String, String> environment = Map.of("CITY", "Linz");
        List<ComponentStats> stats =
                allAcked(start(numbers(3, "double.py"), framing, Config.TOPOLOGY_ENVIRONMENT, environment), 3);
        assertThat(stats).allMatch(each -> each.errors() == 0 && each.failed() == 0);
    }

    @Test
    void shouldSayWhichValueCannotBeSent() throws Exception {
        doubling("pass");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 1));
        builder.setBolt(
                        "odd",
                        new Script(journal, (tuple, scene) -> scene.collector.emit(tuple, new Values(new BitSet())))
                                .emits("n"))
                .shuffleGrouping("numbers");
        builder.setBolt("double", new Shell.PythonBolt("double.py")).shuffleGrouping("odd");
        StormRun run = start(builder, "msgpack");
        assertThatThrownBy(run::await)
                .hasMessageContaining("the tuple [{}] of 'odd' cannot be sent to a child")
                .hasMessageContaining("java.util.BitSet");
    }

    // ---- spouts

    private static final String COUNT = """
            import os, signal, time
            from thalweg.storm import Spout

            class Count(Spout):
                def initialize(self, conf, context):
                    self.todo = list(range(300))
                    self.marks = conf["marks"]
                    self.done = 0

                def next_tuple(self):
                    if self.todo:
                        number = self.todo.pop(0)
                        self.emit([number], tup_id=number)

                def ack(self, tup_id):
                    self.done += 1
                    with open(os.path.join(self.marks, "acked"), "a") as file:
                        file.write("%%d\\n" %% tup_id)
                    %s

                def fail(self, tup_id):
                    self.todo.append(tup_id)

            Count().run()
            """;

    private TopologyBuilder counting() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("count", new Shell.PythonSpout("count.py"));
        builder.setBolt("end", new Script(journal, (tuple, scene) -> {
                    Integer n = tuple.getInteger(0);
                    if (n % 10 == 3 && scene.journal.counter("tried " + n).incrementAndGet() == 1) {
                        scene.collector.fail(tuple);
                    } else {
                        scene.journal.note("end", n);
                        scene.collector.ack(tuple);
                    }
                }))
                .shuffleGrouping("count");
        return builder;
    }

    private long acked() {
        try {
            return Files.exists(resources.resolve("acked"))
                    ? Files.readAllLines(resources.resolve("acked")).stream()
                            .distinct()
                            .count()
                    : 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldRunASpout(String framing) throws Exception {
        script("count.py", COUNT.formatted("pass"));
        StormRun run = start(counting(), framing, Config.TOPOLOGY_MAX_SPOUT_PENDING, 50);
        journal.await("all are acked", () -> Runs.ended(run) || acked() == 300);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end"))
                .containsExactlyInAnyOrder(IntStream.range(0, 300).boxed().toArray());
        ComponentStats spout = Runs.of(run.stats(), "count");
        assertThat(spout.failed()).isEqualTo(30);
        assertThat(spout.acked()).isEqualTo(300);
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldStartASpoutAgainThatDies(String framing) throws Exception {
        script("count.py", COUNT.formatted("""
                if self.done == 100 and not os.path.exists(self.marks + '/died'):
                            open(self.marks + '/died', 'w').close()
                            os.kill(os.getpid(), signal.SIGKILL)"""));
        StormRun run = start(counting(), framing);
        journal.await("all are acked", () -> Runs.ended(run) || acked() == 300);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end")).contains(IntStream.range(0, 300).boxed().toArray());
    }

    /** A topology that is started again would leave one behind each time. */
    @Test
    void shouldEndTheChildOfATask_ifThatOfTheNextOneDoesNotStart() throws Exception {
        script("count.py", """
                import os, sys
                if os.path.exists("begun"):
                    sys.exit(3)
                open("begun", "w").close()
                """ + COUNT.formatted("pass"));
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("count", new Shell.PythonSpout("count.py"), 1).setNumTasks(2);
        end(builder, "count");
        StormRun run = start(builder, "msgpack");
        assertThatThrownBy(run::await)
                .hasMessageContaining("the child 'python3 count.py' ended before its first message (exit code 3)");
        assertNoChild("count.py");
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("thalweg-count-timeouts"))
                .forEach(thread -> journal.await("the end of " + thread, () -> !thread.isAlive()));
    }

    /** Each is acked while the call that emits it lasts, since nothing is tracked. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack"})
    void shouldAckWhatASpoutEmitsInOneCallWithoutAckers(String framing) throws Exception {
        script(
                "count.py",
                COUNT.formatted("pass")
                        .replace("if self.todo", "while self.todo")
                        .replace("300", "20_000"));
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("count", new Shell.PythonSpout("count.py"));
        end(builder, "count");
        StormRun run = start(builder, framing, Config.TOPOLOGY_ACKER_EXECUTORS, 0);
        journal.await("all are acked", () -> Runs.ended(run) || acked() == 20_000);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end"))
                .containsExactly(IntStream.range(0, 20_000).boxed().toArray());
    }

    /** Answers to what it asks fill the pipe that it does not read, and what it emits fills the other one. */
    @Test
    void shouldNotDeadlockWithASpoutThatEmitsAgainBeforeItReadsAnAnswer() throws Exception {
        script("count.py", BY_HAND + """
                todo = [0, 30_000]
                while True:
                    if read()["command"] == "next" and todo:
                        begin = todo.pop(0)
                        for n in range(begin, begin + 30_000):
                            send({"command": "emit", "tuple": [n]})
                        for n in range(30_000):
                            assert len(read()) == 1
                    send({"command": "sync"})
                """);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("count", new Shell.PythonSpout("count.py"));
        end(builder, "count");
        StormRun run = start(builder, "json");
        journal.await("all have come", () -> Runs.ended(run) || journal.size("end") == 60_000);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end"))
                .isEqualTo(IntStream.range(0, 60_000).boxed().toList());
    }

    @Test
    void shouldLeaveNoChildBehind() throws Exception {
        doubling("pass");
        StormRun run = start(numbers(5, "double.py"), "msgpack");
        allAcked(run, 5);
        assertNoChild("double.py");
    }

    /** Nor one that heeds no signal, and does not read what is being written to it. */
    @Test
    void shouldLeaveNoChildBehind_thatDoesNotEnd() throws Exception {
        doubling("signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, 20_000).withoutIds());
        builder.setBolt("double", new Shell.PythonBolt("double.py")).shuffleGrouping("numbers");
        end(builder, "double");
        StormRun run = start(builder, "json");
        journal.await(
                "the pipe is full",
                () -> Runs.ended(run)
                        || Thread.getAllStackTraces().entrySet().stream()
                                .anyMatch(each -> each.getKey().getName().equals("thalweg-double-writer")
                                        && each.getValue().length > 0
                                        && each.getValue()[0].getMethodName().equals("writeBytes")));
        assertThat(run.stop(Duration.ZERO, BUSY)).isTrue();
        assertNoChild("double.py");
    }

    private void assertNoChild(String script) {
        journal.await(
                "no child runs " + script,
                () -> ProcessHandle.current()
                        .descendants()
                        .noneMatch(each -> each.info().commandLine().orElse("").contains(script)));
    }
}

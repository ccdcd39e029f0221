// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.serializers.FieldSerializer;
import io.thalweg.api.connector.ConnectorException;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.tools.ToolProvider;
import org.apache.storm.Config;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.state.DefaultStateSerializer;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileStateTest {
    private static final ClassLoader LOADER = FileStateTest.class.getClassLoader();

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("count-3.log");
    }

    private FileState<String, Long> open() {
        return open(false);
    }

    private FileState<String, Long> open(boolean skips) {
        return new FileState<>(
                "count-3",
                StateLog.open(file(), skips),
                new DefaultStateSerializer<>(),
                new DefaultStateSerializer<>(),
                failure -> {
                    throw failure;
                });
    }

    private static Map<String, Long> all(FileState<String, Long> state) {
        Map<String, Long> all = new HashMap<>();
        state.forEach(each -> all.put(each.getKey(), each.getValue()));
        return all;
    }

    @Test
    void shouldHoldWhatWasPut() {
        FileState<String, Long> state = open();
        state.put("a", 1L);
        state.put("b", 2L);
        state.put("a", 3L);
        assertThat(state.get("a")).isEqualTo(3);
        assertThat(state.get("c")).isNull();
        assertThat(state.get("c", 7L)).isEqualTo(7);
        assertThat(state.delete("b")).isEqualTo(2);
        assertThat(all(state)).isEqualTo(Map.of("a", 3L));
    }

    @Test
    void shouldHoldNull() {
        FileState<String, Long> state = open();
        state.put("a", null);
        assertThat(state.get("a", 7L)).isNull();
        assertThat(all(state)).containsEntry("a", null).hasSize(1);
    }

    /** In a checkpoint Storm would try it again, for ever. */
    @Test
    void shouldSayWhatCannotBeSerialized_orRead() {
        List<RuntimeException> failures = new ArrayList<>();
        FileState<String, Object> state = new FileState<>(
                "count-3",
                StateLog.open(file(), false),
                new DefaultStateSerializer<>(),
                new DefaultStateSerializer<>() {
                    @Override
                    public byte[] serialize(Object value) {
                        if (value instanceof String) {
                            throw new IllegalStateException(
                                    new IllegalArgumentException(
                                            "Class is not registered: a.B\nNote: To register this class use: kryo.register(a.B.class);"));
                        }
                        return super.serialize(value);
                    }

                    @Override
                    public Object deserialize(byte[] bytes) {
                        throw new StackOverflowError();
                    }
                },
                failures::add);
        String unregistered = "the state 'count-3' cannot be serialized: Class is not registered: a.B; register it with"
                + " topology.kryo.register";
        assertThatThrownBy(() -> state.put("a", "b"))
                .isInstanceOf(ConnectorException.class)
                .hasMessage(unregistered);
        state.put("a", 1L);
        assertThatThrownBy(() -> state.get("a"))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("the state 'count-3' cannot be read: java.lang.StackOverflowError");
        assertThat(failures).hasSize(2);
    }

    /** Each way in which a process may be killed, and what Storm's checkpoint then asks for. */
    @Test
    void shouldHoldWhatWasCommittedWhenItIsOpenedAgain() {
        FileState<String, Long> state = open();
        state.put("a", 1L);
        state.prepareCommit(1);
        state.commit(1);
        state.put("a", 2L);
        state.prepareCommit(2);
        state.put("a", 3L);

        FileState<String, Long> committing = open();
        assertThat(committing.get("a")).as("what was not prepared is gone").isEqualTo(2);
        committing.commit(2);
        committing.commit(2); // others had not, so it is asked of all again
        committing.delete("a");
        committing.prepareCommit(3);

        FileState<String, Long> rollingBack = open();
        assertThat(rollingBack.get("a")).isNull();
        rollingBack.rollback();
        assertThat(rollingBack.get("a")).isEqualTo(2);
        assertThat(all(open())).isEqualTo(Map.of("a", 2L));
        assertThatThrownBy(() -> rollingBack.commit(3)).hasMessage("transaction 3 is not prepared");
    }

    /** A window that is still recovering prepares nothing; a job that is killed then may be asked to commit it when it starts again. */
    @Test
    void shouldCommitNothing_ifATransactionMayBeLeftOut() {
        FileState<String, Long> state = open(true);
        state.put("a", 1L);
        state.prepareCommit(1);
        state.commit(1);
        state.close();

        FileState<String, Long> again = open(true);
        again.commit(2);
        assertThat(all(again)).isEqualTo(Map.of("a", 1L));
        again.put("a", 3L);
        again.prepareCommit(3);
        assertThatThrownBy(() -> again.commit(2)).hasMessage("transaction 2 is not prepared");
        again.commit(3);
        assertThat(all(open())).isEqualTo(Map.of("a", 3L));
    }

    @Test
    void shouldCommitWithoutATransaction() {
        FileState<String, Long> state = open();
        state.put("a", 1L);
        state.commit();
        state.put("a", 2L);
        assertThat(all(open())).isEqualTo(Map.of("a", 1L));
    }

    /** As a process that is killed while it writes leaves it, at each place. */
    @Test
    void shouldCutOffWhatWasWrittenInPart() throws Exception {
        FileState<String, Long> state = open();
        state.put("a", 1L);
        state.prepareCommit(1);
        state.commit(1);
        long whole = Files.size(file());
        state.put("a", 2L);
        state.prepareCommit(2);
        long more = Files.size(file());
        state.close();
        for (long size = more - 1; size >= whole; size--) {
            try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
                channel.truncate(size);
            }
            FileState<String, Long> again = open();
            assertThat(all(again)).isEqualTo(Map.of("a", 1L));
            again.close();
            assertThat(Files.size(file())).isEqualTo(whole);
            try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
                channel.write(java.nio.ByteBuffer.allocate((int) (size - 1 - whole > 0 ? size - 1 - whole : 0)));
            }
        }
    }

    @Test
    void shouldSayThatAFileIsDamaged() throws Exception {
        FileState<String, Long> state = open();
        state.put("a", 1L);
        state.prepareCommit(1);
        state.commit(1);
        state.close();
        byte[] content = Files.readAllBytes(file());
        content[12] ^= 1;
        Files.write(file(), content);
        assertThatThrownBy(this::open)
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining(file() + " is damaged: checksum mismatch at offset 0");
    }

    /** A length that is damaged must not pass for the end of what was written. */
    @Test
    void shouldRefuseAFileInWhichAnyBitButThoseOfItsLastEntryIsDamaged() throws Exception {
        FileState<String, Long> state = open();
        state.put("a", 1L);
        state.prepareCommit(1);
        state.commit(1);
        long whole = Files.size(file());
        state.put("a", 2L);
        state.prepareCommit(2);
        state.close();
        byte[] content = Files.readAllBytes(file());
        for (int bit = 0; bit < whole * Byte.SIZE; bit++) {
            byte[] damaged = content.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            Files.write(file(), damaged);
            assertThatThrownBy(this::open)
                    .as("bit %d", bit)
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining(" is damaged: checksum mismatch at offset ");
            assertThat(Files.readAllBytes(file())).isEqualTo(damaged);
        }
    }

    @Test
    void shouldNotCommitToAFileThatIsNotThereAnyMore() throws Exception {
        FileState<String, Long> state = open();
        state.put("a", 1L);
        state.prepareCommit(1);
        Path elsewhere = Files.move(file(), folder.resolve("elsewhere"));
        assertThatThrownBy(() -> state.commit(1))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("the state of a bolt cannot be written: " + file()
                        + " was moved, replaced or removed while the topology ran");
        Files.copy(elsewhere, file());
        assertThatThrownBy(() -> state.commit(1)).hasMessageContaining(" was moved, replaced or removed ");
        state.close();
    }

    /** With random transactions, as a map would hold it; and the file does not grow without end. */
    @Test
    void shouldEqualAMapAndStaySmall() throws Exception {
        Random random = new Random(71);
        Map<String, Long> committed = new HashMap<>();
        Map<String, Long> now = new HashMap<>();
        FileState<String, Long> state = open();
        for (int txid = 0; txid < 400; txid++) {
            for (int i = 0; i < 100; i++) {
                String key = "key " + random.nextInt(200) + " ".repeat(100);
                if (random.nextInt(4) == 0) {
                    state.delete(key);
                    now.remove(key);
                } else {
                    state.put(key, (long) i);
                    now.put(key, (long) i);
                }
            }
            state.prepareCommit(txid);
            if (random.nextInt(5) == 0) {
                state.rollback();
                now = new HashMap<>(committed);
            } else {
                state.commit(txid);
                committed = new HashMap<>(now);
            }
            if (random.nextInt(20) == 0) {
                state.close();
                state = open();
            }
        }
        assertThat(all(state)).isEqualTo(committed);
        assertThat(all(open())).isEqualTo(committed);
        assertThat(Files.size(file())).isLessThan(2_000_000);
    }

    /** As those of a jar that {@code thalweg storm run} is given, which Storm's own loader does not see. */
    @Test
    void shouldReadAValueOfAClassThatTheTopologyAloneHas() throws Exception {
        try (URLClassLoader topology = withTotal();
                StateFolder all = StateFolder.open(folder.resolve("state"), "totals", "1", Map.of(), topology)) {
            Object total = topology.loadClass("Total").getConstructor().newInstance();
            FileState<Object, Object> state = all.state("total-1", Map.of(), null);
            state.put("all", total);
            assertThat(state.get("all")).hasSameClassAs(total);
        }
    }

    /** As a window keeps it, by each way in which Storm serializes it. */
    @Test
    void shouldReadATupleWithAValueOfAClassThatTheTopologyAloneHas() throws Exception {
        Map<String, Map<String, Object>> ways = new HashMap<>(Map.of(
                "registered",
                Map.of(Config.TOPOLOGY_KRYO_REGISTER, List.of("Total")),
                "registered with its serializer",
                Map.of(Config.TOPOLOGY_KRYO_REGISTER, List.of(Map.of("Total", FieldSerializer.class.getName()))),
                "by Java serialization",
                Map.of(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true),
                "by a decorator",
                Map.of(Config.TOPOLOGY_KRYO_DECORATORS, List.of("Registers")),
                "by a factory",
                Map.of(Config.TOPOLOGY_KRYO_FACTORY, "Makes"),
                "by a decorator beside one that may be missing",
                Map.of(
                        Config.TOPOLOGY_KRYO_DECORATORS,
                        List.of("Gone", "Registers"),
                        Config.TOPOLOGY_SKIP_MISSING_KRYO_REGISTRATIONS,
                        true)));
        ways.put(
                "by Java serialization and a factory",
                Map.of(Config.TOPOLOGY_KRYO_FACTORY, "Plain", Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true));
        try (URLClassLoader topology = withTotal();
                StateFolder all = StateFolder.open(folder.resolve("state"), "totals", "1", Map.of(), topology)) {
            Object total = topology.loadClass("Total").getConstructor().newInstance();
            for (Map.Entry<String, Map<String, Object>> way : ways.entrySet()) {
                Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
                conf.putAll(way.getValue());
                TopologyContext context = words(conf);
                FileState<Object, Object> state = all.state(way.getKey(), conf, context);
                state.put("tuple", new TupleImpl(context, List.of(total), "words", 1, Utils.DEFAULT_STREAM_ID));
                assertThat(((Tuple) state.get("tuple")).getValue(0))
                        .as(way.getKey())
                        .hasSameClassAs(total);
            }
        }
    }

    /** And not in each checkpoint, which Storm would try again without end. */
    @Test
    void shouldRefuseWhatKryoIsToHaveAndCannot_beforeAnythingIsKept() throws Exception {
        try (URLClassLoader topology = withTotal();
                StateFolder all = StateFolder.open(folder.resolve("state"), "totals", "1", Map.of(), topology)) {
            refuses(all, Config.TOPOLOGY_KRYO_REGISTER, List.of("Gone"), "names the class Gone, which is not on");
            refuses(all, Config.TOPOLOGY_KRYO_DECORATORS, List.of("Gone"), "names the class Gone, which is not on");
            refuses(all, Config.TOPOLOGY_KRYO_DECORATORS, List.of("Total"), "names Total, which cannot be made");
            refuses(all, Config.TOPOLOGY_KRYO_FACTORY, "Gone", "names the class Gone, which is not on");
            refuses(all, Config.TOPOLOGY_KRYO_FACTORY, "Total", "names Total, which cannot be made");
        }
    }

    private static void refuses(StateFolder all, String option, Object value, String problem) {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(option, value);
        TopologyContext context = words(conf);
        assertThatThrownBy(() -> all.state(option + value, conf, context))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(option + " " + problem);
    }

    private URLClassLoader withTotal() throws Exception {
        compile("Total", "public class Total implements java.io.Serializable { public long sum; }");
        compile("Registers", """
                public class Registers implements org.apache.storm.serialization.IKryoDecorator {
                    public void decorate(com.esotericsoftware.kryo.Kryo kryo) {
                        kryo.register(Total.class);
                    }
                }
                """);
        compile("Makes", """
                public class Makes extends org.apache.storm.serialization.DefaultKryoFactory {
                    @Override
                    public void preRegister(com.esotericsoftware.kryo.Kryo kryo, java.util.Map<String, Object> conf) {
                        kryo.register(Total.class);
                    }
                }
                """);
        compile("Plain", "public class Plain extends org.apache.storm.serialization.DefaultKryoFactory {}");
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
    }

    private void compile(String name, String text) throws IOException {
        Path source = Files.writeString(folder.resolve(name + ".java"), text);
        String classPath = folder + File.pathSeparator + System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-cp", classPath, source.toString()))
                .isZero();
    }

    /** Of a task of a spout. */
    private static TopologyContext words(Map<String, Object> conf) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        return new TopologyContext(
                topology.createTopology(),
                conf,
                Map.of(1, "words"),
                Map.of("words", List.of(1)),
                Map.of("words", Map.of(Utils.DEFAULT_STREAM_ID, new Fields("word"))),
                new HashMap<>(),
                "1",
                "code",
                "pids",
                1,
                6700,
                List.of(1),
                new HashMap<>(),
                new HashMap<>(),
                new HashMap<>(),
                new HashMap<>(),
                new AtomicBoolean(),
                new StormMetricRegistry());
    }

    // ---- folders

    @Test
    void shouldRefuseTwoRunsAtOnceAndOtherTasks() {
        StateFolder.open(folder, "a/b", "1", Map.of("count", List.of(3, 4)), LOADER)
                .close();
        try (StateFolder first = StateFolder.open(folder, "a/b", "2", Map.of("count", List.of(3, 4)), LOADER)) {
            assertThat(first.failure()).isNull();
            assertThatThrownBy(() -> StateFolder.open(folder, "a/b", "3", Map.of("count", List.of(3, 4)), LOADER))
                    .hasMessageContaining("the state of topology 'a/b' in ")
                    .hasMessageContaining(" is used by another run; stop that one");
            StateFolder.open(folder, "other", "4", Map.of(), LOADER).close();
        }
        assertThatThrownBy(() -> StateFolder.open(folder, "a/b", "5", Map.of("count", List.of(3, 4, 5)), LOADER))
                .hasMessageContaining("belongs to other tasks: it had [count [3, 4]] and has [count [3, 4, 5]]");
    }

    @Test
    void shouldLetOnlyItsOwnerRead() throws Exception {
        StateFolder.open(folder.resolve("new"), "words", "1", Map.of(), LOADER).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("new/words"))))
                .isEqualTo("rwx------");
    }

    @Test
    void shouldKeepStateBelowItsFolderOnly() {
        for (String name : List.of("", ".", "..")) {
            assertThatThrownBy(() -> StateFolder.open(folder.resolve("all"), name, "1", Map.of(), LOADER))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("no folder there can have its name");
        }
        StateFolder.open(folder.resolve("all"), "../words", "1", Map.of(), LOADER)
                .close();
        assertThat(folder).isDirectoryNotContaining("glob:**words*");
    }

    @Test
    void shouldSayThatAFolderCannotBeUsed() throws Exception {
        Path text = Files.writeString(folder.resolve("text"), "no folder");
        assertThatThrownBy(() -> StateFolder.open(text, "words", "1", Map.of(), LOADER))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("the state of topology 'words' cannot be kept in " + text);
    }
}

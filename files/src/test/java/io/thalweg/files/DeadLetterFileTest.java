// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.MessageHeader;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class DeadLetterFileTest {
    private static final int WRITERS = 3;
    private static final int LINES = 400;

    @TempDir
    Path folder;

    private final List<String> warnings = new ArrayList<>();

    private Path letters() {
        return folder.resolve("letters.jsonl");
    }

    private static BadRecord record(int number, String text) {
        return new BadRecord("in", number, number, "bad", text.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(DeadLetterFile to, int number, String text) {
        to.accept("topology", "operator", record(number, text));
    }

    private static int lineBytes() {
        return 120;
    }

    @Test
    void shouldKeepTheKeyAndTheHeadersOfAMessage() throws Exception {
        byte[] key = {'k'};
        List<MessageHeader> headers =
                List.of(new MessageHeader("h", new byte[] {'v'}), new MessageHeader("none", null));
        try (DeadLetterFile file = new DeadLetterFile(letters())) {
            file.accept(
                    "topology",
                    "operator",
                    new BadRecord("orders-0", 0, 7, "bad", new byte[] {(byte) 0xff}, key, headers));
        }
        assertThat(letters())
                .hasContent("{\"topology\":\"topology\",\"operator\":\"operator\",\"split\":\"orders-0\",\"line\":0,"
                        + "\"offset\":7,\"reason\":\"bad\",\"bytes\":\"/w==\",\"key\":\"aw==\",\"keyText\":\"k\","
                        + "\"headers\":[{\"name\":\"h\",\"value\":\"dg==\",\"text\":\"v\"},"
                        + "{\"name\":\"none\",\"value\":null}]}\n");
    }

    @Test
    void shouldKeepWholeLinesForItsOwnerOnly() throws Exception {
        try (DeadLetterFile file = new DeadLetterFile(letters())) {
            assertThat(letters()).doesNotExist();
            write(file, 7, "x");
        }
        assertThat(letters())
                .hasContent("{\"topology\":\"topology\",\"operator\":\"operator\",\"split\":\"in\",\"line\":7,"
                        + "\"offset\":7,\"reason\":\"bad\",\"bytes\":\"eA==\",\"text\":\"x\"}\n");
        assertThat(Files.size(letters())).isEqualTo(lineBytes());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(letters())))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldAppendBehindATornLine() throws Exception {
        Files.writeString(letters(), "{\"topology\":\"to");
        try (DeadLetterFile file = new DeadLetterFile(letters())) {
            write(file, 1, "x");
            write(file, 2, "x");
        }
        try (DeadLetterFile file = new DeadLetterFile(letters())) {
            write(file, 3, "x");
        }
        List<String> lines = Files.readAllLines(letters());
        assertThat(lines).hasSize(4).first().isEqualTo("{\"topology\":\"to");
        assertThat(lines.subList(1, 4))
                .allSatisfy(line -> assertThat(numberIn(line)).isPositive());
    }

    @Test
    void shouldEndALineThatAnotherProcessLeavesTornMeanwhile() throws Exception {
        try (DeadLetterFile file = new DeadLetterFile(letters())) {
            write(file, 1, "x");
            Files.writeString(letters(), "{\"top", StandardOpenOption.APPEND);
            write(file, 2, "x");
        }
        assertThat(Files.readAllLines(letters())).hasSize(3).element(1).isEqualTo("{\"top");
    }

    @Test
    void shouldKeepNoMoreThanItMay() throws Exception {
        Files.writeString(letters(), "before\n");
        try (DeadLetterFile file = new DeadLetterFile(letters(), 7 + 2 * lineBytes(), warnings::add)) {
            for (int number = 1; number < 6; number++) {
                write(file, number, number == 5 ? "" : "x"); // the last is shorter and would fit
            }
            assertThat(file.count()).isEqualTo(2);
            assertThat(file.left()).isEqualTo(3);
        }
        assertThat(Files.readAllLines(letters())).hasSize(3);
        assertThat(warnings)
                .containsExactly("dead letters: " + letters() + " has reached --dead-letters-limit (247 bytes);"
                        + " further bad records are counted but not kept");
    }

    @Test
    void shouldBeginAnotherFileIfTheOneItHasIsMovedAway() throws Exception {
        try (DeadLetterFile file = new DeadLetterFile(letters())) {
            write(file, 1, "x");
            Files.move(letters(), folder.resolve("moved"));
            write(file, 2, "x");
        }
        assertThat(Files.readAllLines(folder.resolve("moved"))).hasSize(1);
        assertThat(Files.readAllLines(letters())).hasSize(1);
    }

    /** Another job, or a tool that rotates files, was there first. */
    @Test
    void shouldGoOnInTheFileThatHasTheNameNow() throws Exception {
        try (DeadLetterFile one = new DeadLetterFile(letters());
                DeadLetterFile other = new DeadLetterFile(letters())) {
            write(one, 1, "x");
            write(other, 2, "x");
            Files.move(letters(), folder.resolve("moved"));
            write(one, 3, "x");
            write(other, 4, "x");
        }
        assertThat(Files.readAllLines(folder.resolve("moved"))).hasSize(2);
        assertThat(Files.readAllLines(letters())).hasSize(2);
    }

    @Test
    void shouldKeepMoreAgain_whereAFullFileWasMovedAway() throws Exception {
        try (DeadLetterFile file = new DeadLetterFile(letters(), lineBytes(), warnings::add)) {
            write(file, 1, "x");
            write(file, 2, "x");
            Files.move(letters(), folder.resolve("moved"));
            write(file, 3, "x");
            write(file, 4, "x");
            assertThat(file.count()).isEqualTo(2);
            assertThat(file.left()).isEqualTo(2);
        }
        assertThat(Files.readAllLines(letters())).hasSize(1);
        assertThat(warnings).hasSize(2);
    }

    @Test
    void shouldNotTearLinesOfOthersInThisProcess() throws Exception {
        List<Thread> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            int from = writer * LINES;
            writers.add(new Thread(() -> writeMany(letters(), from)));
        }
        writers.forEach(Thread::start);
        for (Thread writer : writers) {
            writer.join();
        }
        assertAllWhole(WRITERS);
    }

    @Test
    void shouldNotTearLinesOfOtherProcesses() throws Exception {
        List<Process> writers = new ArrayList<>();
        try {
            for (int writer = 0; writer < WRITERS; writer++) {
                writers.add(
                        new ProcessBuilder(writer(writer * LINES)).inheritIO().start());
            }
            for (Process writer : writers) {
                assertThat(writer.waitFor(900, TimeUnit.SECONDS)).isTrue();
                assertThat(writer.exitValue()).isZero();
            }
        } finally {
            writers.forEach(Process::destroyForcibly);
        }
        assertAllWhole(WRITERS);
    }

    /** Flink and Storm load our classes several times in one JVM. While another process has the lock, both wait for it. */
    @Test
    void shouldNotFailBesideOthersInThisProcess_thatAreOfAnotherClassLoader() throws Exception {
        Files.createFile(letters());
        Process holder = new ProcessBuilder(java(Holder.class, letters().toString())).start();
        try (BufferedReader said = holder.inputReader();
                URLClassLoader other = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            assertThat(said.readLine()).isEqualTo("locked");
            Method write = other.loadClass(Writer.class.getName()).getDeclaredMethod("main", String[].class);
            write.setAccessible(true);
            FutureTask<@Nullable Object> one = new FutureTask<>(() -> writeMany(letters(), 0), null);
            FutureTask<@Nullable Object> two = new FutureTask<>(() ->
                    write.invoke(null, (Object) new String[] {letters().toString(), "" + LINES}));
            List<Thread> threads = List.of(new Thread(one), new Thread(two));
            threads.forEach(Thread::start);
            while (!one.isDone()
                    && !two.isDone()
                    && threads.stream().noneMatch(each -> each.getState() == Thread.State.BLOCKED)) {
                Thread.onSpinWait();
            }
            holder.getOutputStream().close();
            one.get();
            two.get();
        } finally {
            holder.destroyForcibly();
        }
        assertAllWhole(2);
    }

    private static URL[] classPath() throws MalformedURLException {
        List<URL> elements = new ArrayList<>();
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
            elements.add(Path.of(element).toUri().toURL());
        }
        return elements.toArray(URL[]::new);
    }

    /** A process that has a file locked until its input ends. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws IOException {
            try (FileChannel file = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE);
                    FileLock lock = file.lock()) {
                System.out.println(lock.isValid() ? "locked" : "not locked");
                System.in.readAllBytes();
            }
        }
    }

    private List<String> writer(int from) {
        return java(Writer.class, letters().toString(), "" + from);
    }

    private static List<String> java(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTakeBackALineThatIsCutShort() throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -f 250; exec \"$@\"", "sh"));
        command.addAll(writer(0));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isNotZero();
        assertThat(told).contains("cannot write dead letters to " + letters() + ": File too large");
        assertThat(Files.readString(letters())).endsWith("}\n");
        List<String> lines = Files.readAllLines(letters());
        assertThat(lines).isNotEmpty().hasSizeLessThan(LINES);
        for (int number = 0; number < lines.size(); number++) {
            assertThat(numberIn(lines.get(number))).isEqualTo(number);
        }
    }

    /** A process that appends. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) {
            writeMany(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        }
    }

    private static void writeMany(Path path, int from) {
        try (DeadLetterFile file = new DeadLetterFile(path)) {
            for (int number = from; number < from + LINES; number++) {
                write(file, number, "x".repeat(20_000 + number));
            }
        }
    }

    private void assertAllWhole(int writers) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (String line : Files.readAllLines(letters())) {
            numbers.add(numberIn(line));
        }
        assertThat(numbers).hasSize(writers * LINES).doesNotHaveDuplicates();
    }

    /** Of a whole line: its number. */
    private static int numberIn(String line) throws IOException {
        int number = -1;
        try (JsonParser json = new JsonFactory().createParser(line)) {
            while (json.nextToken() != null) {
                if ("line".equals(json.currentName())) {
                    number = json.getValueAsInt();
                }
            }
        }
        return number;
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellThatTheDiskIsFull() {
        DeadLetterFile file = new DeadLetterFile(Path.of("/dev/full"));
        file.check();
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> write(file, 1, "x"))
                .withMessage(
                        "cannot write dead letters to /dev/full: No space left on device; free some space, or choose"
                                + " another file with --dead-letters");
        file.close();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldWriteToWhatIsNoRegularFile() throws Exception {
        try (DeadLetterFile file = new DeadLetterFile(Path.of("/dev/null"), 10, warnings::add)) {
            file.check();
            write(file, 1, "x");
            assertThat(file.count()).isEqualTo(1);
        }
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Process reader = new ProcessBuilder("cat", pipe.toString()).start();
        try (DeadLetterFile file = new DeadLetterFile(pipe)) {
            file.check();
            write(file, 1, "x");
        } finally {
            assertThat(reader.waitFor(900, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(reader.getInputStream().readAllBytes()).hasSize(lineBytes());
    }

    @Test
    void shouldSayBeforeTheRunWhatCannotBe() throws Exception {
        refused(folder, "it is a directory");
        refused(
                folder.resolve("gone/letters"),
                "there is no directory " + folder.toRealPath().resolve("gone"));
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void shouldKeepThemWhereALinkLeads() throws Exception {
        Path kept = folder.toRealPath().resolve("kept");
        Files.createSymbolicLink(letters(), Path.of("kept/letters"));
        refused(letters(), "there is no directory " + kept);
        Files.createDirectory(kept);
        DeadLetterFile file = new DeadLetterFile(letters());
        file.check();
        write(file, 1, "one");
        file.close();
        assertThat(letters()).isSymbolicLink();
        assertThat(kept.resolve("letters")).content().contains("\"text\":\"one\"");
    }

    private static void refused(Path path, String why) {
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> new DeadLetterFile(path).check())
                .withMessage("cannot keep dead letters in " + path + ": " + why);
    }
}

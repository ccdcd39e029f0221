// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole jobs that are stopped in the middle of their input and go on when it has changed. */
@Timeout(300)
final class ChangedInputTest {
    private static final int LINES = 400;

    @TempDir
    Path folder;

    private Path input;
    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void writeInput() throws IOException {
        input = Files.createDirectory(folder.resolve("in")).resolve("a.txt");
        Files.writeString(input, lines("line", 0, LINES));
    }

    private static String lines(String word, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> word + " " + i + "\n").collect(Collectors.joining());
    }

    private static List<String> listOf(String text) {
        return text.lines().toList();
    }

    private TopologyGraph graph(Source<String> source) {
        Topology topology = Topology.named("changed");
        topology.from(source).name("source").to(Sinks.each(seen::add)).name("sink");
        return topology.graph();
    }

    private RunSettings settings(UnaryOperator<CheckpointSettings> how) {
        return RunSettings.defaults()
                .withParallelism(1)
                .withThreads(0)
                .withSteps(20, 2, 16)
                .withGuarantee(Guarantee.EXACTLY_ONCE, how.apply(CheckpointSettings.in(folder.resolve("checkpoints"))));
    }

    /** Reads some of the input and stops behind a last checkpoint. */
    private void readSome(Source<String> source) {
        Job job = new EmbeddedRunner(settings(now -> now)).start(graph(source));
        while (seen.size() < LINES / 2) {
            job.step();
        }
        job.cancel();
        while (job.step()) {
            // to the end
        }
        assertThat(seen).hasSizeLessThan(LINES - 50);
    }

    private void goOn(Source<String> source, UnaryOperator<CheckpointSettings> how) throws InterruptedException {
        Job job = new EmbeddedRunner(settings(how.andThen(CheckpointSettings::restoringLatest)::apply))
                .start(graph(source));
        while (job.step()) {
            // to the end
        }
        job.await();
    }

    private void shouldBeRefused(Source<String> source, String... words) {
        int before = seen.size();
        assertThatThrownBy(() -> goOn(source, now -> now))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("operator 'source'")
                .hasMessageContaining("--discard-state 'source'")
                .message()
                .doesNotContain("\n")
                .contains(words);
        assertThat(seen).as("records read of an input that is another one").hasSize(before);
    }

    private Source<String> text() {
        return TextLines.read(input.toString());
    }

    @Test
    void shouldGoOn_ifNothingChanged() throws Exception {
        readSome(text());
        goOn(text(), now -> now);
        assertThat(seen).isEqualTo(listOf(lines("line", 0, LINES)));
    }

    @Test
    void shouldGoOn_ifTheFileGrew() throws Exception {
        readSome(text());
        Files.writeString(input, lines("line", LINES, LINES + 10), StandardOpenOption.APPEND);
        goOn(text(), now -> now);
        assertThat(seen).isEqualTo(listOf(lines("line", 0, LINES + 10)));
    }

    @Test
    void shouldGoOn_inACopyOfTheSameName() throws Exception {
        readSome(text());
        Path copy = folder.resolve("copy");
        Files.copy(input, copy);
        Files.move(copy, input, StandardCopyOption.REPLACE_EXISTING);
        goOn(text(), now -> now);
        assertThat(seen).isEqualTo(listOf(lines("line", 0, LINES)));
    }

    /** This is how a row is repaired that made the job fail. */
    @Test
    void shouldGoOn_ifWhatWasNotReadChanged() throws Exception {
        readSome(text());
        int read = seen.size();
        Files.writeString(input, lines("line", 0, read) + lines("other", read, LINES));
        goOn(text(), now -> now);
        assertThat(seen).isEqualTo(listOf(lines("line", 0, read) + lines("other", read, LINES)));
    }

    @Test
    void shouldRefuse_ifTheFileIsShorter() throws Exception {
        readSome(text());
        Files.writeString(input, lines("line", 0, 10));
        shouldBeRefused(text(), "topology 'changed'", input.toString(), "bytes of it had been read", "and it has 70");
    }

    @Test
    void shouldRefuse_ifOneByteThatWasReadChanged() throws Exception {
        readSome(text());
        byte[] bytes = Files.readAllBytes(input);
        bytes[3] = 'f';
        Files.write(input, bytes);
        shouldBeRefused(text(), input.toString(), "have changed (CRC-32C");
    }

    /** The second half of the line would be a record of its own. */
    @Test
    void shouldRefuse_ifALastLineWithoutItsEndGoesOn() throws Exception {
        Files.writeString(input, "a\nb\nc");
        RunSettings oneByOne = settings(now -> now).withSteps(1, 2, 2);
        Job job = new EmbeddedRunner(oneByOne).start(graph(text()));
        while (seen.size() < 3) {
            job.step();
        }
        job.cancel();
        while (job.step()) {
            // to the end
        }
        Files.writeString(input, "d\n", StandardOpenOption.APPEND);
        shouldBeRefused(text(), "had no line end", "the line goes on now");
        Files.writeString(input, "a\nb\nc");
        goOn(text(), now -> now);
        assertThat(seen).containsExactly("a", "b", "c");
    }

    @Test
    void shouldRefuse_ifTheFileWasRotated() throws Exception {
        readSome(text());
        Files.move(input, folder.resolve("a.txt.1"));
        Files.writeString(input, lines("new", 0, 2 * LINES));
        shouldBeRefused(text(), "have changed", "another file of that name");
    }

    @Test
    void shouldRefuse_ifTheFileIsGone() throws Exception {
        readSome(text());
        Files.delete(input);
        assertThatThrownBy(() -> goOn(TextLines.read(folder.resolve("in").toString()), now -> now))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining(input.toString())
                .hasMessageContaining("no such file");
    }

    @Test
    void shouldRefuse_anotherPath() throws Exception {
        readSome(text());
        Path other = folder.resolve("b.txt");
        Files.copy(input, other);
        shouldBeRefused(TextLines.read(other.toString()), input.toString(), other.toString());
        shouldBeRefused(TextLines.read(folder.resolve("*.txt").toString()), input.toString());
    }

    @Test
    void shouldGoOn_ifThePathIsSpelledInAnotherWay() throws Exception {
        readSome(text());
        goOn(TextLines.read(folder + "/./in/../in/"), now -> now);
        assertThat(seen).isEqualTo(listOf(lines("line", 0, LINES)));
    }

    @Test
    void shouldGoOn_inAChangedFile_ifTheUserAcceptsIt() throws Exception {
        readSome(text());
        int read = seen.size();
        Files.writeString(input, lines("a longer line", 0, LINES));
        goOn(text(), CheckpointSettings::acceptingChangedInput);
        assertThat(seen).hasSizeGreaterThan(read);
        assertThat(listOf(lines("a longer line", 0, LINES)))
                .as("whole lines to the end, from the first that begins behind the position")
                .endsWith(seen.subList(read, seen.size()).toArray(String[]::new));
    }

    @Test
    void shouldGoOn_inAShorterFile_ifTheUserAcceptsIt() throws Exception {
        readSome(text());
        int read = seen.size();
        Files.writeString(input, lines("line", 0, 3));
        goOn(text(), CheckpointSettings::acceptingChangedInput);
        assertThat(seen).hasSize(read);
    }

    @Test
    void shouldReadFromTheBeginning_ifTheSourcesStateIsDiscarded() throws Exception {
        readSome(text());
        Files.writeString(input, lines("new", 0, 7));
        seen.clear();
        goOn(text(), now -> now.discarding(Set.of("source")));
        assertThat(seen).isEqualTo(listOf(lines("new", 0, 7)));
    }

    /** Each time in the middle, so that the checksum is of several stretches. */
    @Test
    void shouldKnowItsInput_afterManyStops() throws Exception {
        readSome(text());
        for (int stop = 0; stop < 5; stop++) {
            Job job = new EmbeddedRunner(settings(CheckpointSettings::restoringLatest)).start(graph(text()));
            int before = seen.size();
            while (seen.size() < before + 20) {
                job.step();
            }
            job.cancel();
            while (job.step()) {
                // to the end
            }
            Files.setLastModifiedTime(input, java.nio.file.attribute.FileTime.fromMillis(stop + 1)); // all is compared
        }
        goOn(text(), now -> now);
        assertThat(seen).isEqualTo(listOf(lines("line", 0, LINES)));
    }

    @Test
    void shouldCompareUnpackedBytes() throws Exception {
        input = folder.resolve("in/a.gz");
        pack(lines("line", 0, LINES));
        readSome(text());
        int read = seen.size();
        pack(lines("line", 0, read) + lines("other", read, LINES));
        goOn(text(), now -> now);
        assertThat(seen).isEqualTo(listOf(lines("line", 0, read) + lines("other", read, LINES)));
    }

    @Test
    void shouldRefuse_ifAPackedFileHasOtherBytes() throws Exception {
        input = folder.resolve("in/a.gz");
        pack(lines("line", 0, LINES));
        readSome(text());
        pack(lines("fine", 0, LINES));
        shouldBeRefused(text(), "bytes, decompressed, have changed");
        pack(lines("line", 0, 9));
        shouldBeRefused(text(), "had been read, decompressed");
    }

    private void pack(String text) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(input))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    public record Row(String name, int number) {}

    @Test
    void shouldRefuse_ifTheHeaderOfACsvFileChanged() throws Exception {
        String rows = IntStream.range(0, LINES).mapToObj(i -> "x," + i + "\n").collect(Collectors.joining());
        Files.writeString(input, "name,number\n" + rows);
        readRows(settings(now -> now), LINES / 2);
        Files.writeString(input, "number,name\n" + rows);
        assertThatThrownBy(() -> readRows(settings(CheckpointSettings::restoringLatest), LINES))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("have changed");
    }

    private void readRows(RunSettings settings, int most) throws InterruptedException {
        Topology topology = Topology.named("rows");
        topology.from(Csv.read(input.toString(), Row.class))
                .name("source")
                .map(Row::name)
                .to(Sinks.each(seen::add));
        Job job = new EmbeddedRunner(settings).start(topology.graph());
        while (seen.size() < most && job.step()) {
            // so far
        }
        job.cancel();
        while (job.step()) {
            // to the end
        }
        job.await();
    }

    @Test
    void shouldRefuse_anotherList() throws Exception {
        List<String> elements = listOf(lines("line", 0, LINES));
        readSome(Sources.of(io.thalweg.api.codec.Type.of(String.class), elements));
        List<String> others = new ArrayList<>(elements);
        others.set(4, "another");
        shouldBeRefused(Sources.of(io.thalweg.api.codec.Type.of(String.class), others), "split list", "have changed");
        shouldBeRefused(
                Sources.of(io.thalweg.api.codec.Type.of(String.class), elements.subList(0, 10)), "the list has 10 now");
    }

    @Test
    void shouldRefuse_anotherGenerator() throws Exception {
        readSome(Sources.generate(LINES, i -> "line " + i));
        shouldBeRefused(Sources.generate(10, i -> "line " + i), "makes 10 now");
        shouldBeRefused(Sources.generate(LINES, i -> "line " + i).splitInto(2), "2 now");
    }
}

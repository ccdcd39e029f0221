// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.GraphDescription;
import io.thalweg.api.stats.CheckpointStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints on disk: whole, half-written, damaged in any byte, of somebody else. */
final class CheckpointDirectoryTest {
    private static final StateName COUNT = new StateName("counter", "count");
    private static final StateName WHERE = new StateName("in", "splits");

    private static final StateFormat FORMAT = StateFormat.of("longs");
    private static final GraphDescription GRAPH = new GraphDescription("job", List.of());

    @TempDir
    Path folder;

    private static TaskState state(long number, String task, long value) {
        TaskState state = new TaskState(task, number);
        state.keyed(COUNT, FORMAT, 7).writeLong(value);
        state.whole(WHERE, "place").writeLong(-value);
        return state;
    }

    private static void write(CheckpointDirectory directory, long number) throws IOException {
        try (CheckpointFile.Writer writer =
                new CheckpointFile.Writer(directory.temporary(number), GRAPH, new LargeFileOutput.Memory())) {
            writer.task(state(number, "a[0]", number));
            writer.task(state(number, "a[1]", 100 + number));
            writer.end(new CheckpointStats("job", number, 5, 6, 7, 8, false, List.of()));
        }
        directory.complete(number);
        directory.removeOld();
    }

    private Path damaged(long number, int at) throws IOException {
        Path file = folder.resolve("checkpoint-" + number);
        byte[] bytes = Files.readAllBytes(file);
        bytes[at < 0 ? bytes.length + at : at] ^= 0x10;
        Files.write(file, bytes);
        return file;
    }

    @Test
    void shouldSayThatAFileIsNoDirectory() throws Exception {
        Path file = Files.writeString(folder.resolve("in.csv"), "a");
        assertThatThrownBy(() -> CheckpointDirectory.open(file, 3))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("cannot keep checkpoints in " + file + ": " + file + " is a file; give a directory");
    }

    @Test
    void shouldMakeNoDirectoryThatALinkLeadsTo() throws Exception {
        Path nowhere = folder.resolve("nowhere");
        Path link = Files.createSymbolicLink(folder.resolve("link"), nowhere);
        assertThatThrownBy(() -> CheckpointDirectory.open(link, 3))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("cannot keep checkpoints in " + link + ": " + link
                        + " is a link to a directory that is not there; create it first");
        Files.createDirectory(nowhere);
        CheckpointDirectory.open(link, 3).close();
        assertThat(link).isSymbolicLink();
    }

    @Test
    void shouldNotBeginAgain_whereOnlyFlinkCouldContinue() throws Exception {
        Path flinks = folder.resolve("0123abcd/chk-7");
        Files.createDirectories(flinks);
        Files.writeString(flinks.resolve("_metadata"), "");
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            assertThatThrownBy(() -> Restore.latest(directory, warning -> {}))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessage("there is nothing to continue from in " + folder + " but checkpoints of Flink, such as "
                            + flinks + ", which only a job on Flink can read; continue there, or begin again in another"
                            + " directory");
        }
    }

    @Test
    void shouldSayWhyItCannotBeMade() {
        Path directory = folder.resolve("long".repeat(100));
        assertThatThrownBy(() -> CheckpointDirectory.open(directory, 2))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("cannot keep checkpoints in " + directory + ": File name too long");
    }

    @Test
    void shouldGiveBackAnArrayThatWasSavedInParts() throws IOException {
        byte[] bytes = new byte[100_000];
        new Random(1).nextBytes(bytes);
        TaskState state = state(4, "a[0]", 4);
        StateName name = new StateName("out", "writer");
        List<ByteBuffer> parts = List.of(
                ByteBuffer.wrap(bytes, 0, 3),
                ByteBuffer.allocate(0),
                ByteBuffer.wrap(bytes, 3, 90_000).slice(),
                ByteBuffer.wrap(bytes, 90_003, 9_997));
        state.whole(name, "parts", parts);
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            try (CheckpointFile.Writer writer =
                    new CheckpointFile.Writer(directory.temporary(4), GRAPH, new LargeFileOutput.Memory())) {
                writer.task(state);
                writer.task(TaskState.of(4, state.toBytes()));
                writer.end(new CheckpointStats("job", 4, 5, 6, 7, 8, false, List.of()));
            }
            directory.complete(4);
        }
        SavedState saved = SavedState.read(folder.resolve("checkpoint-4"));
        assertThat(saved.whole(name, "parts")).extracting(ByteReader::readBytes).containsExactly(bytes, bytes);
        assertThat(saved.whole(WHERE, "place")).extracting(ByteReader::readLong).containsExactly(-4L, -4L);
        Map<StateName, Long> sizes = new HashMap<>();
        state.addSizes(sizes);
        assertThat(sizes.get(name)).as("with the length").isEqualTo(100_003);
    }

    @Test
    void shouldGiveBackWhatWasSaved_byKeyGroupAndByTask() throws IOException {
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            write(directory, 4);
        }
        SavedState saved = SavedState.read(folder.resolve("checkpoint-4"));
        assertThat(saved.info().number()).isEqualTo(4);
        assertThat(saved.keyed(COUNT, FORMAT, 0, 1))
                .extracting(piece -> piece.in().readLong())
                .containsExactly(4L, 104L);
        assertThat(saved.keyed(COUNT, FORMAT, 1, 2))
                .as("group 7 belongs to task 0 of 2")
                .isEmpty();
        assertThat(saved.whole(WHERE, "place")).extracting(ByteReader::readLong).containsExactly(-4L, -104L);
        assertThat(saved.whole(new StateName("in", "other"), "")).isEmpty();
    }

    @Test
    void shouldWriteForItsOwnerAlone() throws IOException {
        assumeTrue(Files.getFileStore(folder).supportsFileAttributeView(PosixFileAttributeView.class));
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder.resolve("new/deep"), 3)) {
            write(directory, 1);
        }
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(folder.resolve("new/deep/checkpoint-1"))))
                .isEqualTo("rw-------");
    }

    /** Somebody who may write to the directory guesses the hidden name of the next checkpoint. */
    @Test
    void shouldNotFollowALinkThatSomebodyPlanted() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder.resolve("kept"), 3)) {
            Files.createSymbolicLink(directory.temporary(1), victim);
            assertThatThrownBy(() -> write(directory, 1)).isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(victim).hasContent("precious");
    }

    @Test
    void shouldNotReplaceACheckpointThatSomebodyElseHasWritten() throws IOException {
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            Path other = Files.writeString(folder.resolve("checkpoint-1"), "of another job");
            assertThatThrownBy(() -> write(directory, 1)).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(other).hasContent("of another job");
        }
    }

    @Test
    void shouldKeepTheLastOnes() throws IOException {
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 2)) {
            for (int number = 1; number <= 12; number++) {
                write(directory, number);
            }
            assertThat(directory.entries())
                    .extracting(CheckpointDirectory.Entry::number)
                    .containsExactly(11L, 12L);
        }
    }

    @Test
    void shouldFindDamageInAnyByte() throws IOException {
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            write(directory, 1);
        }
        Path file = folder.resolve("checkpoint-1");
        byte[] whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at++) {
            byte[] bytes = whole.clone();
            bytes[at] ^= 1;
            Files.write(file, bytes);
            assertThatThrownBy(() -> SavedState.read(file)).as("byte %d", at).isInstanceOf(DamagedException.class);
        }
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, java.util.Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> SavedState.read(file))
                    .as("length %d", length)
                    .isInstanceOf(DamagedException.class);
        }
    }

    @Test
    void shouldUseTheOneBeforeADamagedOne_andSayWhich() throws IOException {
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            write(directory, 1);
            write(directory, 2);
            Path bad = damaged(2, 20);
            List<String> warnings = new ArrayList<>();
            SavedState saved = Objects.requireNonNull(Restore.latest(directory, warnings::add));
            assertThat(saved.info().number()).isEqualTo(1);
            assertThat(warnings)
                    .containsExactly(
                            bad + " cannot be used: checksum mismatch: it is damaged; continuing from checkpoint-1");
            Path another = damaged(1, -1);
            assertThatThrownBy(() -> Restore.latest(directory, warnings::add))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("no checkpoint in " + folder + " is whole: " + bad + " cannot be used")
                    .hasMessageContaining(another + " cannot be used");
            assertThat(warnings).as("the refusal says it all").hasSize(1);
        }
    }

    /** It may be whole, and what belongs to it may have been shown: an older one would repeat that. A directory gives no bytes either. */
    @Test
    void shouldUseNothingOlder_ifTheDiskDoesNotGiveTheNewest() throws IOException {
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            write(directory, 1);
            Path unread = Files.createDirectory(folder.resolve("checkpoint-2"));
            Files.createFile(unread.resolve("so-that-it-has-some-size"));
            List<String> warnings = new ArrayList<>();
            assertThatThrownBy(() -> Restore.latest(directory, warnings::add))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageStartingWith("cannot read " + unread + ", tried twice: ")
                    .hasMessageContaining("continue with --restore " + folder.resolve("checkpoint-1"))
                    .message()
                    .doesNotContain("\n");
            assertThat(warnings).isEmpty();
            write(directory, 3);
            assertThat(unread).as("not taken for a damaged one").exists();
        }
    }

    /** Two damaged ones among the three that are kept would leave one that is whole, and the next damage none. */
    @Test
    void shouldNotKeepDamagedOnesInThePlaceOfWholeOnes() throws IOException {
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            for (int number = 1; number <= 3; number++) {
                write(directory, number);
            }
            damaged(2, 20);
            damaged(3, 20);
            Restore.latest(directory, warning -> {});
            assertThat(directory.entries()).as("nothing newer yet").hasSize(3);
            write(directory, 4);
            assertThat(directory.entries())
                    .extracting(CheckpointDirectory.Entry::number)
                    .containsExactly(1L, 4L);
        }
    }

    @Test
    void shouldClearAwayWhatIsHalfWritten() throws IOException {
        Path half = Files.writeString(folder.resolve(".checkpoint-3"), "THALWEG");
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            assertThat(half).doesNotExist();
            assertThat(Restore.latest(directory, warning -> {})).isNull();
        }
    }

    /** A job that runs deletes older ones; a link to nothing is in the list, too, and not there for whoever looks. */
    @Test
    void shouldNotListWhatIsGoneMeanwhile() throws IOException {
        Path gone = Files.createSymbolicLink(folder.resolve("checkpoint-7"), folder.resolve("nothing"));
        assertThat(CheckpointDirectory.entries(folder)).isEmpty();
        Files.delete(gone);
        Files.createFile(gone);
        assertThat(CheckpointDirectory.entries(folder)).hasSize(1);
    }

    @Test
    void shouldBelongToOneJobAtATime() throws IOException {
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            assertThat(directory.path()).isEqualTo(folder);
            assertThatThrownBy(() -> CheckpointDirectory.open(folder, 3))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("another job writes its checkpoints to " + folder);
        }
        CheckpointDirectory.open(folder, 3).close();
    }

    @Test
    void shouldSayWhatDoesNotFit() throws IOException {
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            write(directory, 1);
        }
        SavedState saved = SavedState.read(folder.resolve("checkpoint-1"));
        assertThatThrownBy(() -> saved.keyed(COUNT, StateFormat.of("doubles"), 0, 1))
                .hasMessageContaining(
                        "state 'count' of operator 'counter': it holds 'longs' there, and 'doubles' in this job")
                .hasMessageContaining("--discard-state 'counter'");
    }

    /** To pass over it for an older one, and remove it, would throw away what a newer Thalweg wrote. */
    @Test
    void shouldNotTakeAnotherVersionForDamage() throws IOException {
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            write(directory, 1);
            write(directory, 2);
            Path file = folder.resolve("checkpoint-2");
            byte[] bytes = Files.readAllBytes(file);
            bytes[7] = 9;
            Files.write(file, summed(bytes));
            assertThatThrownBy(() -> Restore.latest(directory, warning -> {}))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("its format is version 9, and this Thalweg reads version 2");
        }
    }

    private static byte[] summed(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, bytes.length - Long.BYTES);
        ByteBuffer.wrap(bytes).putLong(bytes.length - Long.BYTES, checksum.getValue());
        return bytes;
    }

    /** Bytes that were changed on purpose: the checksum holds, and lengths and counts may be anything. */
    @Test
    void shouldSurviveAnyContent_whateverItSays() throws IOException {
        try (CheckpointDirectory directory = CheckpointDirectory.open(folder, 3)) {
            write(directory, 1);
        }
        Path file = folder.resolve("checkpoint-1");
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(Long.getLong("thalweg.seed", 4711));
        byte[] extremes = {0, 1, 0x7f, (byte) 0x80, (byte) 0xff};
        for (int round = 0; round < 3_000; round++) {
            int length = round % 3 == 0 ? 16 + random.nextInt(whole.length) : whole.length;
            byte[] bytes = Arrays.copyOf(whole, length);
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                int at = 8 + random.nextInt(length - 8);
                bytes[at] = random.nextBoolean() ? extremes[random.nextInt(5)] : (byte) random.nextInt();
            }
            Files.write(file, summed(bytes));
            try {
                SavedState.read(file);
            } catch (DamagedException expected) {
                assertThat(expected.getMessage()).as("round %d", round).isNotNull();
            }
        }
    }
}

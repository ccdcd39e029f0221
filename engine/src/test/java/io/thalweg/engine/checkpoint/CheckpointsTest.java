// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.graph.GraphDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When checkpoints begin, by a clock that stands and tasks that save when told to. */
final class CheckpointsTest implements Checkpoints.Listener {
    private static final List<String> TASKS = List.of("a[0]", "a[1]");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final List<String> warnings = new ArrayList<>();
    private List<String> atCompletion = List.of();
    private long nowNs;
    private Checkpoints checkpoints;

    @BeforeEach
    void open() {
        checkpoints = new Checkpoints(
                new GraphDescription("job", List.of()),
                CheckpointDirectory.open(folder, 3),
                true,
                0,
                0,
                TIMEOUT,
                () -> nowNs,
                Runnable::run,
                this);
        checkpoints.expect(TASKS);
    }

    @AfterEach
    void close() {
        checkpoints.close();
    }

    @Override
    public void wake() {}

    @Override
    public void onOverdue(String warning) {
        warnings.add(warning);
    }

    @Override
    public void onFailure(Throwable failure) {
        throw new AssertionError(failure);
    }

    @Override
    public void onCompleted(long checkpoint) {
        atCompletion = files();
    }

    private List<String> files() {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("checkpoint-"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void saveAll() {
        long number = checkpoints.asked();
        for (int task = 0; task < TASKS.size(); task++) {
            checkpoints.save(task, new TaskState(TASKS.get(task), number), 0, 0);
        }
        assertThat(checkpoints.completed()).isEqualTo(number);
    }

    /** Their results are visible sooner. */
    @Test
    void shouldTellSinks_beforeItRemovesOldOnes() {
        for (int number = 1; number <= 4; number++) {
            checkpoints.due();
            saveAll();
        }
        assertThat(atCompletion).containsExactly("checkpoint-1", "checkpoint-2", "checkpoint-3", "checkpoint-4");
        assertThat(files()).containsExactly("checkpoint-2", "checkpoint-3", "checkpoint-4");
    }

    @Test
    void shouldBeginTheOneThatIsOwed_asSoonAsTheOneBeforeIsComplete() {
        checkpoints.due();
        assertThat(checkpoints.asked()).isEqualTo(1);
        checkpoints.due();
        checkpoints.due();
        assertThat(checkpoints.asked()).as("one at a time").isEqualTo(1);

        saveAll();
        assertThat(checkpoints.asked()).as("the one that is owed").isEqualTo(2);
        saveAll();
        assertThat(checkpoints.asked()).as("one at most is owed").isEqualTo(2);

        checkpoints.due();
        assertThat(checkpoints.asked()).isEqualTo(3);
        saveAll();
        assertThat(checkpoints.asked()).isEqualTo(3);
    }

    /** Whoever asks for one now, and hears that it has not begun, is not owed one. */
    @Test
    void shouldOweNone_toWhoeverAsksForOneNow() {
        checkpoints.due();
        assertThat(checkpoints.begin()).isFalse();
        saveAll();
        assertThat(checkpoints.asked()).isEqualTo(1);
    }

    @Test
    void shouldBeginTheOneThatIsOwed_whereTheOneBeforeIsGivenUp() {
        checkpoints.due();
        checkpoints.due();
        nowNs += TIMEOUT.toNanos();
        checkpoints.look();

        assertThat(warnings).singleElement().asString().endsWith("; it is given up, and the next one follows");
        assertThat(checkpoints.abandoned()).isEqualTo(1);
        assertThat(checkpoints.asked()).isEqualTo(2);
        saveAll();
        assertThat(checkpoints.asked()).isEqualTo(2);
    }

    /** It finds out itself that the one before takes too long, and is the one that follows. */
    @Test
    void shouldNotBeOwedBesidesTheOneThatFollows() {
        checkpoints.due();
        checkpoints.due();
        nowNs += TIMEOUT.toNanos();
        checkpoints.due();

        assertThat(checkpoints.asked()).isEqualTo(2);
        saveAll();
        assertThat(checkpoints.asked()).isEqualTo(2);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.testkit.Serialized;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rules for every sink whose writers are {@link CheckpointedWriter}s: killed at any moment and restored from its last
 * checkpoint, it outputs each record exactly once.
 *
 * @param <T> records
 */
@Timeout(900)
public abstract class CheckpointedSinkContract<T> {
    /** Records of each task in each of three intervals between checkpoints, about. */
    private static final int INTERVALS = 3;

    /** What a run does, in this order, once an interval. */
    private enum Moment {
        WRITTEN,
        SAVED,
        COMPLETED,
        COMMITTED
    }

    @TempDir
    Path folder;

    /** The sink, writing to somewhere in a folder that is there. */
    protected abstract Sink<? super T> sinkIn(Path folder) throws Exception;

    /** At least twelve records, all different, with an equals method: each task has some in each interval. */
    protected abstract List<? extends T> records() throws Exception;

    /** The records that a reader finds in the folder. */
    protected abstract List<? extends T> writtenIn(Path folder) throws Exception;

    /** False if what was made visible after a checkpoint stays, so that an older checkpoint is refused. */
    protected boolean takesBack() {
        return true;
    }

    /** Writes and reads the records, for a sink that keeps some; null if it keeps none. */
    protected @Nullable Codec<Object> codec() {
        return null;
    }

    /** Numbers of tasks of the run that is killed, and of the one that continues; fewer pairs where each takes long. */
    protected int[][] tasksBeforeAndAfter() {
        return new int[][] {{1, 1}, {2, 2}, {3, 2}, {2, 3}};
    }

    /** The intervals, of 0, 1 and 2, in which a run is killed; fewer where each takes long. */
    protected int[] intervalsOfKills() {
        return IntStream.range(0, INTERVALS).toArray();
    }

    /** One killed at each moment of each of these intervals, by as many tasks as before, by fewer, and by more. */
    @Test
    void shouldShowEachRecordOnce_whereverItIsKilled() throws Exception {
        int required = sinkIn(folder).requiredParallelism();
        int[][] tasks = required == 0 ? tasksBeforeAndAfter() : new int[][] {{required, required}};
        for (int[] beforeAndAfter : tasks) {
            for (int interval : intervalsOfKills()) {
                for (Moment moment : Moment.values()) {
                    for (boolean closed : new boolean[] {false, true}) {
                        String name = beforeAndAfter[0] + " to " + beforeAndAfter[1] + " tasks, killed when " + moment
                                + " in interval " + interval + (closed ? ", closed" : "");
                        killed(Files.createDirectory(folder.resolve(name)), beforeAndAfter, interval, moment, closed);
                    }
                }
            }
        }
    }

    private void killed(Path into, int[] tasks, int interval, Moment moment, boolean closed) throws Exception {
        List<T> all = List.copyOf(records());
        assertThat(all).hasSizeGreaterThanOrEqualTo(12);
        Run first = new Run(into, tasks[0], 0, List.of(), "first");
        int completed = first.until(interval, moment);
        if (closed) {
            first.close();
        }
        Run second = new Run(into, tasks[1], completed, first.saved, closed ? "second" : "first");
        second.until(INTERVALS - 1, Moment.COMMITTED);
        second.finish();
        assertThat(found(into)).as(into.getFileName().toString()).containsExactlyInAnyOrderElementsOf(all);

        Run again = new Run(into, tasks[1], second.completed, second.saved, second.run);
        again.finish();
        assertThat(found(into))
                .as("%s, and once more where all was there", into.getFileName())
                .containsExactlyInAnyOrderElementsOf(all);
    }

    /** What the last checkpoint made visible is there already, and comes again. */
    @Test
    void shouldShowEachRecordOnce_whereItGoesOnFromAnOlderCheckpoint() throws Exception {
        List<T> all = List.copyOf(records());
        int tasks = Math.max(1, sinkIn(folder).requiredParallelism());
        Run first = new Run(folder, tasks, 0, List.of(), "run");
        first.until(0, Moment.COMMITTED);
        List<byte[]> older = first.saved;
        first.until(INTERVALS - 1, Moment.COMMITTED);

        if (!takesBack()) {
            assertThatThrownBy(() -> new Run(folder, tasks, 1, older, "other run"))
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("checkpoint 1");
            return;
        }
        Run second = new Run(folder, tasks, 1, older, "run");
        second.until(INTERVALS - 1, Moment.COMMITTED);
        second.finish();

        assertThat(found(folder)).containsExactlyInAnyOrderElementsOf(all);
    }

    /** The job dies after the last checkpoint was saved, before the writers were told to commit. */
    @Test
    void shouldShowEachRecordOnce_whereItIsKilledAtTheVeryEnd() throws Exception {
        List<T> all = List.copyOf(records());
        int tasks = Math.max(1, sinkIn(folder).requiredParallelism());
        Run first = new Run(folder, tasks, 0, List.of(), "run");
        first.until(INTERVALS - 1, Moment.COMMITTED);
        List<byte[]> saved = first.save(0);

        new Run(folder, tasks, INTERVALS + 1, saved, "run").finish();

        assertThat(found(folder)).containsExactlyInAnyOrderElementsOf(all);
    }

    /** The last task opens after the others have written. */
    @Test
    void shouldShowEachRecordOnce_ifATaskOpensLate() throws Exception {
        int tasks = sinkIn(folder).requiredParallelism() == 0 ? 3 : 1;
        for (int late = 0; late < tasks; late++) {
            Path into = Files.createDirectory(folder.resolve("task " + late + " is late"));
            Run run = new Run(into, tasks, late);
            run.write(0);
            run.open(late);
            run.write(0, late);
            run.checkpoint(1);
            run.until(INTERVALS - 1, Moment.COMMITTED);
            run.finish();
            assertThat(found(into))
                    .as("task %d is late", late)
                    .containsExactlyInAnyOrderElementsOf(List.copyOf(records()));
        }
    }

    /** More or fewer tasks continue from a checkpoint, and the last one is restored after the others have written. */
    @Test
    void shouldShowEachRecordOnce_ifATaskIsRestoredLate() throws Exception {
        int required = sinkIn(folder).requiredParallelism();
        int[][] tasks = required == 0 ? tasksBeforeAndAfter() : new int[][] {{required, required}};
        for (int[] beforeAndAfter : tasks) {
            for (int late = 0; late < beforeAndAfter[1]; late++) {
                String name = beforeAndAfter[0] + " to " + beforeAndAfter[1] + " tasks, task " + late + " is late";
                Path into = Files.createDirectory(folder.resolve(name));
                Run first = new Run(into, beforeAndAfter[0], 0, List.of(), "run");
                first.until(1, Moment.WRITTEN);
                Run second = new Run(into, beforeAndAfter[1], first.completed, first.saved, "run", late);
                second.restoreAllBut(late);
                second.write(1);
                second.open(late);
                second.restore(late);
                second.write(1, late);
                second.checkpoint(2);
                second.until(INTERVALS - 1, Moment.COMMITTED);
                second.finish();
                assertThat(found(into)).as(name).containsExactlyInAnyOrderElementsOf(List.copyOf(records()));
            }
        }
    }

    /** One task fails and continues from the last checkpoint; the others live on, with what they have saved since. */
    @Test
    void shouldShowEachRecordOnce_ifOneTaskStartsAgain() throws Exception {
        int tasks = sinkIn(folder).requiredParallelism() == 0 ? 3 : 1;
        for (int restarted = 0; restarted < tasks; restarted++) {
            for (Moment moment : List.of(Moment.WRITTEN, Moment.SAVED)) {
                String name = "task " + restarted + " starts again when others have " + moment;
                Path into = Files.createDirectory(folder.resolve(name));
                Run run = new Run(into, tasks, 0, List.of(), "run");
                run.until(0, Moment.COMMITTED);
                run.write(1);
                if (moment == Moment.SAVED) {
                    run.save(2); // and one task failed before it did
                }
                run.again(restarted);
                run.write(1, restarted);
                run.checkpoint(3);
                run.write(2);
                run.checkpoint(4);
                run.finish();
                assertThat(found(into)).as(name).containsExactlyInAnyOrderElementsOf(List.copyOf(records()));
            }
        }
    }

    private List<T> found(Path into) throws Exception {
        return List.copyOf(writtenIn(into));
    }

    /** Some tasks of a job, from one checkpoint to whatever ends them. */
    private final class Run {
        private final List<@Nullable CheckpointedWriter<? super T>> writers = new ArrayList<>();
        private final Path into;
        private final String run;
        private int completed;
        private List<byte[]> saved;

        /** Opens all tasks, restored from a checkpoint if there is one. */
        Run(Path into, int tasks, int completed, List<byte[]> saved, String run) throws Exception {
            this(into, tasks, completed, saved, run, -1);
            if (completed > 0) {
                restoreAllBut(-1);
            }
        }

        void restoreAllBut(int late) throws Exception {
            for (int task = 0; task < writers.size(); task++) {
                if (task != late) {
                    restore(task);
                }
            }
        }

        /** One is not open yet. */
        Run(Path into, int tasks, int late) throws Exception {
            this(into, tasks, 0, List.of(), "run", late);
        }

        private Run(Path into, int tasks, int completed, List<byte[]> saved, String run, int late) throws Exception {
            this.into = into;
            this.completed = completed;
            this.saved = saved;
            this.run = run;
            for (int task = 0; task < tasks; task++) {
                writers.add(null);
            }
            for (int task = 0; task < tasks; task++) {
                if (task != late) {
                    open(task);
                }
            }
        }

        void open(int task) throws Exception {
            PrintStream console = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
            Sink<? super T> sink = Serialized.copyOf(sinkIn(into), "the sink");
            SinkContext context = new SinkContext(
                    "contract", "sink", task, writers.size(), console, codec(), Guarantee.EXACTLY_ONCE, completed, run);
            writers.set(task, checkpointed(sink.open(context)));
        }

        private void restore(int task) throws Exception {
            List<byte[]> share = new ArrayList<>();
            for (int i = task; i < saved.size(); i += writers.size()) {
                share.add(saved.get(i));
            }
            writer(task).restore(share);
        }

        /** A task fails, and continues from the last checkpoint. */
        void again(int task) throws Exception {
            writer(task).close();
            open(task);
            restore(task);
        }

        private CheckpointedWriter<? super T> writer(int task) {
            CheckpointedWriter<? super T> writer = writers.get(task);
            if (writer == null) {
                throw new IllegalStateException("task " + task + " is not open");
            }
            return writer;
        }

        @SuppressWarnings("unchecked") // a writer of the same records
        private CheckpointedWriter<? super T> checkpointed(SinkWriter<? super T> writer) {
            assertThat(writer).isInstanceOf(CheckpointedWriter.class);
            return (CheckpointedWriter<? super T>) writer;
        }

        /** Number of the checkpoint that is complete when the run has come so far. */
        int until(int lastInterval, Moment lastMoment) throws Exception {
            for (int interval = completed; interval <= lastInterval; interval++) {
                boolean last = interval == lastInterval;
                write(interval);
                if (last && lastMoment == Moment.WRITTEN) {
                    break;
                }
                List<byte[]> all = save(interval + 1);
                if (last && lastMoment == Moment.SAVED) {
                    break;
                }
                saved = all;
                completed = interval + 1;
                if (last && lastMoment == Moment.COMPLETED) {
                    break;
                }
                commit();
            }
            return completed;
        }

        /** What comes in an interval, in all tasks that are open. */
        void write(int interval) throws Exception {
            for (int task = 0; task < writers.size(); task++) {
                if (writers.get(task) != null) {
                    write(interval, task);
                }
            }
        }

        void write(int interval, int task) throws Exception {
            List<? extends T> all = records();
            for (int i = interval; i < all.size(); i += INTERVALS) {
                if (i / INTERVALS % writers.size() == task) {
                    writer(task).write(all.get(i));
                }
            }
        }

        List<byte[]> save(long checkpoint) throws Exception {
            List<byte[]> all = new ArrayList<>();
            for (int task = 0; task < writers.size(); task++) {
                all.add(writer(task).save(checkpoint));
            }
            return all;
        }

        void checkpoint(int number) throws Exception {
            saved = save(number);
            completed = number;
            commit();
        }

        private void commit() throws Exception {
            for (int task = 0; task < writers.size(); task++) {
                writer(task).commit(completed);
            }
        }

        void finish() throws Exception {
            saved = save(0);
            completed++;
            for (int task = 0; task < writers.size(); task++) {
                writer(task).commit(completed);
                writer(task).finish();
            }
            close();
        }

        void close() throws Exception {
            for (int task = 0; task < writers.size(); task++) {
                writer(task).close();
            }
        }
    }
}

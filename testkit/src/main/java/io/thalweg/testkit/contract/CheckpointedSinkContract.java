// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.CheckpointedWriter;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the engine relies on in every sink whose writers are {@link CheckpointedWriter}s: killed at any moment and started
 * again from its last checkpoint, it shows each record once.
 *
 * @param <T> records
 */
@Timeout(60)
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

    /** Some records, each another, with an equals of their own. */
    protected abstract List<? extends T> records() throws Exception;

    /** What whoever reads the output in the folder finds. */
    protected abstract List<? extends T> writtenIn(Path folder) throws Exception;

    /** One killed at each moment of each interval, by as many tasks as before, by fewer, and by more. */
    @Test
    void shouldShowEachRecordOnce_whereverItIsKilled() throws Exception {
        int required = sinkIn(folder).requiredParallelism();
        int[][] tasks =
                required == 0 ? new int[][] {{1, 1}, {2, 2}, {3, 2}, {2, 3}} : new int[][] {{required, required}};
        for (int[] beforeAndAfter : tasks) {
            for (int interval = 0; interval < INTERVALS; interval++) {
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
        Run first = new Run(into, tasks[0], 0, List.of());
        int completed = first.until(interval, moment);
        if (closed) {
            first.close();
        }
        Run second = new Run(into, tasks[1], completed, first.saved);
        second.until(INTERVALS - 1, Moment.COMMITTED);
        second.finish();
        assertThat(found(into)).as(into.getFileName().toString()).containsExactlyInAnyOrderElementsOf(all);

        Run again = new Run(into, tasks[1], second.completed, second.saved);
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
        Run first = new Run(folder, tasks, 0, List.of());
        first.until(0, Moment.COMMITTED);
        List<byte[]> older = first.saved;
        first.until(INTERVALS - 1, Moment.COMMITTED);

        Run second = new Run(folder, tasks, 1, older);
        second.until(INTERVALS - 1, Moment.COMMITTED);
        second.finish();

        assertThat(found(folder)).containsExactlyInAnyOrderElementsOf(all);
    }

    /** All was saved, and nobody had told the writers that they were done. */
    @Test
    void shouldShowEachRecordOnce_whereItIsKilledAtTheVeryEnd() throws Exception {
        List<T> all = List.copyOf(records());
        int tasks = Math.max(1, sinkIn(folder).requiredParallelism());
        Run first = new Run(folder, tasks, 0, List.of());
        first.until(INTERVALS - 1, Moment.COMMITTED);
        List<byte[]> saved = first.save(0);

        new Run(folder, tasks, INTERVALS + 1, saved).finish();

        assertThat(found(folder)).containsExactlyInAnyOrderElementsOf(all);
    }

    private List<T> found(Path into) throws Exception {
        return List.copyOf(writtenIn(into));
    }

    /** Some tasks of a job, from one checkpoint to whatever ends them. */
    private final class Run {
        private final List<CheckpointedWriter<? super T>> writers = new ArrayList<>();
        private int completed;
        private List<byte[]> saved;

        Run(Path into, int tasks, int completed, List<byte[]> saved) throws Exception {
            this.completed = completed;
            this.saved = saved;
            PrintStream console = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
            for (int task = 0; task < tasks; task++) {
                Sink<? super T> sink = Serialized.copyOf(sinkIn(into), "the sink");
                writers.add(checkpointed(
                        sink.open(new SinkContext("contract", "sink", task, tasks, console, null, completed))));
            }
            if (completed > 0) {
                for (int task = 0; task < tasks; task++) {
                    List<byte[]> share = new ArrayList<>();
                    for (int i = task; i < saved.size(); i += tasks) {
                        share.add(saved.get(i));
                    }
                    writers.get(task).restore(share);
                }
            }
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
                for (CheckpointedWriter<? super T> writer : writers) {
                    writer.commit(completed);
                }
            }
            return completed;
        }

        private void write(int interval) throws Exception {
            List<? extends T> all = records();
            for (int i = interval; i < all.size(); i += INTERVALS) {
                writers.get(i / INTERVALS % writers.size()).write(all.get(i));
            }
        }

        private List<byte[]> save(long checkpoint) throws Exception {
            List<byte[]> all = new ArrayList<>();
            for (CheckpointedWriter<? super T> writer : writers) {
                all.add(writer.save(checkpoint));
            }
            return all;
        }

        void finish() throws Exception {
            saved = save(0);
            completed++;
            for (CheckpointedWriter<? super T> writer : writers) {
                writer.commit(completed);
                writer.finish();
            }
            close();
        }

        void close() throws Exception {
            for (CheckpointedWriter<? super T> writer : writers) {
                writer.close();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.testkit.Serialized;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Rules for every sink that stores records.
 *
 * @param <T> records
 */
@Timeout(900)
public abstract class SinkContract<T> {
    /** The sink, its output not there or empty; the same output for one test. */
    protected abstract Sink<? super T> sink() throws Exception;

    /** Some records, all different, with an equals method. */
    protected abstract List<? extends T> records() throws Exception;

    /** The records that a reader finds in the output now; null if there is no output. */
    protected abstract @Nullable List<? extends T> written() throws Exception;

    @Test
    void shouldShowWhatWasWritten_onceAndInOrder_afterSerialization() throws Exception {
        List<List<T>> shares = shares(tasks(1), 1);
        write(shares, true);
        assertThat(found()).isEqualTo(shares.get(0));
    }

    /** The last task has nothing to write. */
    @Test
    void shouldShowWhatEachTaskWrote_onceAndInOrder() throws Exception {
        int tasks = tasks(3);
        List<List<T>> shares = shares(tasks, Math.max(1, tasks - 1));
        write(shares, true);
        List<T> found = found();
        assertThat(found).containsExactlyInAnyOrderElementsOf(List.copyOf(records()));
        for (int task = 0; task < tasks; task++) {
            List<T> share = shares.get(task);
            assertThat(found.stream().filter(share::contains).toList())
                    .as("records of task %d of %d", task, tasks)
                    .isEqualTo(share);
        }
    }

    @Test
    void shouldLeaveAnEmptyOutput_whereNothingWasWritten() throws Exception {
        write(shares(tasks(2), 0), true);
        assertThat(found()).isEmpty();
    }

    @Test
    void shouldShowNothing_whereItDidNotFinish() throws Exception {
        write(shares(tasks(2), tasks(2)), false);
        List<? extends T> found = written();
        if (found != null) {
            assertThat(List.copyOf(found)).isEmpty();
        }
    }

    private int tasks(int wanted) throws Exception {
        int required = sink().requiredParallelism();
        return required == 0 ? wanted : required;
    }

    private List<T> found() throws Exception {
        List<? extends T> found = written();
        assertThat(found != null).as("the output is there").isTrue();
        return found == null ? List.of() : List.copyOf(found);
    }

    /** The records in turn to the first {@code busy} of some tasks. */
    private List<List<T>> shares(int tasks, int busy) throws Exception {
        assertThat(List.copyOf(records())).hasSizeGreaterThan(2).doesNotHaveDuplicates();
        List<List<T>> shares = new ArrayList<>();
        for (int task = 0; task < tasks; task++) {
            shares.add(new ArrayList<>());
        }
        int next = 0;
        for (T record : records()) {
            if (busy > 0) {
                shares.get(next++ % busy).add(record);
            }
        }
        return shares;
    }

    /** Writes as tasks do: each opened before any writes, then all in turn, then each to its end. */
    private void write(List<List<T>> shares, boolean finish) throws Exception {
        PrintStream console = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        List<SinkWriter<? super T>> writers = new ArrayList<>();
        try {
            for (int task = 0; task < shares.size(); task++) {
                Sink<? super T> sink = Serialized.copyOf(sink(), "the sink");
                writers.add(sink.open(new SinkContext("contract", "sink", task, shares.size(), console)));
            }
            int most = shares.stream().mapToInt(List::size).max().orElse(0);
            for (int i = 0; i < most; i++) {
                for (int task = 0; task < shares.size(); task++) {
                    if (i < shares.get(task).size()) {
                        writers.get(task).write(shares.get(task).get(i));
                    }
                }
            }
            if (finish) {
                for (SinkWriter<? super T> writer : writers) {
                    writer.finish();
                }
            }
        } finally {
            for (SinkWriter<? super T> writer : writers) {
                writer.close();
            }
        }
    }
}

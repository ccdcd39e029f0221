// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;
import java.util.ArrayList;
import java.util.List;

/** The stages of a task, in the order in which records pass them, and what checkpoints hold of them besides their own state. */
final class Stages {
    private static final String INPUT_OVER = "input over";
    private static final String FINISHED = "finished";
    private static final String WATERMARK = "watermark";

    private final Stage[] stages;
    private final BatchingStage[] batching;
    private final StateName inputOver;
    private boolean inputOverBefore;
    private final boolean[] finishedBefore;

    /** @param input name of the operator at the head of the chain */
    Stages(List<Stage> stages, String input) {
        this.stages = stages.toArray(Stage[]::new);
        batching = stages.stream()
                .filter(BatchingStage.class::isInstance)
                .map(BatchingStage.class::cast)
                .toArray(BatchingStage[]::new);
        inputOver = new StateName(input, INPUT_OVER);
        finishedBefore = new boolean[this.stages.length];
    }

    /** A call of a stage that may fail without a current record. */
    interface Step {
        void of(Stage stage) throws Exception;
    }

    int count() {
        return stages.length;
    }

    Stage get(int index) {
        return stages[index];
    }

    void each(Step step) throws Exception {
        for (Stage stage : stages) {
            run(stage, step);
        }
    }

    private static void run(Stage stage, Step step) throws Exception {
        try {
            step.of(stage);
        } catch (OperatorException e) {
            throw e;
        } catch (Exception | LinkageError | AssertionError e) {
            throw new OperatorException(stage.operator(), "", 0, e);
        }
    }

    /** Processes what stages hold back, while there is room. */
    void settle() throws Exception {
        for (BatchingStage stage : batching) {
            stage.settle();
        }
    }

    /** Drops what stages hold; returns how many records it was made of. */
    long drop() {
        long dropped = 0;
        for (Stage stage : stages) {
            dropped += stage.drop();
        }
        return dropped;
    }

    void open() throws Exception {
        each(Stage::open);
    }

    /** Closes all, even if one fails. */
    void close() throws Exception {
        Throwable failure = null;
        for (Stage stage : stages) {
            try {
                run(stage, Stage::close);
            } catch (Exception | Error e) {
                failure = e;
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof Exception exception) {
            throw exception;
        }
    }

    long windowsOpen() {
        long open = 0;
        for (Stage stage : stages) {
            open += stage.windowsOpen();
        }
        return open;
    }

    /** When the earliest processing-time timer of all stages is due. */
    long dueMs() {
        long first = Long.MAX_VALUE;
        for (Stage stage : stages) {
            first = Math.min(first, stage.dueMs());
        }
        return first;
    }

    List<StateStats> stateStats() {
        List<StateStats> all = new ArrayList<>();
        for (Stage stage : stages) {
            StateStats state = stage.stateStats();
            if (state != null) {
                all.add(state);
            }
        }
        return all;
    }

    /** True if the input had ended before the checkpoint that the job continues from. */
    boolean inputOverBefore() {
        return inputOverBefore;
    }

    /** True if the stage had finished before that checkpoint. */
    boolean finishedBefore(int index) {
        return finishedBefore[index];
    }

    /** Restores the watermark first, because stages may read it while they are restored. */
    void restore(Restored restored, Frame frame) throws Exception {
        inputOverBefore = allTrue(restored.whole(inputOver, INPUT_OVER));
        long watermark = Long.MAX_VALUE;
        for (int i = 0; i < stages.length; i++) {
            finishedBefore[i] = allTrue(restored.whole(finished(stages[i]), FINISHED));
            for (ByteReader task : restored.whole(watermarkOf(stages[i]), WATERMARK)) {
                watermark = Math.min(watermark, task.readLong());
            }
        }
        frame.watermark = watermark == Long.MAX_VALUE ? frame.watermark : watermark;
        each(stage -> stage.restore(restored));
    }

    void restoreOutputs(Restored restored) throws Exception {
        each(stage -> stage.restoreOutput(restored));
    }

    /** @param finished the input has ended, and everything was emitted */
    void save(TaskState state, long watermark, boolean finished) throws Exception {
        state.whole(inputOver, INPUT_OVER).writeBoolean(finished);
        for (Stage stage : stages) {
            state.whole(finished(stage), FINISHED).writeBoolean(finished);
            state.whole(watermarkOf(stage), WATERMARK).writeLong(watermark);
            run(stage, finished ? each -> each.saveFinished(state) : each -> each.save(state));
        }
    }

    /** True if all tasks of an operator had finished at a checkpoint. */
    static boolean finishedIn(SavedState saved, String operator) {
        return allTrue(saved.whole(new StateName(operator, FINISHED), FINISHED));
    }

    /** True if the input of all tasks whose chains an operator was the head of was over at a checkpoint. */
    static boolean inputOverIn(SavedState saved, String operator) {
        return allTrue(saved.whole(new StateName(operator, INPUT_OVER), INPUT_OVER));
    }

    /** Kept by operator, not by task: a restored job may have other chains. */
    private static StateName finished(Stage stage) {
        return new StateName(stage.operator(), FINISHED);
    }

    private static StateName watermarkOf(Stage stage) {
        return new StateName(stage.operator(), WATERMARK);
    }

    /** True if there were former tasks and all of them had finished. */
    private static boolean allTrue(List<ByteReader> tasks) {
        boolean all = !tasks.isEmpty();
        for (ByteReader task : tasks) {
            all &= task.readBoolean();
        }
        return all;
    }
}

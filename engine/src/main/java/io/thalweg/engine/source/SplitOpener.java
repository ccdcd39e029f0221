// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.BackgroundReader;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConfirmedReader;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.stats.InputStats;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.run.Clock;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Opens the readers of one source task: on its own thread, on threads of their own, or one reader for all splits of a
 * live source.
 */
final class SplitOpener {
    private final String task;
    private final String operator;
    private final SourceAccess access;
    private final @Nullable Restored restored;
    private final SourceContext context;
    private final @Nullable LiveSplits live;

    /**
     * @param task name of the task
     * @param checkpoints some are taken
     * @param restored null if the job is not restored from a checkpoint
     */
    SplitOpener(
            String task,
            String operator,
            SourceAccess access,
            Frame frame,
            Clock clock,
            boolean checkpoints,
            @Nullable Restored restored) {
        this.task = task;
        this.operator = operator;
        this.access = access;
        this.restored = restored;
        context = new ReaderContext(task, operator, access, frame, clock, checkpoints);
        live = access.source() instanceof LiveSource<Object> source
                ? new LiveSplits(task + " reads", operator, source, access.sharing(), context)
                : null;
    }

    /** Null if each split has a reader of its own. */
    @Nullable LiveSplits live() {
        return live;
    }

    /** @param progress null if the split is not in the checkpoint */
    SplitReader<Object> open(String split, @Nullable SplitProgress progress) throws OperatorException {
        try {
            return reader(split, progress);
        } catch (ConnectorException e) {
            throw e;
        } catch (Exception e) {
            throw new OperatorException(operator, split, 0, e);
        }
    }

    private SplitReader<Object> reader(String split, @Nullable SplitProgress progress) throws Exception {
        if (live != null) {
            return live.open(split, progress, restored);
        }
        Source<Object> source = access.source();
        return access.apart()
                ? new BackgroundReader(
                        task + " reads " + split,
                        own -> openAt(split, progress, own),
                        source.reusesRecords() ? source.type().codec() : null,
                        context,
                        progress == null ? SplitProgress.unknown(SplitProgress.NOT_BEGUN) : progress.at())
                : openAt(split, progress, context);
    }

    private SplitReader<Object> openAt(String split, @Nullable SplitProgress progress, SourceContext own)
            throws Exception {
        SplitReader<Object> reader = access.source().open(split, own);
        if (restored != null && progress != null && progress.position() != SplitProgress.NOT_BEGUN) {
            SavedState saved = restored.saved();
            try {
                progress.at().resume(reader, saved.info().topology(), operator, split, saved.acceptsChangedInput());
            } catch (Exception e) {
                reader.close();
                throw e;
            }
        }
        if (access.guaranteedElsewhere() && reader instanceof ConfirmedReader<?>) {
            reader.close();
            throw new ConnectorException("source '" + operator + "' needs a confirmation of each record that is"
                    + " done, which this engine does not give; run it embedded, or without a guarantee");
        }
        return reader;
    }

    private static final class ReaderContext implements SourceContext {
        private final String task;
        private final String operator;
        private final SourceAccess access;
        private final Frame frame;
        private final Clock clock;
        private final boolean checkpoints;

        ReaderContext(
                String task, String operator, SourceAccess access, Frame frame, Clock clock, boolean checkpoints) {
            this.task = task;
            this.operator = operator;
            this.access = access;
            this.frame = frame;
            this.clock = clock;
            this.checkpoints = checkpoints;
        }

        @Override
        public String operator() {
            return operator;
        }

        @Override
        public void bad(BadRecord record) {
            frame.unread(operator, record);
        }

        @Override
        public void warn(String message) {
            access.warnings().accept("task " + task + ": " + message);
        }

        @Override
        public void measured(InputStats input) {
            frame.measured.accept(input);
        }

        @Override
        public ConnectionReports connections() {
            return frame.connections.apply(operator);
        }

        @Override
        public long nowNs() {
            return clock.nowNs();
        }

        @Override
        public boolean checkpoints() {
            return checkpoints;
        }

        @Override
        public int decodingThreads() {
            SourceAccess.Decoding decoding = access.decoding();
            return decoding == null ? 1 : decoding.threads();
        }

        @Override
        public void decode(Runnable piece) {
            SourceAccess.Decoding decoding = access.decoding();
            if (decoding == null) {
                SourceContext.super.decode(piece);
            } else {
                decoding.pieces().add(piece);
            }
        }

        @Override
        public void wakeUp() {
            VarHandle.fullFence(); // either a worker that is about to sleep sees the record, or we see that it sleeps
            access.wakeUp().run();
        }
    }

    /** Warns the user, in one line that names the task. */
    void warn(String message) {
        context.warn(message);
    }
}

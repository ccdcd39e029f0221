// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.RecordBatch;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.WriteTarget;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Follows all files of a task. */
public final class FollowReader<T> implements LiveReader<T> {
    /** Nobody says that a file has grown; so often it is looked. */
    private static final long LOOK_AGAIN_NS = 20_000_000L;

    private final LineParser<T> parser;
    private final int maxLineBytes;
    private final SourceContext context;
    private final Map<String, FollowedFile> files = new LinkedHashMap<>();
    private final Set<String> paused = new HashSet<>();

    /** Splits of which the task does not know yet where they begin. */
    private final Set<String> begun = new HashSet<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Guarded by the lock. */
    private boolean woken;

    /** @param parser called on the task's thread */
    public FollowReader(LineParser<T> parser, int maxLineBytes, SourceContext context) {
        this.parser = parser;
        this.maxLineBytes = maxLineBytes;
        this.context = context;
    }

    /** True if the path leads to a file of the place, or a file of it has the name of one that was rotated. */
    public static boolean follows(String path, WriteTarget place) {
        try {
            return FollowedFile.reads(Path.of(path), place);
        } catch (InvalidPathException e) {
            return false; // whoever lists the files says so
        }
    }

    private FollowedFile file(String split) {
        return files.computeIfAbsent(split, name -> new FollowedFile(Path.of(name), maxLineBytes, context));
    }

    @Override
    public void add(String split) {
        file(split);
        begun.add(split);
    }

    @Override
    public void addAt(String split, long position) throws IOException {
        file(split).seek(position);
        begun.add(split);
    }

    @Override
    public @Nullable String changed(String split, byte[] fingerprint) throws IOException {
        return file(split).changed(fingerprint);
    }

    @Override
    public List<RecordBatch<T>> fetch(Duration atMost) throws InterruptedException {
        List<RecordBatch<T>> batches = now();
        if (batches.isEmpty() && !awaitWakeUp(Math.min(LOOK_AGAIN_NS, atMost.toNanos()))) {
            batches = now();
        }
        return batches;
    }

    private List<RecordBatch<T>> now() {
        List<RecordBatch<T>> batches = new ArrayList<>();
        for (Map.Entry<String, FollowedFile> each : files.entrySet()) {
            String split = each.getKey();
            if (!paused.contains(split)) {
                try {
                    FollowedFile file = each.getValue();
                    FollowedFile.Piece piece = begun.contains(split) ? file.begin() : file.next();
                    if (piece != null) {
                        begun.remove(split);
                        batches.add(new Batch(split, piece));
                    }
                } catch (IOException e) {
                    throw new ConnectorException("cannot follow " + split + ": " + ByteInput.reason(e), e);
                }
            }
        }
        return batches;
    }

    /** True if the reader was woken. */
    private boolean awaitWakeUp(long atMostNs) throws InterruptedException {
        lock.lock();
        try {
            long leftNs = atMostNs;
            while (!woken && leftNs > 0) {
                leftNs = changed.awaitNanos(leftNs);
            }
            boolean was = woken;
            woken = false;
            return was;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wakeUp() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void pause(String split) {
        paused.add(split);
    }

    @Override
    public void resume(String split) {
        paused.remove(split);
    }

    @Override
    public void close() throws IOException {
        for (FollowedFile file : files.values()) {
            file.close();
        }
    }

    /** Lines, parsed by the task. */
    private final class Batch implements RecordBatch<T> {
        private final String split;
        private final byte[] fingerprint;
        private final LineReader<T> lines;

        Batch(String split, FollowedFile.Piece piece) {
            this.split = split;
            fingerprint = piece.fingerprint();
            lines = new LineReader<>(LineInput.ofPiece(split, piece, maxLineBytes), parser, context);
        }

        @Override
        public String split() {
            return split;
        }

        @Override
        public @Nullable T next() {
            T record = lines.poll();
            while (record == null && !lines.finished()) {
                record = lines.poll();
            }
            return record;
        }

        @Override
        public long position() {
            return lines.position();
        }

        @Override
        public long recordOffset() {
            return lines.recordOffset();
        }

        @Override
        public long line() {
            return lines.line();
        }

        @Override
        public byte[] fingerprint() {
            return fingerprint;
        }
    }
}

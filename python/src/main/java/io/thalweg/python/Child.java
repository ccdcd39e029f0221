// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.python.arrow.Columns;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;

/**
 * One process at a time, and its successor if it dies. One thread writes batches; another one starts the process, reads results, and
 * sees to its end. Neither waits for the other while the process could go on, so a process may write as much as it likes before it reads.
 *
 * <p>At most two batches are under way, so that the process finds the next one when it is done with one. Meanwhile rows gather for the
 * batch after that: at a low rate batches are small and wait for nothing, at a high rate they are full.
 */
final class Child {
    private static final int UNDER_WAY = 2;

    /** The process sees by itself that its time is up; we only if it cannot. */
    private static final long MARGIN_MS = 2_000;

    private static final long GRACE_MS = 2_000;
    private static final long JOIN_MS = 1_000;
    private static final String NOT_SENT = "rows cannot be sent to Python: ";

    private final Exchange exchange;
    private final Arrow offered;
    private final BatchWriter writer;
    private final @Nullable ArrowWriter arrowWriter;
    private final AnswerReader reader;
    private final Thread writing;
    private final Thread reading;

    // Guarded by the lock of the exchange.

    /** Batches without an answer, in the order in which they were sent. */
    private final ArrayDeque<Batch> sent = new ArrayDeque<>();

    /** Those of a process that died. */
    private final ArrayDeque<Batch> again = new ArrayDeque<>();

    /** The one that runs, also while it is not ready. */
    private @Nullable PythonProcess process;

    private boolean ready;

    /** Whether the function takes record batches. */
    private boolean arrow;

    private boolean inWrite;
    private int deaths;
    private long batchesDone;
    private long rowsDone;

    /** The last process has ended, and no other one is started. */
    private boolean ended;

    /** The input of the process was closed while it ran: it closes the function. */
    private boolean closing;

    /** It has said what came of that. */
    private boolean told;

    /** It has ended without saying so, and the function has a {@code close}. */
    private boolean diedClosing;

    /** What {@code close} of the function has thrown. */
    private @Nullable RowFailure notClosed;

    // Of the clock's thread.
    private @Nullable Object oldest;
    private long waitedMs;

    Child(Exchange exchange) {
        this.exchange = exchange;
        offered = Arrow.of(exchange.task.row(), exchange.task.result());
        Columns columns = offered.rows();
        int largestRow = exchange.task.options().largestRow();
        writer = new BatchWriter(exchange.where, largestRow, exchange.task.keyed());
        arrowWriter = columns == null ? null : new ArrowWriter(exchange.where, largestRow, columns);
        reader = new AnswerReader(exchange.where, exchange.task, exchange.shape, offered.results());
        writing = thread("writer", this::write);
        reading = thread("reader", this::run);
    }

    private Thread thread(String role, Runnable body) {
        Thread thread = new Thread(body, "python " + exchange.task.program().file() + " " + role);
        thread.setDaemon(true);
        return thread;
    }

    void start() {
        reading.start();
        writing.start();
    }

    /** With the lock. */
    boolean ready() {
        return ready;
    }

    /** With the lock. */
    List<Batch> unanswered() {
        List<Batch> all = new ArrayList<>(sent);
        all.addAll(again);
        sent.clear();
        again.clear();
        return all;
    }

    // ---- the writer's thread

    private void write() {
        try {
            while (true) {
                Batch batch = next();
                if (batch == null) {
                    return;
                }
                send(batch);
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            exchange.fail(NOT_SENT + e, e);
        }
    }

    /** The next batch, when the process has room for one; null if all is over. Closes the input of the process then. */
    private @Nullable Batch next() throws InterruptedException {
        exchange.lock.lock();
        try {
            while (true) {
                if (exchange.over()) {
                    if (process != null) {
                        closing = ready;
                        process.closeInput();
                    }
                    return null;
                }
                if (ready && sent.size() < UNDER_WAY) {
                    if (!again.isEmpty()) {
                        return again.remove();
                    }
                    exchange.linger();
                    if (exchange.hasRows() && ready && !exchange.over()) {
                        return exchange.take();
                    }
                    if (exchange.over() || !ready) {
                        continue;
                    }
                }
                exchange.changed.await();
            }
        } finally {
            exchange.lock.unlock();
        }
    }

    private void send(Batch batch) {
        Packed packed = pack(batch);
        PythonProcess to;
        exchange.lock.lock();
        try {
            if (exchange.over()) {
                to = null;
            } else {
                if (packed.batch().calls().size() != batch.calls().size()) {
                    exchange.notSent(batch, packed);
                }
                to = ready ? process : null;
                if (packed.batch().calls().isEmpty()) {
                    return;
                }
                (to == null ? again : sent).add(packed.batch());
                inWrite = to != null;
            }
        } finally {
            exchange.lock.unlock();
        }
        if (to == null) {
            if (over()) {
                batch.fail(exchange.reason());
            }
            return;
        }
        try {
            packed.body().writeTo(to.output());
        } catch (IOException e) {
            to.kill(); // the reader sees its end, and has the batch sent again
        } finally {
            written();
        }
    }

    private Packed pack(Batch batch) {
        try {
            return arrow && arrowWriter != null ? arrowWriter.pack(batch) : writer.pack(batch);
        } catch (RuntimeException | Error e) { // nobody else has its rows any more
            batch.fail(new ConnectorException(exchange.where + NOT_SENT + e, e));
            throw e;
        }
    }

    private void written() {
        exchange.lock.lock();
        try {
            inWrite = false;
        } finally {
            exchange.lock.unlock();
        }
    }

    private boolean over() {
        exchange.lock.lock();
        try {
            return exchange.over();
        } finally {
            exchange.lock.unlock();
        }
    }

    // ---- the reader's thread

    private void run() {
        try {
            PythonProcess current = begin();
            while (current != null) {
                read(current);
                current.end(GRACE_MS);
                ProcessExit death = current.death();
                if (gone()) {
                    return;
                }
                String problem = problem(death);
                if (problem != null) {
                    throw new ConnectorException(problem);
                }
                exchange.reports.lost(
                        "the Python process of " + exchange.task.program().file(),
                        death.cause() + "; it is started again, and what it has not answered is sent again");
                current = begin();
            }
        } catch (ConnectorException e) {
            exchange.fail(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException | RuntimeException | Error e) {
            exchange.fail("the results of Python cannot be read: " + e, e);
        } finally {
            kill();
        }
    }

    /** Starts a process; null if all is over. */
    private @Nullable PythonProcess begin() {
        PythonProcess started = PythonProcess.start(exchange.task.program(), exchange.task.options());
        exchange.lock.lock();
        try {
            process = started;
            if (!exchange.over()) {
                return started;
            }
        } finally {
            exchange.lock.unlock();
        }
        started.kill();
        return null;
    }

    /** Until its end. */
    private void read(PythonProcess from) {
        try {
            if (!from.greet(exchange.task, offered)) {
                return;
            }
            exchange.lock.lock();
            try {
                arrow = from.arrow(); // before the first batch is taken, and the same in each process
                exchange.lives = from.lives();
                ready = true;
                exchange.changed.signalAll();
            } finally {
                exchange.lock.unlock();
            }
            exchange.reports.restored(
                    "the Python process of " + exchange.task.program().file());
            Message.Received message = from.read();
            while (message != null && !isEnd(message)) {
                exchange.answered(reader.read(message, this::answered));
                message = from.read();
            }
        } catch (MessagePackException e) {
            throw new ConnectorException("the answer of the Python process cannot be read: " + e, e);
        } catch (IOException e) {
            // as at the end of input
        }
        exchange.lock.lock();
        try {
            diedClosing = closing && !told && from.closes();
        } finally {
            exchange.lock.unlock();
        }
    }

    /** Whether the process has closed the function, or has tried to: then it ends. */
    private boolean isEnd(Message.Received message) throws IOException {
        if (message.arrow() || !over()) {
            return false;
        }
        try (MessageUnpacker in = MessagePack.newDefaultUnpacker(message.bytes())) {
            in.unpackArrayHeader();
            int kind = in.unpackInt();
            if (kind != Message.FAILED && kind != Message.CLOSED) {
                return false;
            }
            RowFailure failure = kind == Message.FAILED ? RowFailure.read(in) : null;
            exchange.lock.lock();
            try {
                told = true;
                notClosed = failure;
            } finally {
                exchange.lock.unlock();
            }
            return true;
        }
    }

    /** The batch with this number, which is the first that is under way; null if it is not. */
    private @Nullable Batch answered(long number) {
        exchange.lock.lock();
        try {
            Batch first = sent.peek();
            if (first == null || first.number() != number) {
                return null;
            }
            deaths = 0;
            batchesDone++;
            rowsDone += first.calls().size();
            exchange.changed.signalAll();
            sent.remove();
            if (sent.isEmpty()) {
                inWrite = false; // the process has read it all, though the writer may not have come back from it yet
            }
            return first;
        } finally {
            exchange.lock.unlock();
        }
    }

    /** Prepares what was under way to be sent again; true if nobody needs that, since all is over. */
    private boolean gone() {
        exchange.lock.lock();
        try {
            ready = false;
            while (!sent.isEmpty()) {
                again.addFirst(sent.removeLast());
            }
            ended = exchange.over();
            return ended;
        } finally {
            exchange.lock.unlock();
        }
    }

    /** Why no other process is started; null if one is. */
    private @Nullable String problem(ProcessExit death) {
        String name = exchange.task.program().function() + " of "
                + exchange.task.program().file();
        String version = death.wrongVersion();
        if (version != null) {
            return "'" + exchange.task.options().interpreter() + "' is Python " + version
                    + ", and 3.9 or newer is needed; name another one with interpreter(…) or virtualenv(…)";
        }
        if (death.hung()) {
            return name + " has not answered within " + exchange.task.options().timeoutMs() + " ms"
                    + death.place(exchange.task.program()) + "; allow more with timeout(…)";
        }
        deaths++;
        if (deaths > exchange.task.options().restarts()) {
            return "the Python process of " + name + " died"
                    + (deaths == 1 ? "" : " " + deaths + " times without an answer in between")
                    + " (" + death.causeAndLines() + ")";
        }
        return null;
    }

    // ---- other threads

    /** Time has passed: ends a process that does not answer. */
    void tick(long periodMs) {
        PythonProcess current;
        exchange.lock.lock();
        try {
            current = process;
            Object now = ready || current == null ? sent.peek() : current;
            waitedMs = now == null || now != oldest ? 0 : waitedMs + periodMs;
            oldest = now;
            long mostMs = ready
                    ? exchange.task.options().timeoutMs() + MARGIN_MS
                    : exchange.task.options().startMs();
            if (current == null || waitedMs < mostMs) {
                return;
            }
            waitedMs = 0;
        } finally {
            exchange.lock.unlock();
        }
        current.killLate();
    }

    /** Tells a recording that has asked for it what was done so far. */
    void report() {
        WorkEvent event = new WorkEvent();
        if (!event.isEnabled()) {
            return;
        }
        PythonProcess current;
        exchange.lock.lock();
        try {
            current = process;
            if (!ready || current == null) {
                return;
            }
            event.batches = batchesDone;
            event.rows = rowsDone;
        } finally {
            exchange.lock.unlock();
        }
        event.operator = exchange.operator;
        event.takes = current.takes();
        event.packing = current.packing();
        event.pid = current.pid();
        event.cpuNs = current.cpuNs();
        event.functionNs = reader.functionNs();
        event.waitedNs = reader.waitedNs();
        event.threadsNs = WorkEvent.cpuNs(reading, writing);
        event.commit();
    }

    /**
     * Waits for the end of the process, which its closed input asks for. The exchange is closed. One that has answered all may take as long
     * for {@code close} of its function as for a batch.
     *
     * @return why the function could not be closed; null if it was, or if nobody waits for it
     */
    @Nullable String end() throws InterruptedException {
        PythonProcess current;
        boolean busy;
        boolean done;
        exchange.lock.lock();
        try {
            current = process;
            busy = inWrite || !(ready || ended);
            done = !busy && sent.isEmpty() && again.isEmpty();
        } finally {
            exchange.lock.unlock();
        }
        boolean byItself = true;
        if (current != null) {
            if (busy) {
                current.kill(); // its input cannot be closed while it is being written
            } else if (done) {
                current.closeInput(); // if the writer has ended, nobody else does
            }
            byItself = current.end(done ? exchange.task.options().timeoutMs() + MARGIN_MS : GRACE_MS);
        }
        reading.join(JOIN_MS);
        writing.join(JOIN_MS);
        return current != null && done ? closeProblem(current.death(), byItself) : null;
    }

    private @Nullable String closeProblem(ProcessExit death, boolean byItself) {
        Program program = exchange.task.program();
        String close = "close of " + program.function() + " of " + program.file();
        RowFailure failure;
        boolean died;
        exchange.lock.lock();
        try {
            failure = notClosed;
            died = diedClosing;
        } finally {
            exchange.lock.unlock();
        }
        if (failure != null) {
            return close + " failed: " + failure.message();
        }
        if (!byItself || death.hung()) {
            return close + " has not ended within " + exchange.task.options().timeoutMs() + " ms" + death.place(program)
                    + "; allow more with timeout(…)";
        }
        return died ? close + " has not ended: its process died (" + death.causeAndLines() + ")" : null;
    }

    void kill() {
        PythonProcess current;
        exchange.lock.lock();
        try {
            current = process;
        } finally {
            exchange.lock.unlock();
        }
        if (current != null) {
            current.kill();
        }
    }
}

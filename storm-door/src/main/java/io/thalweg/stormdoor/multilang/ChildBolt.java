// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.ObjectReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bolt in a child process. One thread writes to it and another one reads, so a child may write as much as it likes before it reads.
 * What a child waits for the reader answers, if nothing else is being written.
 * A child that dies is followed by another one, which gets all tuples again that were not acked.
 */
final class ChildBolt implements IBolt, Multilang.Failing {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ChildBolt.class);

    /** So many messages are written at once. */
    private static final int MOST_AT_ONCE = 512;

    private static final int JSON_WAITING = 100;
    private static final int PACKED_WAITING = 2 * MOST_AT_ONCE;
    private static final long JOIN_MS = 1_000;
    private static final long TICK_MS = 1_000;

    private final transient ShellCommand command;
    private final transient Path python;
    private final transient ReentrantLock lock = new ReentrantLock();
    private final transient Condition changed = lock.newCondition();

    /** Neither acked nor failed, by numbers that grow. */
    private final transient Map<Long, Tuple> open = new ConcurrentHashMap<>();

    // Guarded by the lock.

    /** What the child waits for, written before all else. */
    private final transient ArrayDeque<ToChild> first = new ArrayDeque<>();

    /** What waits to be written. */
    private final transient ArrayDeque<ToChild> waiting = new ArrayDeque<>();

    private transient @Nullable ChildProcess child;
    private transient boolean ready;
    private transient boolean over;
    private transient @Nullable RuntimeException failure;
    private transient int deaths;
    private transient long lastId;

    /** So many messages are written at once: few at first to one that follows a child that died, so that its acks come back. */
    private transient int atOnce = MOST_AT_ONCE;

    private transient int most = JSON_WAITING;

    /** One of the two threads writes to the child. */
    private transient boolean taken;

    /** It is the reader. */
    private transient boolean answering;

    /** How often it has been. */
    private transient long answers;

    /** The number of answers at the last tick. */
    private transient long answersBefore;

    /** Whether the reader may write: until a child was found that writes and does not read. */
    private transient boolean direct = true;

    // Read under the lock, and written by the reader for each message without it.

    /** In seconds. */
    private transient volatile int silent;

    /** It is not the child's turn: what it emitted waits for room. */
    private transient volatile boolean handling;

    // Set before the threads begin.
    private transient @Nullable Consumer<Throwable> told;
    private transient Multilang.@Nullable Emitter emitter;
    private transient @Nullable OutputCollector collector;
    private transient @Nullable TopologyContext context;
    private transient @Nullable ChildTalk talk;
    private transient Map<String, Object> conf = Map.of();
    private transient int timeoutSeconds;
    private transient @Nullable Thread reading;
    private transient @Nullable Thread writing;
    private transient @Nullable ScheduledExecutorService clock;

    ChildBolt(ShellCommand command, Path python) {
        this.command = command;
        this.python = python;
    }

    @Override
    public void onFailure(Consumer<Throwable> onFailure) {
        told = onFailure;
    }

    @Override
    public void emitBy(Multilang.Emitter its) {
        emitter = its;
    }

    @Override
    public void prepare(Map<String, Object> settings, TopologyContext its, OutputCollector output) {
        conf = settings;
        context = its;
        collector = output;
        timeoutSeconds = ChildTalk.timeoutSeconds(settings);
        talk = new ChildTalk(ChildBolt.class, command, settings, its, output::reportError);
        reading = thread("reader", this::run);
        writing = thread("writer", this::write);
        ScheduledExecutorService ticking =
                Executors.newSingleThreadScheduledExecutor(task -> thread("heartbeats", task));
        clock = ticking;
        reading.start();
        writing.start();
        var unused = ticking.scheduleAtFixedRate(this::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
        lock.lock();
        try {
            while (!ready && failure == null && !over) {
                changed.await();
            }
            check();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private Thread thread(String role, Runnable body) {
        Thread thread = new Thread(body, "thalweg-" + name() + "-" + role);
        thread.setDaemon(true);
        return thread;
    }

    private String name() {
        return context == null ? command.toString() : context.getThisComponentId();
    }

    private void check() {
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void execute(Tuple tuple) {
        lock.lock();
        try {
            while (waiting.size() >= most && failure == null && !over) {
                changed.await();
            }
            check();
            long id = ++lastId;
            open.put(id, tuple);
            waiting.add(new ToChild.Input(id, tuple));
            changed.signalAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the topology is being ended
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void cleanup() {
        ChildProcess last;
        lock.lock();
        try {
            over = true;
            last = child;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (clock != null) {
            clock.shutdownNow();
        }
        try {
            if (last != null) {
                last.end();
            }
            for (Thread each : new Thread[] {reading, writing}) {
                if (each != null) {
                    each.interrupt();
                    each.join(JOIN_MS);
                }
            }
        } catch (InterruptedException e) {
            if (last != null) {
                last.kill("the topology has ended");
            }
            Thread.currentThread().interrupt();
        }
    }

    // ---- the clock's thread

    private void tick() {
        ChildProcess late = null;
        ChildProcess full = null;
        lock.lock();
        try {
            if (over || child == null) {
                return;
            }
            if (stuck()) {
                full = child;
                direct = false;
            }
            answersBefore = answers;
            silent = handling && full == null ? 0 : silent + 1;
            if (silent > timeoutSeconds) {
                late = child;
                silent = 0;
            } else if (ready && first.isEmpty()) {
                first.add(new ToChild.Heartbeat(++lastId));
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        String held = late == null ? null : late.held();
        if (held != null) {
            fail(new ConnectorException("the child '" + command + "' does not answer: " + held));
        } else if (late != null) {
            late.kill("it has not answered for " + timeoutSeconds + " s, " + Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS
                    + ", and was ended");
        } else if (full != null) {
            makeRoom(full);
        }
    }

    /** Whether the reader has not come to an end with its answer since the last tick. */
    private boolean stuck() {
        return answering && answers == answersBefore;
    }

    /** Sets aside what the child writes, until it has read the answer, or for a second. */
    private void makeRoom(ChildProcess full) {
        for (int ms = 0; ms < TICK_MS; ms++) {
            boolean came = full.setAside();
            lock.lock();
            try {
                if (came) {
                    silent = 0;
                }
                if (over || !stuck()) {
                    return;
                }
                var unused = changed.await(1, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } finally {
                lock.unlock();
            }
        }
    }

    // ---- the writer's thread

    private void write() {
        try {
            while (true) {
                List<ToChild> messages = new ArrayList<>();
                ChildProcess to = take(messages);
                if (to == null) {
                    return;
                }
                List<Framing.Refused> refused = List.of();
                try {
                    refused = to.framing().write(messages);
                } catch (IOException e) {
                    lost(to); // the reader sees its end
                } finally {
                    written();
                }
                refused.forEach(this::refuse);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** It fails, as if the child had failed it. */
    private void refuse(Framing.Refused refused) {
        Tuple tuple = open.remove(refused.id());
        OutputCollector output = collector;
        if (tuple != null && output != null) {
            output.reportError(new ConnectorException(refused.reason()));
            output.fail(tuple);
        }
    }

    /** What is to be written, and to which child; null at the end. */
    private @Nullable ChildProcess take(List<ToChild> into) throws InterruptedException {
        lock.lock();
        try {
            while (!over && failure == null && (!ready || taken || (first.isEmpty() && waiting.isEmpty()))) {
                changed.await();
            }
            if (over || failure != null) {
                return null;
            }
            taken = true;
            into.addAll(first);
            first.clear();
            for (int i = Math.min(waiting.size(), atOnce); i > 0; i--) {
                into.add(waiting.remove());
            }
            changed.signalAll();
            return child;
        } finally {
            lock.unlock();
        }
    }

    /** Whoever wrote is done. */
    private void written() {
        lock.lock();
        try {
            taken = false;
            answering = false;
            if (!first.isEmpty() || !waiting.isEmpty()) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the reader has noticed. */
    private void lost(ChildProcess gone) throws InterruptedException {
        lock.lock();
        try {
            while (!over && failure == null && ready && child == gone) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- the reader's thread

    private void run() {
        try {
            while (true) {
                ChildProcess next = begin();
                if (next == null) {
                    return;
                }
                boolean greeted = read(next);
                next.reap();
                String problem = goOn(next, greeted);
                if (problem != null) {
                    throw new ConnectorException(problem);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private @Nullable ChildProcess begin() {
        TopologyContext its = context;
        if (its == null) {
            throw new IllegalStateException("not prepared");
        }
        lock.lock();
        try {
            if (over || failure != null) {
                return null;
            }
            child = ChildProcess.start(command, conf, its, python);
            silent = 0;
            return child;
        } finally {
            lock.unlock();
        }
    }

    /** Until its end; false if that came before its first message. */
    private boolean read(ChildProcess from) {
        boolean greeted = false;
        try {
            TopologyContext its = context;
            if (its == null || !from.greet(conf, its)) {
                return false;
            }
            greeted = true;
            begun(from);
            while (true) {
                List<FromChild> messages = from.framing().read();
                if (messages == null) {
                    return true;
                }
                turn(true);
                for (FromChild message : messages) {
                    handle(from, message);
                }
                turn(false);
            }
        } catch (Framing.MalformedException e) {
            from.kill(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            // as at the end of its output
        }
        return greeted;
    }

    /** All that was not acked is to be written, again if it was before. */
    private void begun(ChildProcess from) {
        if (talk != null) {
            talk.began(from);
        }
        lock.lock();
        try {
            first.clear();
            waiting.clear();
            new TreeMap<>(open).forEach((id, tuple) -> waiting.add(new ToChild.Input(id, tuple)));
            most = ObjectReader.getInt(conf.get(Config.TOPOLOGY_SHELLBOLT_MAX_PENDING), JSON_WAITING);
            if (from.framing().packed()) {
                most = Math.max(most, PACKED_WAITING);
            }
            ready = true;
            silent = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void turn(boolean ours) {
        handling = ours;
        silent = 0;
    }

    /** Null if another child is to follow; otherwise why none is. Nothing matters at the end, or after a failure. */
    private @Nullable String goOn(ChildProcess gone, boolean greeted) {
        int again;
        lock.lock();
        try {
            ready = false;
            handling = false;
            changed.signalAll();
            if (over || failure != null) {
                return null;
            }
            deaths++;
            atOnce = 1;
            again = open.size();
            if (!greeted && !gone.killed()) {
                return "the child '" + command + "' ended before its first message (" + gone.cause() + ")";
            }
            if (deaths > ChildTalk.MOST_DEATHS) {
                return "the child '" + command + "' died " + deaths
                        + " times without a tuple acked or failed in between (" + gone.cause() + ")";
            }
        } finally {
            lock.unlock();
        }
        LOG.warn(
                "the child of '{}' has ended ({}); another one is started, and gets {} tuples that were not acked",
                name(),
                gone.cause(),
                again);
        return null;
    }

    private void handle(ChildProcess from, FromChild message) {
        OutputCollector output = collector;
        if (output == null || talk == null) {
            return;
        }
        if (message instanceof FromChild.Emit emit) {
            emit(from, emit, output);
        } else if (message instanceof FromChild.Ack ack) {
            Tuple done = close(ack.id(), "acked", output);
            if (done != null) {
                output.ack(done);
            }
        } else if (message instanceof FromChild.Fail fail) {
            Tuple done = close(fail.id(), "failed", output);
            if (done != null) {
                output.fail(done);
            }
        } else {
            talk.handle(message);
        }
    }

    private @Nullable Tuple close(@Nullable Object id, String what, OutputCollector output) {
        Tuple closed = open.remove(number(id));
        if (closed == null) {
            output.reportError(
                    new Exception("the child " + what + " a tuple that it does not have, or not any more: " + id));
        } else if (atOnce < MOST_AT_ONCE || deaths > 0) { // which this thread alone changes
            lock.lock();
            try {
                deaths = 0;
                atOnce = Math.min(MOST_AT_ONCE, atOnce + 1);
            } finally {
                lock.unlock();
            }
        }
        return closed;
    }

    private void emit(ChildProcess from, FromChild.Emit emit, OutputCollector output) {
        List<Tuple> anchors = new ArrayList<>();
        for (Object id : emit.anchors()) {
            Tuple anchor = open.get(number(id));
            if (anchor == null) {
                output.reportError(new Exception(
                        "the child anchored a tuple to one that it does not have, or not any more: " + id));
            } else {
                anchors.add(anchor);
            }
        }
        if (emit.task() != 0) {
            output.emitDirect((int) emit.task(), emit.stream(), anchors, emit.values());
            return;
        }
        if (emit.needsTasks()) { // the child goes on while the tuple is handed over
            Objects.requireNonNull(emitter)
                    .emit(
                            emit.stream(),
                            anchors,
                            emit.values(),
                            tasks -> answer(from, new ToChild.Tasks(List.copyOf(tasks))));
        } else {
            output.emit(emit.stream(), anchors, emit.values());
        }
    }

    /**
     * Writes the answer at once if the writer does not write: a child that waits for it then waits for one thread less. If there is no
     * room for it in the pipe, because the child writes and does not read, the clock notices.
     */
    private void answer(ChildProcess from, ToChild.Tasks tasks) {
        lock.lock();
        try {
            if (taken || !direct || !first.isEmpty()) {
                first.add(tasks);
                changed.signalAll();
                return;
            }
            taken = true;
            answering = true;
            answers++;
        } finally {
            lock.unlock();
        }
        try {
            from.framing().write(List.of(tasks));
        } catch (IOException e) {
            // its output ends, too
        } finally {
            written();
        }
    }

    /** 0, which no tuple has, for what is no number. */
    private static long number(@Nullable Object id) {
        if (id instanceof Number known) {
            return known.longValue();
        }
        try {
            return Long.parseLong(String.valueOf(id));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private void fail(Throwable problem) {
        RuntimeException its = problem instanceof ConnectorException known
                ? ChildTalk.in(conf, name(), known)
                : problem instanceof RuntimeException other ? other : new IllegalStateException(problem);
        ChildProcess last;
        lock.lock();
        try {
            if (over || failure != null) {
                return;
            }
            failure = its;
            last = child;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.kill("the topology fails");
        }
        Consumer<Throwable> to = told;
        if (to != null) {
            to.accept(its);
        }
    }
}

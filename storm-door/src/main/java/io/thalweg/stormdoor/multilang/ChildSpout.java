// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A spout in a child process: each call is a message, and lasts until the child says that it is done. In packed frames, acks and fails
 * travel with the next call; with columns, many of them are one message, and a child is asked for rows while those before are emitted. A
 * child that dies is followed by another one; what became of
 * the tuples of the first one is not told to the second, as when a worker of Storm's dies.
 */
final class ChildSpout implements ISpout {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ChildSpout.class);
    private static final int MOST_AT_ONCE = 512;

    /** The pipe to a child takes so many bytes, also if it does not read. */
    private static final int PIPE_BYTES = 1 << 14;

    private static final int BYTES_OF_ANSWER = 8;
    private static final int BYTES_OF_TASK = 12;

    /** The id of a tuple, and which child has emitted it. */
    private record Emitted(int child, Object id) {
        @Override
        public String toString() {
            return id.toString();
        }
    }

    private final transient ShellCommand command;
    private final transient Path python;

    /** As many tuples of all tasks of the executor may be pending; 0 if any number may. */
    private final transient int most;

    private final transient SettledIds waiting = new SettledIds();

    /** For how many seconds the child has been asked and has not answered; negative while it is not asked. */
    private final transient AtomicInteger silent = new AtomicInteger(-1);

    private transient @Nullable SpoutOutputCollector collector;
    private transient @Nullable TopologyContext context;
    private transient @Nullable ChildTalk talk;
    private transient @Nullable ScheduledExecutorService clock;

    /**
     * Writes the tasks that tuples went to, where a child emits many in one call and may read none before its end; null until one does.
     * Of one child: what a process that it has left behind does not read holds up no other.
     */
    private transient @Nullable ExecutorService answering;

    /** The last answer that is left to it; null if none is. */
    private transient @Nullable Future<?> lastAnswer;

    /** Bytes of answers since the child was asked, at most. */
    private transient int answerBytes;

    private transient Map<String, Object> conf = Map.of();
    private transient int timeoutSeconds;
    private transient volatile @Nullable ChildProcess child;
    private transient int children;
    private transient int deaths;
    private transient boolean active;

    /** So many commands are not done yet. */
    private transient int unanswered;

    /** The child is being asked: what is acked meanwhile, since nothing is tracked, waits until it has answered. */
    private transient boolean asking;

    ChildSpout(ShellCommand command, Path python, int most) {
        this.command = command;
        this.python = python;
        this.most = most;
    }

    @Override
    public void open(Map<String, Object> settings, TopologyContext its, SpoutOutputCollector output) {
        conf = settings;
        context = its;
        collector = output;
        timeoutSeconds = ChildTalk.timeoutSeconds(settings);
        talk = new ChildTalk(ChildSpout.class, command, settings, its, output::reportError);
        ScheduledExecutorService ticking = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "thalweg-" + its.getThisComponentId() + "-timeouts");
            thread.setDaemon(true);
            return thread;
        });
        clock = ticking;
        var unused = ticking.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
        boolean begun = false;
        try {
            begin();
            begun = true;
        } finally {
            if (!begun) { // nobody closes what was not opened
                close();
            }
        }
    }

    private void tick() {
        ChildProcess asked = child;
        if (asked != null && silent.updateAndGet(before -> before < 0 ? before : before + 1) > timeoutSeconds) {
            silent.set(-1);
            String held = asked.held();
            if (held != null && collector != null) {
                silent.set(0);
                collector.reportError(new ConnectorException("the child '" + command + "' does not answer: " + held));
                return;
            }
            asked.kill("it has not answered for " + timeoutSeconds + " s, " + Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS
                    + ", and was ended");
        }
    }

    private void begin() {
        TopologyContext its = context;
        if (its == null || talk == null) {
            throw new IllegalStateException("not open");
        }
        try {
            child = begun(its, talk);
        } catch (ConnectorException e) {
            throw ChildTalk.in(conf, its.getThisComponentId(), e);
        }
    }

    private ChildProcess begun(TopologyContext its, ChildTalk told) {
        ChildProcess started = ChildProcess.start(command, conf, its, python);
        child = started;
        children++;
        boolean greeted = false;
        silent.set(0);
        try {
            greeted = started.greet(conf, its);
        } catch (Framing.MalformedException e) {
            started.kill(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            // as at the end of its output
        } finally {
            silent.set(-1);
        }
        if (!greeted) {
            String cause = reaped(started);
            deaths++;
            if (started.killed() && deaths <= ChildTalk.MOST_DEATHS) {
                return begun(its, told);
            }
            throw new ConnectorException("the child '" + command + "' ended before its first message (" + cause + ")");
        }
        told.began(started);
        return started;
    }

    private static String reaped(ChildProcess gone) {
        try {
            gone.reap();
        } catch (InterruptedException e) {
            gone.kill("the topology has ended");
            Thread.currentThread().interrupt();
        }
        return gone.cause();
    }

    @Override
    public void close() {
        if (clock != null) {
            clock.shutdownNow();
        }
        forgetAnswers();
        ChildProcess last = child;
        if (last == null) {
            return;
        }
        try {
            last.end();
        } catch (InterruptedException e) {
            last.kill("the topology has ended");
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void activate() {
        active = true;
        ask(new ToChild.Command("activate", ""));
    }

    @Override
    public void deactivate() {
        active = false;
        ask(new ToChild.Command("deactivate", ""));
    }

    @Override
    public void nextTuple() {
        ChildProcess its = child;
        if (its != null && its.framing().columns()) {
            converse(its, () -> nextRows(its));
        } else {
            ask(new ToChild.Next(Math.max(1, room(0))));
        }
    }

    /** For how many tuples there is room when so many more are emitted. */
    private int room(int more) {
        SpoutOutputCollector output = collector;
        long room = output == null || most <= 0 ? MOST_AT_ONCE : most - output.getPendingCount() - more;
        return (int) Math.max(0, Math.min(MOST_AT_ONCE, room));
    }

    /** Emits the rows of a call of the child, which works on the next one meanwhile. */
    private boolean nextRows(ChildProcess its) throws IOException {
        if (unanswered == 0) {
            write(its, withNext(Math.max(1, room(0))));
        }
        List<FromChild.Emit> rows = new ArrayList<>();
        boolean answered = true;
        while (unanswered > 0 && answered) {
            List<FromChild> messages = its.framing().read();
            answered = messages != null;
            for (FromChild message : messages == null ? List.<FromChild>of() : messages) {
                if (message instanceof FromChild.Emit row && !row.needsTasks() && rows.size() < MOST_AT_ONCE) {
                    rows.add(row);
                } else if (message instanceof FromChild.Sync) {
                    unanswered--;
                } else {
                    emitAll(its, rows);
                    take(its, message);
                }
            }
        }
        int room = room(rows.size());
        try {
            if (answered && !rows.isEmpty() && room > 0) {
                write(its, withNext(room));
            }
        } finally {
            emitAll(its, rows); // also those of a child that has ended meanwhile
        }
        return answered;
    }

    private List<ToChild> withNext(int room) {
        List<ToChild> messages = waiting.take(true);
        messages.add(new ToChild.Next(room));
        return messages;
    }

    private void emitAll(ChildProcess its, List<FromChild.Emit> rows) throws IOException {
        silent.set(-1);
        for (FromChild.Emit row : rows) {
            emit(its, row);
        }
        rows.clear();
        silent.set(0);
    }

    @Override
    public void ack(Object id) {
        tell("ack", id);
    }

    @Override
    public void fail(Object id) {
        tell("fail", id);
    }

    private void tell(String what, Object id) {
        if (!(id instanceof Emitted emitted) || emitted.child != children) {
            return;
        }
        waiting.add(what, emitted.id);
        ChildProcess its = child;
        // nobody asks for the next tuple while it is not active, or not soon
        if (its != null && !asking && (!its.framing().packed() || !active || waiting.isEnough())) {
            exchange(its, List.of());
        }
    }

    /** Asks the child, or the one that follows it. */
    private void ask(ToChild message) {
        ChildProcess its = child;
        if (its != null) {
            exchange(its, List.of(message));
        }
    }

    private void exchange(ChildProcess its, List<ToChild> more) {
        boolean packed = its.framing().packed();
        converse(its, () -> {
            boolean answered = answered(its); // what it was asked ahead: it may write until that is read, and not read
            List<ToChild> messages = waiting.take(its.framing().columns());
            messages.addAll(more);
            if (packed) {
                return answered && exchanged(its, messages);
            }
            for (int i = 0; i < messages.size() && answered; i++) {
                answered = exchanged(its, List.of(messages.get(i)));
            }
            return answered;
        });
        if (its == child && !waiting.isEmpty() && (!packed || !active)) {
            exchange(its, List.of());
        }
    }

    /** What is said to a child and by it; false if it has ended. */
    private interface Conversation {
        boolean run() throws IOException;
    }

    private void converse(ChildProcess its, Conversation conversation) {
        silent.set(0);
        asking = true;
        boolean answered = false;
        try {
            answered = conversation.run();
        } catch (Framing.MalformedException e) {
            its.kill(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            // as at the end of its output
        } finally {
            silent.set(-1);
            asking = false;
        }
        if (!answered) {
            another(its);
        }
    }

    private boolean exchanged(ChildProcess its, List<ToChild> messages) throws IOException {
        write(its, messages);
        return answered(its);
    }

    private void write(ChildProcess its, List<ToChild> messages) throws IOException {
        awaitAnswers();
        its.framing().write(messages);
        unanswered = messages.size();
    }

    /** @param tasks that a tuple went to; the child may ask for those of thousands before it reads, and then nobody would read */
    private void answer(ChildProcess its, List<Integer> tasks) throws IOException {
        answerBytes += BYTES_OF_ANSWER + BYTES_OF_TASK * tasks.size();
        List<ToChild> message = List.of(new ToChild.Tasks(tasks));
        if (answerBytes < PIPE_BYTES) {
            its.framing().write(message);
            return;
        }
        ExecutorService writing = answering;
        if (writing == null) {
            writing = Executors.newSingleThreadExecutor(task -> {
                Thread thread = new Thread(task, Thread.currentThread().getName() + "-answers");
                thread.setDaemon(true);
                return thread;
            });
            answering = writing;
        }
        lastAnswer = writing.submit(() -> {
            its.framing().write(message);
            return null;
        });
    }

    private void awaitAnswers() throws IOException {
        Future<?> last = lastAnswer;
        lastAnswer = null;
        answerBytes = 0;
        if (last == null) {
            return;
        }
        try {
            last.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the child was answered");
        }
    }

    private void forgetAnswers() {
        if (answering != null) {
            answering.shutdownNow();
        }
        answering = null;
        lastAnswer = null;
        answerBytes = 0;
    }

    /** Until all commands are done; false at the end of its output. */
    private boolean answered(ChildProcess its) throws IOException {
        while (unanswered > 0) {
            List<FromChild> messages = its.framing().read();
            if (messages == null) {
                return false;
            }
            silent.set(-1);
            for (FromChild message : messages) {
                take(its, message);
            }
            silent.set(0);
        }
        return true;
    }

    private void take(ChildProcess its, FromChild message) throws IOException {
        if (message instanceof FromChild.Sync) {
            unanswered--;
        } else if (message instanceof FromChild.Emit emit) {
            emit(its, emit);
        } else if (talk != null) {
            talk.handle(message);
        }
    }

    private void emit(ChildProcess its, FromChild.Emit emit) throws IOException {
        SpoutOutputCollector output = collector;
        if (output == null) {
            return;
        }
        deaths = 0;
        Object id = emit.id() == null ? null : new Emitted(children, emit.id());
        if (emit.task() != 0) {
            output.emitDirect((int) emit.task(), emit.stream(), emit.values(), id);
            return;
        }
        List<Integer> tasks = output.emit(emit.stream(), emit.values(), id);
        if (emit.needsTasks()) {
            answer(its, tasks);
        }
    }

    private void another(ChildProcess gone) {
        String cause = reaped(gone);
        deaths++;
        if (deaths > ChildTalk.MOST_DEATHS) {
            throw ChildTalk.in(
                    conf,
                    context == null ? "" : context.getThisComponentId(),
                    new ConnectorException("the child '" + command + "' died " + deaths
                            + " times without a tuple in between (" + cause + ")"));
        }
        LOG.warn(
                "the child of '{}' has ended ({}); another one is started, which must emit again what was not acked",
                context == null ? command : context.getThisComponentId(),
                cause);
        waiting.clear();
        unanswered = 0;
        forgetAnswers();
        begin();
        if (active) {
            ask(new ToChild.Command("activate", ""));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.control.ControlReply;
import io.thalweg.cli.control.JobControl;
import io.thalweg.cli.control.JobStatus;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.PlainText;
import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.StormRun;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A topology for {@code thalweg jobs}, {@code status} and {@code stop}. Any thread may call. */
final class TopologyControl implements AutoCloseable {
    /** Ends the topology. */
    interface Kill {
        /** @param drained whether what is pending gets the time that Storm gives it */
        void kill(boolean drained);
    }

    private final String name;
    private final StormRun run;
    private final String on;
    private final RunSettings settings;
    private final Kill kill;
    private final Consumer<String> tell;
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private @Nullable JobControl control;
    private volatile String stopping = "";

    /** @param on where it runs, as {@code --on} says it */
    TopologyControl(String name, StormRun run, String on, RunSettings settings, Kill kill, Consumer<String> tell) {
        this.name = name;
        this.run = run;
        this.on = on;
        this.settings = settings;
        this.kill = kill;
        this.tell = tell;
    }

    /** From now on it can be reached, if there is a place for its socket. */
    synchronized void open() {
        control = JobControl.open(name, this::answer, tell);
    }

    private CompletableFuture<String> answer(String request) {
        return switch (request) {
            case "status" -> CompletableFuture.completedFuture(ControlReply.of(status()));
            case "stop", "drain" -> {
                boolean drain = request.equals("drain");
                if (stopping.isEmpty() || (!drain && stopping.equals("DRAINING"))) {
                    stopping = drain ? "DRAINING" : "STOPPING";
                    tell.accept("topology '" + name + "' is killed, as thalweg stop asked");
                    kill.kill(drain);
                }
                yield ended;
            }
            default ->
                throw new ConnectorException(
                        request.startsWith("savepoint")
                                ? "a topology of Storm has no savepoints: its spouts replay; its stateful bolts keep their"
                                        + " state with thalweg storm run --state DIR"
                                : "a topology of Storm knows status, stop and drain only");
        };
    }

    private synchronized JobStatus status() {
        return JobStatus.of(run.job(), settings, control == null ? "" : control.id(), on, stopping, null);
    }

    private @Nullable String failure() {
        try {
            return run.await(Duration.ZERO) ? null : "it did not end";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "it was not waited for";
        } catch (JobFailedException e) {
            return PlainText.line(String.valueOf(e.getMessage()));
        }
    }

    /** It has ended: those who wait for that hear of it. */
    @Override
    public void close() {
        synchronized (this) {
            stopping = "";
        }
        String failure = failure();
        ended.complete(
                failure == null ? ControlReply.of(status()) : ControlReply.error("the topology failed: " + failure));
        JobControl open;
        synchronized (this) {
            open = control;
            control = null;
        }
        if (open != null) {
            open.close();
        }
    }
}

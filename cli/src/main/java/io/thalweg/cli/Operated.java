// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.control.ControlReply;
import io.thalweg.cli.control.JobControl;
import io.thalweg.cli.control.JobStatus;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import io.thalweg.web.page.Order;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The job of this process, for those who ask how it is or tell it to stop. Any thread may call. */
final class Operated implements AutoCloseable {
    private static final String SAVEPOINT = "savepoint";

    private final RunningJob job;
    private final RunSettings settings;
    private final String on;
    private final @Nullable String web;
    private final Consumer<String> say;
    private final Runnable onStop;
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private @Nullable JobControl control;
    private volatile String stopping = "";

    /**
     * @param web address of its page; null if it has none
     * @param say tells the user who watches the job
     * @param onStop called when the job was told to stop
     */
    Operated(
            RunningJob job,
            RunSettings settings,
            String on,
            @Nullable String web,
            Consumer<String> say,
            Runnable onStop) {
        this.job = job;
        this.settings = settings;
        this.on = on;
        this.web = web;
        this.say = say;
        this.onStop = onStop;
    }

    /** From now on it can be reached, if there is a place for its socket. */
    void open(String topology, Consumer<String> warnings) {
        control = JobControl.open(topology, this::answer, warnings);
    }

    private CompletableFuture<String> answer(String request) {
        return switch (request) {
            case "status" -> CompletableFuture.completedFuture(ControlReply.of(status()));
            case "stop" -> {
                stop("thalweg stop");
                yield ended;
            }
            case "drain" -> {
                drain("thalweg stop --drain");
                yield ended;
            }
            default -> {
                if (!request.equals(SAVEPOINT) && !request.startsWith(SAVEPOINT + " ")) {
                    throw new ConnectorException("this job knows status, stop, drain and savepoint only");
                }
                yield savepoint(request.substring(SAVEPOINT.length()).strip());
            }
        };
    }

    JobStatus status() {
        JobControl reached = control;
        return JobStatus.of(job, settings, reached == null ? "" : reached.id(), on, stopping, web);
    }

    /** Begins what the page of the job was told to have done. */
    CompletableFuture<String> begin(Order order) {
        if (ended.isDone()) {
            throw new ConnectorException("the job has ended");
        }
        return switch (order) {
            case STOP -> {
                stop("its page");
                yield CompletableFuture.completedFuture("stopping");
            }
            case DRAIN -> {
                drain("its page");
                yield CompletableFuture.completedFuture("draining: sources end, and windows are emitted");
            }
            case SAVEPOINT -> savepointIn(null).thenApply(path -> "savepoint " + path);
        };
    }

    private synchronized void stop(String by) {
        if (!stopping.equals("STOPPING")) {
            stopping = "STOPPING";
            say.accept("stopping, as " + by + " asked; a signal stops it at once");
            onStop.run();
            job.cancel();
        }
    }

    private synchronized void drain(String by) {
        if (stopping.isEmpty()) {
            job.drain();
            stopping = "DRAINING";
            say.accept("draining, as " + by + " asked: sources end, and windows are emitted");
        } else if (stopping.equals("STOPPING")) {
            throw new ConnectorException("the job is stopping already, without being drained");
        }
    }

    private CompletableFuture<String> savepoint(String directory) {
        Path to;
        try {
            to = directory.isEmpty() ? null : Path.of(directory);
        } catch (InvalidPathException e) {
            throw new ConnectorException("not a directory: " + e.getMessage(), e);
        }
        if (to != null && !to.isAbsolute()) {
            throw new ConnectorException("the directory must be absolute, not " + directory);
        }
        return savepointIn(to).thenApply(ControlReply::savepoint);
    }

    private CompletableFuture<String> savepointIn(@Nullable Path directory) {
        return job.savepoint(directory).thenApply(path -> {
            say.accept("savepoint " + path);
            return path;
        });
    }

    /** The job was told by a signal. */
    void stopping() {
        stopping = "STOPPING";
    }

    /** Those who wait for the end hear of it when this is closed. */
    void ended(@Nullable Throwable failure) {
        if (failure == null) {
            stopping = ""; // it has a state of its own now
            ended.complete(ControlReply.of(status()));
        } else {
            ended.complete(ControlReply.error("the job failed: " + Failures.oneLine(failure)));
        }
    }

    @Override
    public void close() {
        ended.complete(ControlReply.error("the job ended with an error, which it printed to standard error"));
        JobControl open = control;
        if (open != null) {
            open.close();
        }
    }
}

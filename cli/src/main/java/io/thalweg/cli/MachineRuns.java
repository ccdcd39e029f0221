// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.cli.control.LocalJob;
import io.thalweg.web.page.Json;
import io.thalweg.web.runs.Runs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Jobs of this user that run on this machine, and those that ran. Any thread may call. */
final class MachineRuns implements Runs, AutoCloseable {
    private static final int MOST_PAST = 200;

    /** A job that takes longer to answer, as one whose process is halted, must not hold up the others. */
    private static final long ANSWER_MS = 1_000;

    private final @Nullable RunStore store;
    private final @Nullable RunStore tunings;
    private final String place;
    private final Map<String, CompletableFuture<String>> asked = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "thalweg-jobs");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Of this user.
     *
     * @param store of runs; null if nothing can be kept; likewise {@code tunings}
     * @param place where both are, for people
     */
    MachineRuns(@Nullable RunStore store, @Nullable RunStore tunings, String place) {
        this.store = store;
        this.tunings = tunings;
        this.place = place;
    }

    @Override
    public List<String> running() {
        List<LocalJob> jobs = LocalJob.all();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (LocalJob job : jobs) { // a job that still owes an answer is not asked again
            answers.add(
                    asked.computeIfAbsent(job.id(), id -> CompletableFuture.supplyAsync(() -> status(job), threads)));
        }
        awaitAll(answers);
        List<String> told = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            String id = jobs.get(i).id();
            String answer = answers.get(i).getNow(null);
            if (answer != null) {
                asked.remove(id, answers.get(i));
            }
            told.add(answer == null ? problem(id, "does not answer; is its process halted?") : answer);
        }
        return told;
    }

    private static void awaitAll(List<CompletableFuture<String>> answers) {
        try {
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get(ANSWER_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            // those that have answered are told
        }
    }

    private static String status(LocalJob job) {
        try {
            String status = job.status();
            return job.read(status).containsKey("id") ? status : problem(job.id(), "it gives no id");
        } catch (RuntimeException e) {
            return problem(job.id(), Failures.oneLine(e));
        }
    }

    private static String problem(String id, String problem) {
        return Json.object(json -> {
            json.writeStringField("id", id);
            json.writeStringField("problem", problem);
        });
    }

    @Override
    public List<String> past() {
        return store == null ? List.of() : store.newest(MOST_PAST);
    }

    @Override
    public @Nullable String past(String id) {
        return store == null ? null : store.detail(id);
    }

    @Override
    public List<String> tunings() {
        return tunings == null ? List.of() : tunings.newest(MOST_PAST);
    }

    @Override
    public @Nullable String tuning(String id) {
        return tunings == null ? null : tunings.detail(id);
    }

    @Override
    public String place() {
        return place;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

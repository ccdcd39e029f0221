// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.page;

import io.thalweg.web.server.Answer;
import io.thalweg.web.server.PageFile;
import io.thalweg.web.server.WebServer;
import io.thalweg.web.watch.JobWatch;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The page of one job, under {@code /}. It shows what a {@link JobWatch} has seen, asks for it each second, and changes nothing but by
 * orders, if it may give any. Texts of the job, such as reasons of bad records, reach the page as JSON and are shown as texts, never as
 * HTML.
 */
public final class JobPage {
    /** Looks during which someone who shows the page has asked for the state at least once. */
    private static final int LOOKS_PER_VISIT = 4;

    private static final int ACCEPTED = 202;
    private static final int CONFLICT = 409;

    private static final List<String> FILES =
            List.of("page.css", "page.js", "graph.js", "charts.js", "doctor.js", "control.js", "text.js", "icon.svg");

    /** By it an open page finds that another run listens at its address. */
    private final String run = UUID.randomUUID().toString();

    private final JobWatch watch;
    private final int queueBatches;
    private final @Nullable Supplier<Judgement> doctor;
    private final AtomicInteger visited = new AtomicInteger();
    private final CountDownLatch endTold = new CountDownLatch(1);
    private volatile boolean ended;
    private @Nullable Control control;
    private volatile ControlResult done = ControlResult.NOTHING;

    /** Who may give orders, and who carries them out. */
    private record Control(String token, Function<Order, CompletableFuture<String>> job) {}

    /**
     * Of a job that is watched.
     *
     * @param queueBatches how many batches a queue of the job holds; 0 if that is not known
     * @param doctor gives the newest judgement of the job, at once; null if nobody judges it
     */
    public JobPage(JobWatch watch, int queueBatches, @Nullable Supplier<Judgement> doctor) {
        this.watch = watch;
        this.queueBatches = queueBatches;
        this.doctor = doctor;
    }

    /**
     * Lets it give orders. To be called before it is shown.
     *
     * @param token that whoever gives one must send
     * @param job begins what it is told, without waiting for it: one line that says what was done, or a failure that says why not
     */
    public void allowOrders(String token, Function<Order, CompletableFuture<String>> job) {
        control = new Control(token, job);
    }

    /** Has the server show it. */
    public void on(WebServer server) {
        server.serve("/", PageFile.of(JobPage.class, "page.html"));
        for (String name : FILES) {
            server.serve("/" + name, PageFile.of(JobPage.class, name));
        }
        server.serve("/api/plan", query -> Answer.json(Answer.OK, plan()));
        server.serve("/api/state", query -> Answer.json(Answer.OK, state(query)));
        Control given = control;
        if (given != null) {
            for (Order order : Order.values()) {
                server.act(order.path(), given.token(), () -> begin(order, given.job()));
            }
        }
    }

    /** What is done later, the page hears with the state of the job. */
    private Answer begin(Order order, Function<Order, CompletableFuture<String>> job) {
        CompletableFuture<String> begun;
        try {
            begun = job.apply(order);
        } catch (RuntimeException e) {
            begun = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<ControlResult> told = begun.handle(this::tell);
        ControlResult now = told.getNow(null);
        if (now == null) {
            return Answer.json(ACCEPTED, said("it is being done"));
        }
        return now.failed() ? Answer.error(CONFLICT, now.text()) : Answer.json(ACCEPTED, said(now.text()));
    }

    private synchronized ControlResult tell(@Nullable String text, @Nullable Throwable problem) {
        ControlResult next = new ControlResult(
                done.number() + 1, problem == null ? String.valueOf(text) : why(problem), problem != null);
        done = next;
        return next;
    }

    private static String why(Throwable problem) {
        Throwable cause = problem.getCause();
        String message =
                problem instanceof CompletionException && cause != null ? cause.getMessage() : problem.getMessage();
        return message == null ? problem.toString() : message;
    }

    private static String said(String text) {
        return Json.object(json -> json.writeStringField("said", text));
    }

    private String plan() {
        JobWatch.Seen seen = watch.seen(Long.MAX_VALUE);
        return seen == null ? notYet() : PlanJson.of(run, seen.now().stats().plan(), doctor != null);
    }

    private String state(String query) {
        boolean last = ended;
        visited.set(LOOKS_PER_VISIT);
        JobWatch.Seen seen = watch.seen(number(query, "after", 0));
        Supplier<Judgement> asked = doctor;
        Judgement judgement = asked == null ? Judgement.NONE : asked.get();
        boolean known = judgement.number() == number(query, "judged", 0);
        String text = seen == null
                ? notYet()
                : new StateJson(run, seen, queueBatches, known ? null : judgement, control == null ? null : done)
                        .text((int) number(query, "chain", -1));
        if (last) {
            endTold.countDown();
        }
        return text;
    }

    private String notYet() {
        return "{\"run\":\"" + run + "\",\"state\":\"STARTING\"}";
    }

    /** A number of the query; what is no number is as good as missing. */
    private static long number(String query, String name, long otherwise) {
        for (String each : query.split("&")) {
            if (each.startsWith(name + "=")) {
                String value = each.substring(name.length() + 1);
                return value.matches("[0-9]{1,9}") ? Long.parseLong(value) : otherwise;
            }
        }
        return otherwise;
    }

    /** Called after each look: who has not asked for a few looks has left. */
    public void looked() {
        visited.updateAndGet(left -> Math.max(0, left - 1));
    }

    /** Waits until someone who shows the page has seen how the job ended, for a moment at most; does not wait if nobody shows it. */
    public void end(long atMostMs) throws InterruptedException {
        ended = true;
        if (visited.get() > 0) {
            boolean told = endTold.await(atMostMs, TimeUnit.MILLISECONDS);
            visited.set(told ? LOOKS_PER_VISIT : 0);
        }
    }

    /** Whether someone shows the page. */
    public boolean isShown() {
        return visited.get() > 0;
    }
}

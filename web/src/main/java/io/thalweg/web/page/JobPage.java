// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.page;

import io.thalweg.web.server.Answer;
import io.thalweg.web.server.PageFile;
import io.thalweg.web.server.WebServer;
import io.thalweg.web.watch.JobWatch;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The page of one job, under {@code /}. It shows what a {@link JobWatch} has seen, asks for it each second, and changes nothing. Texts of
 * the job, such as reasons of bad records, reach the page as JSON and are shown as texts, never as HTML.
 */
public final class JobPage {
    /** Looks during which someone who shows the page has asked for the state at least once. */
    private static final int LOOKS_PER_VISIT = 4;

    private static final List<String> FILES =
            List.of("page.css", "page.js", "graph.js", "charts.js", "doctor.js", "text.js", "icon.svg");

    /** By it an open page finds that another run listens at its address. */
    private final String run = UUID.randomUUID().toString();

    private final JobWatch watch;
    private final int queueBatches;
    private final @Nullable Supplier<Judgement> doctor;
    private final AtomicInteger visited = new AtomicInteger();
    private final CountDownLatch endTold = new CountDownLatch(1);
    private volatile boolean ended;

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

    /** Has the server show it. */
    public void on(WebServer server) {
        server.serve("/", PageFile.of(JobPage.class, "page.html"));
        for (String name : FILES) {
            server.serve("/" + name, PageFile.of(JobPage.class, name));
        }
        server.serve("/api/plan", query -> Answer.json(Answer.OK, plan()));
        server.serve("/api/state", query -> Answer.json(Answer.OK, state(query)));
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
                : new StateJson(run, seen, queueBatches, known ? null : judgement)
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

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.runs;

import io.thalweg.web.page.JobPage;
import io.thalweg.web.server.Answer;
import io.thalweg.web.server.PageFile;
import io.thalweg.web.server.WebServer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The page of one tuning while it goes on, under {@code /}. It asks each second, and changes nothing. */
public final class TunePage {
    private final Supplier<String> tuning;
    private final CountDownLatch endTold = new CountDownLatch(1);
    private volatile boolean ended;
    private volatile boolean shown;

    /**
     * Of a tuning.
     *
     * @param tuning gives it as it is at the moment, at once: an object of JSON, the summary that {@link Runs#tunings} lists, with
     *     {@code version}, {@code failure}, {@code next}, {@code settings}, {@code options}, {@code file}, {@code tuned},
     *     {@code command} and the {@code report} so far, whose names are those of the report of {@code thalweg tune --json}. Threads
     *     of the server call it, several at once
     */
    public TunePage(Supplier<String> tuning) {
        this.tuning = tuning;
    }

    /** Has a server show it. */
    public void on(WebServer server) {
        server.serve("/", PageFile.of(TunePage.class, "tune.html"));
        server.serve("/tune.js", PageFile.of(TunePage.class, "tune.js"));
        server.serve("/steps.js", PageFile.of(TunePage.class, "steps.js"));
        for (String shared : List.of("page.css", "text.js", "icon.svg")) {
            server.serve("/" + shared, PageFile.of(JobPage.class, shared));
        }
        server.serve("/api/tuning", query -> now());
    }

    private Answer now() {
        boolean last = ended;
        shown = true;
        Answer answer = Answer.json(Answer.OK, tuning.get());
        if (last) {
            endTold.countDown();
        }
        return answer;
    }

    /** Waits until someone who shows the page has seen how it ended, for a moment at most; does not wait if nobody has ever shown it. */
    public void end(long atMostMs) throws InterruptedException {
        ended = true;
        if (shown) {
            boolean unused = endTold.await(atMostMs, TimeUnit.MILLISECONDS);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.cli.report.Report;
import io.thalweg.run.PlainText;
import io.thalweg.web.runs.RunsPage;
import io.thalweg.web.server.WebServer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code thalweg web}: a page of the jobs that run on this machine, and of those that ran. */
@Command(
        name = "web",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Shows the jobs of this user that run on this machine, and the runs and tunings that are kept, on a page.",
            "Runs are kept by thalweg run with --web or --history, tunings by thalweg tune. The page only reads. Ctrl-C ends it."
        },
        footer = {
            "",
            "Exit codes: 1 it cannot listen there, 2 the command line is wrong,",
            "129 the terminal was closed, 130 Ctrl-C, 143 SIGTERM."
        })
final class WebCommand implements Callable<Integer> {
    @Option(
            names = "--web",
            arity = "0..1",
            paramLabel = "[HOST:]PORT",
            preprocessor = AttachedValue.class,
            description = "where the page is, on loopback if no HOST is given; default: a free port")
    private String web = "";

    @Option(
            names = "--history",
            arity = "0..1",
            paramLabel = "FILE",
            preprocessor = AttachedValue.class,
            description = "where runs are kept; default: history.db in ~/.local/state/thalweg")
    private @Nullable String history;

    @Override
    public Integer call() {
        try {
            return serve();
        } catch (InterruptedException | RuntimeException e) {
            return Failures.report(e);
        }
    }

    private int serve() throws InterruptedException {
        RunHistory.check(history);
        RunStore store = RunHistory.store(history, RunStore.Kind.RUN);
        RunStore tunings = RunHistory.store(history, RunStore.Kind.TUNING);
        Path file = RunHistory.file(history);
        if (store == null && history == null) {
            Report.standardError()
                    .println("thalweg: past runs are not shown: they need thalweg-history on the class path"
                            + ", which ./thalweg in a clone adds, and a folder of this user");
        }
        AtomicInteger signal = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(1);
        try (MachineRuns runs = new MachineRuns(store, tunings, store == null ? "" : String.valueOf(file));
                WebServer server = Endpoints.forPage("--web", web)) {
            RunsPage.on(server, runs);
            Signals.handle(number -> {
                signal.set(number);
                ended.countDown();
            });
            Report.standardError().println("thalweg: web: " + PlainText.line(server.address("/")));
            ended.await();
            return ExitCodes.SIGNAL + signal.get();
        }
    }
}

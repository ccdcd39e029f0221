// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.control.ControlReply;
import io.thalweg.cli.control.JobHealth;
import io.thalweg.run.Clock;
import io.thalweg.run.RunningJob;
import io.thalweg.web.page.JobPage;
import io.thalweg.web.server.Answer;
import io.thalweg.web.server.ListenAddress;
import io.thalweg.web.server.WebServer;
import io.thalweg.web.watch.JobWatch;
import io.thalweg.web.watch.Look;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a run answers over HTTP: {@code --health} and {@code --web}. Those with the same port share a server. None of its threads
 * touches the job, but for its health: the thread that watches the run looks at the job, and the others read what it saw.
 */
final class Endpoints implements AutoCloseable {
    private static final int UNWELL = 503;

    /** How long the end of a job is delayed for those who show its page, if they do not ask sooner. */
    private static final long LAST_WORD_MS = 1_500;

    private final Map<ListenAddress, WebServer> servers = new LinkedHashMap<>();
    private final List<String> told = new ArrayList<>();
    private final Clock clock = Clock.system();
    private final JobWatch watch = new JobWatch();
    private final @Nullable JobPage page;
    private volatile @Nullable Supplier<JobHealth> health;

    private Endpoints(@Nullable ListenAddress health, @Nullable ListenAddress web, int queueBatches, boolean quiet) {
        page = web == null ? null : new JobPage(watch, queueBatches);
        try {
            if (health != null) {
                WebServer server = server("--health", health);
                server.serve("/health", query -> answer());
                tell("health", server.address("/health"), health, quiet);
            }
            if (web != null && page != null) {
                WebServer server = server("--web", web);
                page.on(server);
                tell("web", server.address("/"), web, quiet);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Listens where the options say; health says that the job starts until it is given the job.
     *
     * @param health port; null if the option was not given
     * @param web {@code [HOST:]PORT}, empty for a free port; null if the option was not given
     * @param queueBatches how many batches a queue of the job holds; 0 if that is not known
     * @param quiet tells only what nobody can know otherwise
     * @return null if nothing was asked for
     * @throws UsageException if they say no such place
     * @throws ConnectorException if it cannot listen there
     */
    static @Nullable Endpoints open(@Nullable Integer health, @Nullable String web, int queueBatches, boolean quiet) {
        if (health == null && web == null) {
            return null;
        }
        ListenAddress healthAt =
                health == null ? null : read(option -> ListenAddress.local(option, health), "--health");
        ListenAddress webAt =
                web == null ? null : read(option -> ListenAddress.of(option, web.isEmpty() ? "0" : web), "--web");
        if (healthAt != null
                && webAt != null
                && healthAt.port() != 0
                && healthAt.port() == webAt.port()
                && !healthAt.equals(webAt)) {
            throw new UsageException(
                    "--health and --web have the same port on different hosts; give one of them another");
        }
        return new Endpoints(healthAt, webAt, queueBatches, quiet);
    }

    private static ListenAddress read(Function<String, ListenAddress> text, String option) {
        try {
            return text.apply(option);
        } catch (IllegalArgumentException e) {
            throw new UsageException(Failures.oneLine(e));
        }
    }

    /** Whoever asks for a free port gets one of its own. */
    private WebServer server(String option, ListenAddress at) {
        WebServer known = at.port() == 0 ? null : servers.get(at);
        if (known != null) {
            return known;
        }
        try {
            WebServer server = WebServer.open(at);
            servers.put(at.port() == 0 ? new ListenAddress(at.host(), server.port()) : at, server);
            return server;
        } catch (UnknownHostException e) {
            throw new ConnectorException(option + ": this machine knows no host " + at.host(), e);
        } catch (IOException e) {
            throw new ConnectorException(
                    option + " " + at.port() + ": cannot listen on " + at.host() + ": " + e.getMessage()
                            + "; give another port, or 0 for a free one",
                    e);
        }
    }

    private void tell(String what, String address, ListenAddress at, boolean quiet) {
        if (!quiet || at.port() == 0 || address.contains("token=")) {
            told.add(what + ": " + address);
        }
    }

    /** A line for each address that users are told. */
    List<String> told() {
        return List.copyOf(told);
    }

    /** From now on its health is that of the job. */
    void of(Supplier<JobHealth> job) {
        health = job;
    }

    private Answer answer() {
        Supplier<JobHealth> job = health;
        JobHealth now = job == null ? JobHealth.STARTING : job.get();
        return Answer.json(now.healthy() ? Answer.OK : UNWELL, ControlReply.of(now));
    }

    /** Called about once a second. */
    void look(RunningJob job) {
        if (page != null) {
            watch.look(new Look(clock.epochMs(), job.stats(), job.restarts(), job.lastFailure(), job.lastCheckpoint()));
            page.looked();
        }
    }

    /** The job has ended, also by a failure: whoever shows its page is given a moment to see how. */
    void end(RunningJob job) throws InterruptedException {
        look(job);
        if (page != null) {
            page.end(LAST_WORD_MS);
        }
    }

    @Override
    public void close() {
        servers.values().forEach(WebServer::close);
    }
}

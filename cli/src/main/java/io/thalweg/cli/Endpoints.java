// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.control.ControlReply;
import io.thalweg.cli.control.JobHealth;
import io.thalweg.run.Clock;
import io.thalweg.run.RunningJob;
import io.thalweg.web.metrics.JobMetrics;
import io.thalweg.web.metrics.OtlpPush;
import io.thalweg.web.page.JobPage;
import io.thalweg.web.page.Judgement;
import io.thalweg.web.page.Order;
import io.thalweg.web.server.Answer;
import io.thalweg.web.server.ListenAddress;
import io.thalweg.web.server.WebServer;
import io.thalweg.web.watch.JobSample;
import io.thalweg.web.watch.JobWatch;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a run answers over HTTP: {@code --health}, {@code --web} and {@code --metrics}. Those with the same address share a server. None
 * of its threads touches the job, but for its health: the thread that watches the run looks at the job, and the others read what it saw.
 */
final class Endpoints implements AutoCloseable {
    private static final int UNWELL = 503;
    private static final String HEALTH = "--health";
    private static final String WEB = "--web";
    private static final String METRICS = "--metrics";
    private static final String PROMETHEUS = "prometheus";
    private static final String OTLP = "otlp";
    private static final String OTLP_HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";
    private static final String PROMETHEUS_PORT = "9464";
    private static final String TOKEN = "THALWEG_WEB_TOKEN";

    /** How long the end of a job is delayed for those who show its page, if they do not ask sooner. */
    private static final long LAST_WORD_MS = 1_500;

    /** How long the end of a job is delayed, twice at most, for a receiver of its metrics that does not answer. */
    private static final long LAST_PUSH_MS = 2_000;

    /**
     * The options that were given.
     *
     * @param health port; null if the option was not given
     * @param web {@code [HOST:]PORT}, empty for a free port; null if the option was not given
     * @param control the page may give orders
     * @param metrics of each {@code prometheus[=[HOST:]PORT]} or {@code otlp=URL}
     */
    record Asked(@Nullable Integer health, @Nullable String web, boolean control, List<String> metrics) {}

    /** What is answered. */
    private record Service(String option, String path, ListenAddress at, Consumer<WebServer> start) {}

    private final Map<ListenAddress, WebServer> servers = new LinkedHashMap<>();
    private final List<String> told = new ArrayList<>();
    private final Clock clock = Clock.system();
    private final JobWatch watch = new JobWatch();
    private final @Nullable LiveDoctor doctor;
    private final @Nullable RunHistory history;
    private final List<OtlpPush> pushes = new ArrayList<>();
    private @Nullable JobPage page;
    private @Nullable String pageAddress;
    private boolean measured;
    private String behindAddress = "";
    private volatile @Nullable Supplier<JobHealth> health;
    private volatile @Nullable Function<Order, CompletableFuture<String>> orders;

    private Endpoints(@Nullable LiveDoctor doctor, @Nullable RunHistory history) {
        this.doctor = doctor;
        this.history = history;
    }

    /**
     * Listens where the options say; health says that the job starts until it is given the job.
     *
     * @param doctor of the page and of the history; null if nobody can judge the job
     * @param history keeps the run; null if it is not kept
     * @param queueBatches how many batches a queue of the job holds
     * @param say told what goes wrong while the job runs, in one line
     * @param quiet tells only what nobody can know otherwise
     * @throws UsageException if they say no such place
     * @throws ConnectorException if it cannot listen there
     */
    static Endpoints open(
            Asked asked,
            @Nullable LiveDoctor doctor,
            @Nullable RunHistory history,
            int queueBatches,
            Consumer<String> say,
            boolean quiet) {
        Integer health = asked.health();
        String web = asked.web();
        Endpoints endpoints = new Endpoints(web == null && history == null ? null : doctor, history);
        List<Service> services = new ArrayList<>();
        if (health != null) {
            services.add(new Service(
                    HEALTH,
                    "/health",
                    read(() -> ListenAddress.local(HEALTH, health)),
                    server -> server.serve("/health", query -> endpoints.answer())));
        }
        if (web != null) {
            JobPage page = new JobPage(endpoints.watch, queueBatches, doctor == null ? null : doctor::newest);
            endpoints.page = page;
            ListenAddress at = address(WEB, web);
            if (asked.control()) {
                refuseOthers(at);
                String token = WebServer.newToken();
                page.allowOrders(token, endpoints::begin);
                endpoints.behindAddress = "#control=" + token;
            }
            services.add(new Service(WEB, "/", at, page::on));
        }
        for (String each : asked.metrics()) {
            endpoints.measured = true;
            if (each.startsWith(OTLP + "=") || each.equals(OTLP)) {
                endpoints.pushes.add(read(() -> otlp(each, say)));
                continue;
            }
            if (services.stream().anyMatch(service -> service.option().equals(METRICS))) {
                throw new UsageException(
                        "--metrics prometheus is given twice; each of otlp and prometheus once is enough");
            }
            services.add(new Service(
                    METRICS,
                    "/metrics",
                    read(() -> prometheus(each)),
                    server -> JobMetrics.on(server, endpoints.watch)));
        }
        refuseConflicts(services);
        try {
            services.forEach(service -> endpoints.start(service, tokenFor(service, services), quiet));
        } catch (RuntimeException e) {
            endpoints.close();
            throw e;
        }
        return endpoints;
    }

    /** It is plain HTTP: who can listen could give orders with what was sent. */
    private static void refuseOthers(ListenAddress at) {
        try {
            if (!at.isLoopback()) {
                throw new UsageException("--web-control is for a page on loopback, not on " + at.host()
                        + ", because others could read the token on its way; use --web=" + at.port()
                        + ", and a tunnel such as ssh -L");
            }
        } catch (UnknownHostException e) {
            return; // which is told where it is to listen there
        }
    }

    private CompletableFuture<String> begin(Order order) {
        Function<Order, CompletableFuture<String>> started = orders;
        if (started == null) {
            throw new ConnectorException("the job has not started yet");
        }
        return started.apply(order);
    }

    private static OtlpPush otlp(String text, Consumer<String> say) {
        String url = text.length() > OTLP.length() ? text.substring(OTLP.length() + 1) : "";
        return new OtlpPush(OtlpPush.address(url), OtlpPush.headers(System.getenv(OTLP_HEADERS)), say);
    }

    private static ListenAddress prometheus(String text) {
        String[] parts = text.split("=", 2);
        if (!parts[0].equals(PROMETHEUS)) {
            throw new IllegalArgumentException(
                    "--metrics takes prometheus, prometheus=[HOST:]PORT or otlp=URL, not '" + text + "'");
        }
        return ListenAddress.of("--metrics prometheus", parts.length > 1 ? parts[1] : PROMETHEUS_PORT);
    }

    private static <T> T read(Supplier<T> text) {
        try {
            return text.get();
        } catch (IllegalArgumentException e) {
            throw new UsageException(Failures.oneLine(e));
        }
    }

    /** One port would need two servers. */
    private static void refuseConflicts(List<Service> services) {
        for (Service one : services) {
            for (Service other : services) {
                if (one.at().port() != 0
                        && one.at().port() == other.at().port()
                        && !one.at().equals(other.at())) {
                    throw new UsageException(one.option() + " and " + other.option() + " have the port "
                            + one.at().port() + ", but on different hosts; give one of them another port");
                }
            }
        }
    }

    /** Whoever asks for a free port gets one of its own. */
    private void start(Service service, @Nullable String token, boolean quiet) {
        ListenAddress at = service.at();
        WebServer server = at.port() == 0 ? null : servers.get(at);
        if (server == null) {
            server = listen(service.option(), at, token);
            servers.put(new ListenAddress(at.host(), server.port()), server);
        }
        service.start().accept(server);
        String address = server.address(service.path());
        if (service.option().equals(WEB)) {
            pageAddress = server.plainAddress(service.path());
            address += behindAddress;
        }
        if (!quiet || at.port() == 0 || address.contains("token=") || address.contains("#")) {
            told.add(service.option().substring(2) + ": " + address);
        }
    }

    /** A server that tells nothing but health demands none: whoever checks it sends none, and it holds no data. */
    private static @Nullable String tokenFor(Service service, List<Service> all) {
        boolean onlyHealth = all.stream()
                .filter(each -> each.equals(service)
                        || (each.at().port() != 0 && each.at().equals(service.at())))
                .allMatch(each -> each.option().equals(HEALTH));
        return onlyHealth ? null : System.getenv(TOKEN);
    }

    /** A server for a page of its own. */
    static WebServer forPage(String option, String at) {
        return listen(option, address(option, at), System.getenv(TOKEN));
    }

    /** Whether nobody can know the port of such a page before it listens. */
    static boolean isFreePort(String option, String at) {
        return address(option, at).port() == 0;
    }

    private static ListenAddress address(String option, String at) {
        return read(() -> ListenAddress.of(option, at.isEmpty() ? "0" : at));
    }

    private static WebServer listen(String option, ListenAddress at, @Nullable String token) {
        try {
            return WebServer.open(at, token);
        } catch (UnknownHostException e) {
            throw new ConnectorException(option + ": this machine knows no host " + at.host(), e);
        } catch (IllegalArgumentException e) {
            throw new UsageException("the environment variable " + TOKEN + " holds no token: " + Failures.oneLine(e));
        } catch (IOException e) {
            throw new ConnectorException(
                    option + " " + at.port() + ": cannot listen on " + at.host() + ": " + e.getMessage()
                            + "; give another port, or 0 for a free one",
                    e);
        }
    }

    /** A line for each address that users are told. */
    List<String> told() {
        return List.copyOf(told);
    }

    /** From now on its health is that of the job, which carries out orders. */
    void of(Supplier<JobHealth> job, Function<Order, CompletableFuture<String>> obeyed) {
        health = job;
        orders = obeyed;
    }

    private Answer answer() {
        Supplier<JobHealth> known = health;
        JobHealth now = known == null ? JobHealth.STARTING : known.get();
        return Answer.json(now.healthy() ? Answer.OK : UNWELL, ControlReply.of(now));
    }

    /** Where the page is, without a token; null if there is none. */
    @Nullable String page() {
        return pageAddress;
    }

    /** Called about once a second. */
    void look(RunningJob job) {
        if (page == null && history == null && !measured) {
            return;
        }
        JobSample now = lookAt(job, false);
        if (history != null) {
            history.look(now);
        }
    }

    private JobSample lookAt(RunningJob job, boolean over) {
        JobSample now = new JobSample(
                clock.epochMs(), job.stats(), job.restarts(), job.lastFailure(), job.lastCheckpoint(), over);
        JobPage shown = page;
        LiveDoctor judges = doctor;
        if (judges != null) {
            judges.look(now);
            if ((shown != null && shown.isShown()) || (over && history != null)) {
                judges.judge(now);
            }
        }
        watch.look(now);
        pushes.forEach(push -> push.look(now));
        if (shown != null) {
            shown.looked();
        }
        return now;
    }

    /**
     * The job has ended: it is kept how, and whoever shows its page is given a moment to see it.
     *
     * @param failure that ended it, in one line; null if none did
     */
    void end(RunningJob job, @Nullable String failure) throws InterruptedException {
        if (page == null && history == null && !measured) {
            return;
        }
        JobSample last = lookAt(job, true);
        JobPage shown = page;
        if (shown != null) {
            shown.end(LAST_WORD_MS);
        }
        for (OtlpPush push : pushes) {
            push.end(last, LAST_PUSH_MS);
        }
        if (history != null) {
            Judgement said = doctor == null ? Judgement.NONE : doctor.newest();
            history.end(last, said.number() > 0 ? said.json() : null, failure);
        }
    }

    @Override
    public void close() {
        servers.values().forEach(WebServer::close);
        if (history != null) {
            history.close();
        }
    }
}

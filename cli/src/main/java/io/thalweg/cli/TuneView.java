// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.run.PlainText;
import io.thalweg.web.runs.TunePage;
import io.thalweg.web.server.WebServer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Shows a tuning on a page, and keeps it every ten seconds and at its end; each only if it is asked for. For one thread. */
final class TuneView implements AutoCloseable {
    private static final String WEB = "--web";
    private static final long SECONDS = 10;

    /** How long the end is delayed for those who show the page, if they do not ask sooner. */
    private static final long LAST_WORD_MS = 1_500;

    private final TuningRecord record;
    private final @Nullable WebServer server;
    private final @Nullable TunePage page;
    private final @Nullable HistoryWriter writer;

    private TuneView(TuningRecord record, @Nullable WebServer server, @Nullable RunStore store, Consumer<String> say) {
        this.record = record;
        this.server = server;
        page = server == null ? null : new TunePage(record::detail);
        writer = store == null ? null : new HistoryWriter(store, "this tuning", say);
    }

    /**
     * Of a tuning that begins.
     *
     * @param web value of {@code --web}; null if it was not given
     * @param history value of {@code --history}; null if it was not given
     * @param say told where the page is, and what goes wrong, in one line
     * @param quiet tells of the page only what nobody can know otherwise
     * @throws UsageException if the options cannot be followed
     * @throws io.thalweg.api.connector.ConnectorException if it cannot listen there
     */
    static TuneView open(
            TuningRecord record, @Nullable String web, @Nullable String history, Consumer<String> say, boolean quiet) {
        RunStore store = web == null && history == null
                ? null
                : RunHistory.store(history, RunStore.Kind.TUNING, "this tuning", say);
        TuneView view = new TuneView(record, web == null ? null : Endpoints.forPage(WEB, web), store, say);
        if (web != null && view.server != null && view.page != null) {
            view.page.on(view.server);
            record.shownAt(view.server.plainAddress("/"));
            String address = view.server.address("/");
            if (!quiet || Endpoints.isFreePort(WEB, web) || address.contains("token=")) {
                say.accept("web: " + PlainText.line(address));
            }
        }
        if (view.writer != null) {
            view.writer.writeEvery(SECONDS, record::kept);
        }
        return view;
    }

    /** It has ended: it is kept how, and whoever shows its page is given a moment to see it. */
    void end(TuningRecord.State state, @Nullable String failure) {
        record.end(state, failure);
        try {
            if (writer != null) {
                writer.write(record.kept());
            }
            if (page != null) {
                page.end(LAST_WORD_MS);
            }
            if (writer != null) {
                writer.end();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
        if (writer != null) {
            writer.close();
        }
    }
}

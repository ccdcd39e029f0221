// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.doctor.flink.FlinkAddress;
import io.thalweg.doctor.flink.FlinkJob;
import io.thalweg.doctor.flink.FlinkObserver;
import io.thalweg.doctor.flink.FlinkRest;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.whatif.Changes;
import io.thalweg.run.Clock;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The doctor beside a job that runs on a cluster of Flink: watches it, and changes nothing. */
final class FlinkExamination {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    /** Flink refreshes its figures every ten seconds by default: until then there is nothing to judge. */
    private static final Duration FIRST_FIGURES = Duration.ofSeconds(25);

    private FlinkExamination() {}

    /**
     * Watches a running job for a while.
     *
     * @param atMost how long, and longer only if Flink has told nothing by then
     * @param changes of which it is said what they would bring; null for none
     * @throws ConnectorException if it cannot be watched, or there was nothing to see; the message is one line
     */
    static Judgement of(FlinkAddress address, Duration atMost, @Nullable Changes changes) throws InterruptedException {
        FlinkRest rest = rest(address.hostAndPort());
        try {
            Clock clock = Clock.system();
            long begin = clock.nowNs();
            CountDownLatch never = new CountDownLatch(1);
            FlinkObserver observer = new FlinkObserver(rest, FlinkJob.find(rest, address.job()));
            boolean running = true;
            boolean checked = changes == null;
            while (running
                    && clock.nowNs() - begin < (observer.hasSeenAnything() ? atMost : longer(atMost)).toNanos()) {
                running = !never.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS) && observer.look();
                if (!checked && observer.hasSeenAnything()) { // rather than after all the time
                    Examination.check(changes, observer.observation().plan());
                    checked = true;
                }
            }
            Observation observation = observer.observation();
            return Judgement.of(observation, changes);
        } catch (IOException e) {
            throw new ConnectorException(message(e), e);
        } catch (IllegalArgumentException e) {
            throw new ConnectorException(
                    "what " + address.hostAndPort() + " answers makes no sense: " + Failures.oneLine(e), e);
        }
    }

    private static String message(IOException failure) {
        @Nullable String message = failure.getMessage();
        return "the doctor cannot observe Flink: " + (message == null ? failure.toString() : message);
    }

    private static Duration longer(Duration atMost) {
        return atMost.compareTo(FIRST_FIGURES) < 0 ? FIRST_FIGURES : atMost;
    }

    /** A client of the cluster there, with the key of this user's trial cluster if it is that. */
    static FlinkRest rest(String address) {
        HttpClient.Builder client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER);
        boolean secured = FlinkKeys.use(client, FlinkKeys.folder(), address);
        return new FlinkRest(client.build(), secured ? "https" : "http", address);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.DurationText;
import io.thalweg.api.operator.ConnectionReports;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Brings batches to the service: tries again while that has a chance, and divides a batch that is refused until only the bad records
 * are left, which become dead letters. For several threads.
 */
final class Delivery {
    private final Service service;
    private final Caller caller;
    private final Availability availability;
    private final Backoff backoff;
    private final Pause pause;
    private final LongSupplier clockNs;
    private final Consumer<BadRecord> bad;

    /** Some request has had a response, so that the host has been known. */
    private volatile boolean reached;

    /** @param clockNs tells how long a try has taken */
    Delivery(
            Service service,
            Backoff backoff,
            Pause pause,
            LongSupplier clockNs,
            Consumer<BadRecord> bad,
            ConnectionReports connections) {
        this.service = service;
        this.backoff = backoff;
        this.pause = pause;
        this.clockNs = clockNs;
        this.bad = bad;
        caller = new Caller(service);
        availability = new Availability(service.place(), connections);
    }

    /** @throws ConnectorException if the job cannot go on */
    void send(Batch batch) throws InterruptedException {
        Answer answer = answerTo(batch);
        Answer.Meaning meaning = answer.meaning(service.refusals());
        if (meaning == Answer.Meaning.FATAL) {
            throw fatal(answer);
        }
        if (meaning == Answer.Meaning.SPLIT && batch.records().size() > 1) {
            for (Batch half : batch.halves()) {
                send(half);
            }
        } else if (meaning != Answer.Meaning.TAKEN) {
            for (int i = 0; i < batch.records().size(); i++) {
                bad.accept(new BadRecord(
                        service.toString(),
                        0,
                        batch.first() + i,
                        answer.words(),
                        batch.records().get(i)));
            }
        }
    }

    private Answer answerTo(Batch batch) throws InterruptedException {
        byte[] body = batch.body();
        String key = batch.idempotencyKey(body);
        byte[] sent = caller.compressed(body);
        Tries tries = new Tries();
        while (true) {
            long beganNs = clockNs.getAsLong();
            try {
                Answer answer = caller.call(sent, key, batch.format().contentType());
                reached = true;
                if (answer.meaning(service.refusals()) != Answer.Meaning.AGAIN) {
                    availability.answered();
                    return answer;
                }
                tries.failed(answer.words(), answer.retryAfterMs(), sinceMs(beganNs));
            } catch (IOException e) {
                String host = service.uri().getHost();
                String reason = Failures.hopeless(e, host).orElse(Failures.reason(e, host));
                boolean unknown = !reached && Failures.unknownHost(e);
                if (unknown || Failures.hopeless(e, host).isPresent()) {
                    throw cannot(reason);
                }
                long knownMs = e instanceof NoResponseException late ? late.waitedMs() : 0;
                tries.failed(reason, 0, Math.max(knownMs, sinceMs(beganNs)));
            }
        }
    }

    private long sinceMs(long beganNs) {
        return TimeUnit.NANOSECONDS.toMillis(clockNs.getAsLong() - beganNs);
    }

    private ConnectorException cannot(String reason) {
        return new ConnectorException("cannot send " + service + ": " + reason, null);
    }

    private ConnectorException fatal(Answer answer) {
        String advice = switch (answer.status()) {
            case 401, 403, 407 -> "; is the secret right, and may it do this?";
            case 404, 405, 410 -> "; are the URL and the method right?";
            case 415 -> "; does the service take this Content-Type, and gzip() if that is on?";
            default ->
                "; only 307 and 308 within the same server are followed, so give the sink the URL that it"
                        + " leads to: "
                        + answer.headers()
                                .firstValue("Location")
                                .map(Calling::shown)
                                .orElse("it does not say");
        };
        return cannot(answer.words() + advice);
    }

    /** Those of one request. */
    private final class Tries {
        private int count;
        private long waitedMs;

        /**
         * Waits.
         *
         * @param askedMs by the service
         * @param spentMs in the try itself
         */
        void failed(String reason, long askedMs, long spentMs) throws InterruptedException {
            count++;
            waitedMs += spentMs;
            long patienceMs = service.patience().toMillis();
            long leftMs = patienceMs - waitedMs;
            if (leftMs <= 0) {
                throw cannot("tried " + count + (count == 1 ? " time" : " times") + " within "
                        + DurationText.of(service.patience()) + " (patience): " + reason);
            }
            if (askedMs > leftMs) {
                throw cannot("the service asks to wait for " + DurationText.of(Duration.ofMillis(askedMs))
                        + ", and patience is " + DurationText.of(service.patience()) + ": " + reason);
            }
            long pauseMs = Math.max(askedMs, Math.min(backoff.ms(count), leftMs));
            availability.failed(reason, pauseMs);
            pause.ofMs(pauseMs);
            waitedMs += pauseMs;
        }
    }
}

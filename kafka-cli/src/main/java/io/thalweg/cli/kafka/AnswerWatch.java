// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.cli.report.Report;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Says when a cluster that is asked for something does not answer, and when it does again, which Kafka's clients do without a word.
 * It looks from a thread of its own, because the command's waits in a client. Any thread may call.
 */
final class AnswerWatch implements AutoCloseable {
    /** A broker that restarts quickly is not worth a line. */
    private static final int PATIENCE_LOOKS = 5;

    private final String servers;
    private final Consumer<String> say;
    private final CountDownLatch closed = new CountDownLatch(1);

    // Guarded by this.
    private long open;
    private boolean answered;
    private int silentLooks;

    /** Nobody looks yet. */
    AnswerWatch(String servers, Consumer<String> say) {
        this.servers = servers;
        this.say = say;
    }

    /** One that looks each second, and tells the user. */
    static AnswerWatch start(String servers) {
        AnswerWatch watch =
                new AnswerWatch(servers, line -> Report.standardError().println("thalweg: " + line));
        Thread thread = new Thread(watch::run, "watches the cluster");
        thread.setDaemon(true);
        thread.start();
        return watch;
    }

    private void run() {
        try {
            while (!closed.await(1, TimeUnit.SECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An answer more is waited for. */
    synchronized void asked() {
        open++;
    }

    /** One has come, and others may be waited for. */
    synchronized void answered() {
        open--;
        onAnswer();
    }

    /** None will come: the client has given up. */
    synchronized void gaveUp() {
        open--;
    }

    /** Something was heard of the cluster, in a call that asks several times. */
    synchronized void heard() {
        onAnswer();
    }

    private void onAnswer() {
        answered = true;
        if (silentLooks >= PATIENCE_LOOKS) {
            say.accept("a Kafka broker at " + servers + " answers again");
        }
        silentLooks = 0;
    }

    /** To be called once a second. */
    synchronized void look() {
        if (open == 0 || answered) {
            silentLooks = open == 0 && silentLooks >= PATIENCE_LOOKS ? silentLooks : 0;
        } else if (++silentLooks == PATIENCE_LOOKS) {
            say.accept("no Kafka broker at " + servers + " answers; still trying");
        }
        answered = false;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}

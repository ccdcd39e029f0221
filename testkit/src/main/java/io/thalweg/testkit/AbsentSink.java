// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.StartContext;
import java.time.Duration;

/** A sink whose system does not answer when the job starts. It waits ten seconds of the run's clock unless the user says otherwise. */
public record AbsentSink<T>() implements Sink<T> {
    private static final long serialVersionUID = 1L;

    @Override
    public String name() {
        return "nobody";
    }

    @Override
    public void awaitReady(StartContext context) {
        context.tell("waiting");
        throw new ConnectorException(
                "nobody answers for " + context.timeout(Duration.ofSeconds(10)).toSeconds() + " s");
    }

    @Override
    public SinkWriter<T> open(SinkContext context) {
        throw new IllegalStateException("it is opened although nobody answers");
    }
}

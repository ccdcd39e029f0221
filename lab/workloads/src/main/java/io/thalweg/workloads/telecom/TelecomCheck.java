// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.util.List;

/**
 * Takes the rows of a query that sums all measures over five-minute windows by chosen dimensions, in any order, and holds
 * each against the closed form. When the rows end it prints how many there were and their fingerprint, and where a row was
 * wrong, missing or too many, the first ten differences; then it fails. Of a run that is stopped nothing is missing.
 */
public final class TelecomCheck implements Sink<TelecomRow> {
    private static final long serialVersionUID = 1L;

    private final TelecomSettings settings;
    private final List<TelecomDimension> dimensions;

    /** @param settings those of the source: they say what is expected */
    public TelecomCheck(TelecomSettings settings, List<TelecomDimension> dimensions) {
        this.settings = settings;
        this.dimensions = List.copyOf(dimensions);
    }

    @Override
    public String name() {
        return "telecom check";
    }

    @Override
    public int requiredParallelism() {
        return 1;
    }

    /** To make the groups of many profiles takes its time, and so does the last of a window's rows. */
    @Override
    public boolean blocking() {
        return true;
    }

    @Override
    public SinkWriter<TelecomRow> open(SinkContext context) {
        return new TelecomCheckWriter(new TelecomExpectation(settings, dimensions), context.console());
    }
}

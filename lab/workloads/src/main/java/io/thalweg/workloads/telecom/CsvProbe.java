// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.MapFunction;

/** Reads a line of CSV, as the telecom source writes it, back into a record. */
public final class CsvProbe implements MapFunction<byte[], Probe> {
    private static final long serialVersionUID = 1L;

    /** @throws BadRecordException if the line is none */
    @Override
    public Probe apply(byte[] line) {
        CsvFields fields = new CsvFields(line);
        Probe probe = new Probe(
                fields.number(),
                cell(fields),
                device(fields),
                subscriber(fields),
                service(fields),
                session(fields),
                measures(fields));
        fields.end();
        return probe;
    }

    private static Probe.Cell cell(CsvFields fields) {
        return new Probe.Cell(
                fields.text(),
                fields.text(),
                fields.integer(),
                fields.integer(),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.integer(),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.text());
    }

    private static Probe.Device device(CsvFields fields) {
        return new Probe.Device(
                fields.integer(),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.text(),
                fields.truth(),
                fields.truth(),
                fields.text(),
                fields.text());
    }

    private static Probe.Subscriber subscriber(CsvFields fields) {
        return new Probe.Subscriber(
                fields.integer(),
                fields.text(),
                fields.text(),
                fields.truth(),
                fields.textOrNull(),
                fields.integer(),
                fields.integer(),
                fields.text(),
                fields.textOrNull(),
                fields.textOrNull(),
                fields.text());
    }

    private static Probe.Service service(CsvFields fields) {
        return new Probe.Service(
                fields.text(),
                fields.text(),
                fields.text(),
                fields.integer(),
                fields.integer(),
                fields.integer(),
                fields.textOrNull(),
                fields.text(),
                fields.integer(),
                fields.textOrNull(),
                fields.textOrNull(),
                fields.textOrNull(),
                fields.textOrNull(),
                fields.integer(),
                fields.text());
    }

    private static Probe.Session session(CsvFields fields) {
        return new Probe.Session(
                fields.integer(),
                fields.integer(),
                fields.integer(),
                fields.integer(),
                fields.text(),
                fields.text(),
                fields.integer(),
                fields.integerOrNull(),
                fields.textOrNull(),
                fields.textOrNull());
    }

    private static Probe.Measures measures(CsvFields fields) {
        return new Probe.Measures(
                fields.integer(),
                fields.number(),
                fields.number(),
                fields.number(),
                fields.number(),
                fields.number(),
                fields.number(),
                fields.number(),
                fields.number(),
                fields.integer(),
                fields.integer(),
                fields.integer(),
                fields.real(),
                fields.real(),
                fields.real(),
                fields.integer(),
                fields.integer(),
                fields.numberOrNull(),
                fields.decimalOrNull(),
                fields.realOrNull());
    }
}

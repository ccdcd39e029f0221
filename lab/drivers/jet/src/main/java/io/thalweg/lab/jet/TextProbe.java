// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.jet.aggregate.AggregateOperation;
import com.hazelcast.jet.aggregate.AggregateOperation1;
import io.thalweg.workloads.telecom.FlatKey;
import io.thalweg.workloads.telecom.FlatProbe;
import io.thalweg.workloads.telecom.TelecomLines;
import java.util.Map;

/** A line of JSON as the reader that all engines share makes it: its time, its 62 dimensions as a key of texts, its measures. */
record TextProbe(long timeMs, FlatKey key, FlatProbe probe) {
    /** The sums of whole measures, and of the others. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    record Sums(long[] whole, double[] fractions) {
        private void add(FlatProbe probe) {
            for (int i = 0; i < whole.length; i++) {
                whole[i] += probe.whole()[i];
            }
            for (int i = 0; i < fractions.length; i++) {
                fractions[i] += probe.fractions()[i];
            }
        }
    }

    static TextProbe of(byte[] line) {
        FlatProbe probe = FlatProbe.of(line);
        FlatKey key = new FlatKey(probe.dimensions(), FlatKey.hashOfAll(probe.dimensions()));
        return new TextProbe(TelecomLines.timeMs(line), key, probe);
    }

    static AggregateOperation1<TextProbe, Sums, Sums> sums() {
        return AggregateOperation.withCreate(
                        () -> new Sums(new long[FlatProbe.WHOLE], new double[FlatProbe.FRACTIONAL]))
                .<TextProbe>andAccumulate((sums, each) -> sums.add(each.probe))
                .andExportFinish(sums -> sums);
    }

    static RelayWork.Counter<Map.Entry<FlatKey, Sums>> rows() {
        return (row, meter) -> {
            Sums sums = row.getValue();
            long records = sums.whole()[FlatProbe.RECORDS];
            long numbers = FlatProbe.numbers(sums.whole());
            meter.receivedRow(records, numbers);
            if (meter.checks()) {
                meter.measures(records, numbers, FlatProbe.units(sums.whole(), sums.fractions()));
            }
        };
    }
}

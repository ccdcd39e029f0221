// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.alibaba.fastjson2.JSON;
import com.hazelcast.jet.aggregate.AggregateOperation;
import com.hazelcast.jet.aggregate.AggregateOperation1;
import io.thalweg.workloads.telecom.Dimensions;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import io.thalweg.workloads.telecom.TelecomSums;
import java.math.BigDecimal;
import java.util.Map;

/** A line of JSON, read into records by fastjson2: its time, its 62 dimensions as a key, its 20 measures. */
record RecordProbe(long timeMs, Dimensions key, Probe.Measures measures) {

    static RelayWork.Maker<byte[]> lines(TelecomSize size) {
        TelecomLines lines = new TelecomLines(size);
        return load -> lines.line(load.take());
    }

    static RecordProbe of(byte[] line) {
        Probe probe = JSON.parseObject(line, Probe.class);
        return new RecordProbe(probe.time(), probe.dimensions(), probe.measures());
    }

    static AggregateOperation1<RecordProbe, Sums, TelecomSums> sums() {
        return AggregateOperation.withCreate(Sums::new)
                .<RecordProbe>andAccumulate((sums, probe) -> sums.add(probe.measures))
                .andExportFinish(Sums::result);
    }

    static RelayWork.Counter<Map.Entry<Dimensions, TelecomSums>> rows() {
        return (row, meter) -> {
            long records = row.getValue().records();
            long numbers = row.getValue().bytesUp() - records * TelecomLines.BYTES_UP;
            meter.receivedRow(records, numbers);
            if (meter.checks()) {
                meter.measures(records, numbers, row.getValue().units());
            }
        };
    }

    /** The sums of the measures; a null counts as nothing. */
    static final class Sums {
        private long records;
        private long bytesUp;
        private long bytesDown;
        private long pktsUp;
        private long pktsDown;
        private long durationMs;
        private long retrans;
        private long dnsMs;
        private long tcpMs;
        private long drops;
        private long handovers;
        private long setupFail;
        private double rtt;
        private double jitter;
        private double mos;
        private long rsrp;
        private long sinr;
        private long volumeCharged;
        private BigDecimal cost = BigDecimal.ZERO;
        private double sparse;

        private void add(Probe.Measures added) {
            records += added.records();
            bytesUp += added.bytesUp();
            bytesDown += added.bytesDown();
            pktsUp += added.pktsUp();
            pktsDown += added.pktsDown();
            durationMs += added.durationMs();
            retrans += added.retrans();
            dnsMs += added.dnsMs();
            tcpMs += added.tcpMs();
            drops += added.drops();
            handovers += added.handovers();
            setupFail += added.setupFail();
            rtt += added.rtt();
            jitter += added.jitter();
            mos += added.mos();
            rsrp += added.rsrp();
            sinr += added.sinr();
            volumeCharged += added.volumeCharged() == null ? 0 : added.volumeCharged();
            cost = added.cost() == null ? cost : cost.add(added.cost());
            sparse += added.sparse() == null ? 0 : added.sparse();
        }

        private TelecomSums result() {
            return new TelecomSums(
                    records,
                    bytesUp,
                    bytesDown,
                    pktsUp,
                    pktsDown,
                    durationMs,
                    retrans,
                    dnsMs,
                    tcpMs,
                    drops,
                    handovers,
                    setupFail,
                    rtt,
                    jitter,
                    mos,
                    rsrp,
                    sinr,
                    volumeCharged,
                    cost,
                    sparse);
        }
    }
}

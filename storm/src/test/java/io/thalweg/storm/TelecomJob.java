// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomCheck;
import io.thalweg.workloads.telecom.TelecomDimension;
import io.thalweg.workloads.telecom.TelecomRow;
import io.thalweg.workloads.telecom.TelecomSettings;
import io.thalweg.workloads.telecom.TelecomSource;
import io.thalweg.workloads.telecom.TelecomSums;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The telecom job of the examples, with its closed-form check. */
final class TelecomJob {
    private TelecomJob() {}

    static TelecomSettings settings(long records) {
        return TelecomSettings.from(new Settings(Map.of("records", Long.toString(records)), Path.of("")));
    }

    static Topology topology(TelecomSettings telecom) {
        Topology topology = Topology.named("telecom");
        topology.from(TelecomSource.records(telecom))
                .eventTime(Probe::time, telecom.maxDisorder())
                .keyBy(Probe::dimensions)
                .window(Windows.tumbling(Duration.ofMinutes(5)))
                .aggregate(TelecomSums.aggregate())
                .map(TelecomRow::ofAll)
                .to(new TelecomCheck(telecom, List.of(TelecomDimension.values())))
                .name("check");
        return topology;
    }
}

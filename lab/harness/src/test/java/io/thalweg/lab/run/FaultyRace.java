// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.race.RaceStudy;
import io.thalweg.lab.result.Results;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs a race whose engines are {@link FaultyDriver}s, each with the fault of its name. */
public final class FaultyRace {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Timing SHORT =
            new Timing(Duration.ofSeconds(1), Duration.ofMillis(200), Duration.ofSeconds(8), LONG, LONG);

    private FaultyRace() {}

    /** Two rounds. */
    public static Results run(RaceStudy study, Consumer<String> say) {
        Map<String, Engine> engines = new LinkedHashMap<>();
        for (String fault : study.engines()) {
            Engine.Description description = new Engine.Description(
                    fault, FaultyDriver.class.getName(), List.of("-Xmx64m"), Map.of(), List.of(), null, fault);
            engines.put(fault, Engine.built(description, System.getProperty("java.class.path")));
        }
        try (LabRun lab = new LabRun(engines, "0", say, () -> Long.MAX_VALUE)) {
            return lab.run(new LabRun.Wish(List.of(study.selection()), List.of(), true, 1, 2), SHORT);
        }
    }
}

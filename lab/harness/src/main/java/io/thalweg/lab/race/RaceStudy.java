// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.race;

import io.thalweg.lab.study.Studies;
import io.thalweg.lab.study.Study;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The study of a race: one job, one case, some engines.
 *
 * @param settings on top of the workload and the job
 * @param sweep options of engines, each with values to try one at a time
 */
public record RaceStudy(
        String name, Path job, Map<String, String> settings, Map<String, List<String>> sweep, List<String> engines) {
    /** All of it, for the lab to run. */
    public Studies.Selection selection() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("workload", "topology");
        all.put("jar", job.toAbsolutePath().normalize().toString());
        all.putAll(settings);
        Map<String, List<String>> usual = new LinkedHashMap<>();
        engines.forEach(engine -> usual.put(engine, List.of()));
        Study.Case one = new Study.Case(
                name, name, Map.of(), Map.of(), sweep, Map.of(), null, null, false, Map.of(), null, Map.of());
        Study study =
                new Study("race", name + " on several engines", "", List.of(), List.of(), all, usual, List.of(one));
        return new Studies.Selection(study, study.cases());
    }
}

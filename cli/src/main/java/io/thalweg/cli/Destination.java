// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.Suggestion;
import io.thalweg.cli.tune.TrialRoad;
import io.thalweg.cli.tune.Tuned;
import io.thalweg.cli.tune.TunedFile;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunnerInfo;
import io.thalweg.run.RunnerProvider;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where {@code --on} leads: a road by name, which the launcher has put on the class path.
 *
 * @param provider null for the embedded engine, or if the road is not on the class path
 * @param address of a cluster; null for one within this process
 * @param options what was given of the road's options
 */
record Destination(
        RunnerInfo road,
        @Nullable RunnerProvider provider,
        @Nullable String address,
        Map<String, List<String>> options) {
    /** @throws UsageException if there is no such road, or it refuses an option that was given */
    static Destination of(String text, Runners roads, CommandSpec run) {
        String[] parts = text.split("=", 2);
        RunnerInfo road = roads.road(parts[0]);
        if (road == null || (road.address().isEmpty() && parts.length > 1)) {
            List<String> forms = roads.forms();
            throw new UsageException("--on is one of " + String.join(", ", forms) + ", not " + text
                    + (road == null ? Suggestion.of(parts[0], forms) : ""));
        }
        return new Destination(
                road, roads.provider(parts[0]), parts.length > 1 ? parts[1] : null, roads.given(road, run));
    }

    /**
     * With the settings of a file.
     *
     * @throws UsageException if one of them does not apply there
     */
    Destination with(TunedFile tuned) {
        try {
            tuned.check(road, address != null);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--tuned: " + e.getMessage());
        }
        return new Destination(road, provider, address, Tuned.options(road, options, tuned.choices()));
    }

    /** @throws UsageException if the road is not there, or the address or an option cannot be one */
    Runner runner(RunSettings settings, LoadedJob job) {
        if (road.equals(Runners.EMBEDDED)) {
            return new EmbeddedRunner(settings);
        }
        try {
            return there().runner(settings, address, options, job.jars());
        } catch (IllegalArgumentException e) {
            throw new UsageException("--on " + road.name() + ": " + e.getMessage());
        }
    }

    /**
     * Where the job runs within the JVM of each run of a tuning.
     *
     * @throws UsageException if the road is not there
     */
    TrialRoad within(LoadedJob job) {
        boolean embedded = road.equals(Runners.EMBEDDED);
        return new TrialRoad(road, embedded ? null : there(), options, embedded ? List.of() : job.jars());
    }

    private RunnerProvider there() {
        if (provider == null) {
            throw new UsageException("--on " + road.name() + " needs "
                    + String.join(", ", road.jars())
                    + " on the class path, with all dependencies; ./thalweg adds them");
        }
        return provider;
    }
}

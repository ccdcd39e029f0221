// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.doctor.tune.Choices;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunnerInfo;
import io.thalweg.run.RunnerProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * What the runs of a tuning run on: the embedded engine, or a road within their own JVM.
 *
 * @param info what users see of it
 * @param provider null for the embedded engine
 * @param options what was given of the road's options
 * @param code jars with the job's own classes
 */
public record TrialRoad(
        RunnerInfo info, @Nullable RunnerProvider provider, Map<String, List<String>> options, List<Path> code) {
    /**
     * The road of that name on this JVM's class path.
     *
     * @param given as {@link #given()} tells it
     */
    static TrialRoad of(String name, List<String> given, List<Path> code) {
        Map<String, List<String>> options = new LinkedHashMap<>();
        for (String each : given) {
            String[] parts = each.split("=", 2);
            options.computeIfAbsent(parts[0], unused -> new ArrayList<>()).add(parts[1]);
        }
        for (RunnerProvider provider : ServiceLoader.load(RunnerProvider.class, TrialRoad.class.getClassLoader())) {
            if (provider.road().name().equals(name)) {
                return new TrialRoad(provider.road(), provider, options, code);
            }
        }
        throw new IllegalStateException("there is no road " + name + " on the class path");
    }

    /** Whether the engine is not the embedded one. */
    boolean leadsElsewhere() {
        return provider != null;
    }

    /** What was given of the road's options, {@code NAME=VALUE} each. */
    List<String> given() {
        return options.entrySet().stream()
                .flatMap(option -> option.getValue().stream().map(value -> option.getKey() + "=" + value))
                .toList();
    }

    /** @throws IllegalArgumentException if an option cannot be one */
    public Runner runner(RunSettings settings, Choices choices) {
        return provider == null
                ? new EmbeddedRunner(settings)
                : provider.runner(settings, null, Tuned.options(info, options, choices), code);
    }

    /** Why a setting does nothing here: an option that was given says what it is. Null if none does. */
    @Nullable String given(Choices choices) {
        return choices.all().stream()
                .map(choice -> Tuned.given(options, choice.setting()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}

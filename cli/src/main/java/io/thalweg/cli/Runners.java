// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.run.Runner;
import io.thalweg.run.RunnerInfo;
import io.thalweg.run.RunnerProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The roads that {@code --on} names: this process, those on the class path, and those that a launcher could put there. */
final class Runners {
    static final RunnerInfo EMBEDDED = new RunnerInfo(
            Runner.EMBEDDED,
            "",
            "in this process (default)",
            List.of(),
            List.of(),
            List.of(),
            List.of(
                    "threads",
                    "parallelism",
                    "idle",
                    "queue",
                    "batch",
                    "max-pending",
                    "checkpoint-interval",
                    "heap",
                    "collector",
                    "isolate",
                    "shuffle"));

    private final Map<String, RunnerProvider> providers = new LinkedHashMap<>();
    private final Map<String, RunnerInfo> roads = new LinkedHashMap<>();

    private Runners() {
        roads.put(EMBEDDED.name(), EMBEDDED);
    }

    /** Looks for them only if the arguments ask for one, or for help: most jobs run in this process. */
    static Runners of(List<String> arguments) {
        Runners roads = new Runners();
        if (arguments.stream().anyMatch(Runners::asksForRoads)) {
            roads.find();
        }
        return roads;
    }

    private static boolean asksForRoads(String argument) {
        return argument.equals("--on")
                || argument.startsWith("--on=")
                || argument.equals("--help")
                || argument.equals("-h");
    }

    private void find() {
        for (RunnerProvider provider : ServiceLoader.load(RunnerProvider.class, Runners.class.getClassLoader())) {
            providers.put(provider.road().name(), provider);
            roads.put(provider.road().name(), provider.road());
        }
        for (Part part : Part.all()) {
            if (!part.said("road").isEmpty()) {
                roads.putIfAbsent(part.said("road"), RunnerInfo.of(part.said()));
            }
        }
    }

    /** Null if there is none of that name. */
    @Nullable RunnerInfo road(String name) {
        return roads.get(name);
    }

    /** Null if it is not on the class path. */
    @Nullable RunnerProvider provider(String name) {
        return providers.get(name);
    }

    /** Whether some road has an option of that name. */
    boolean hasOption(String name) {
        return roads.values().stream()
                .flatMap(road -> road.options().stream())
                .anyMatch(option -> option.name().equals(name));
    }

    /** {@code embedded, flink}: those whose jobs can be tuned. */
    String tuned() {
        return roads.values().stream()
                .filter(road -> !road.tunes().isEmpty())
                .map(RunnerInfo::name)
                .collect(Collectors.joining(", "));
    }

    /** {@code embedded, flink, flink=HOST:PORT, …} */
    List<String> forms() {
        List<String> forms = new ArrayList<>();
        for (RunnerInfo road : roads.values()) {
            forms.add(road.name());
            if (!road.address().isEmpty()) {
                forms.add(road.name() + "=" + road.address());
            }
        }
        return forms;
    }

    /**
     * Adds the roads' options to the command, and their names to the help of {@code --on}.
     *
     * @param words of the command's own help
     */
    void addTo(CommandSpec run, Map<String, String> words) {
        Map<String, String> all = new LinkedHashMap<>(words);
        all.put("roads.names", names());
        all.put("roads.help", help());
        all.put("roads.tuned", tuned());
        run.resourceBundle(new ListResourceBundle() {
            @Override
            protected Object[][] getContents() {
                return all.entrySet().stream()
                        .map(word -> new Object[] {word.getKey(), word.getValue()})
                        .toArray(Object[][]::new);
            }
        });
        for (RunnerInfo road : roads.values()) {
            for (RunnerInfo.Option option : road.options()) {
                run.addOption(OptionSpec.builder(option.name())
                        .paramLabel(option.value())
                        .description("with --on " + road.name() + ": " + option.help())
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .build());
            }
        }
    }

    private String names() {
        return roads.values().stream()
                .map(road -> road.name() + (road.address().isEmpty() ? "" : "[=" + road.address() + "]"))
                .collect(Collectors.joining("|"));
    }

    private String help() {
        return roads.values().stream()
                .map(road -> road.name() + ": " + road.help())
                .collect(Collectors.joining("; "));
    }

    /**
     * What was given of the road's options, by name.
     *
     * @throws UsageException if an option was given that the road refuses, or that is another road's
     */
    Map<String, List<String>> given(RunnerInfo on, CommandSpec run) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (OptionSpec option : run.commandLine().getParseResult().matchedOptions()) {
            String name = option.longestName();
            if (on.refuses().contains(name)) {
                throw new UsageException(name + " means nothing with --on " + on.name());
            }
            for (RunnerInfo road : roads.values()) {
                if (road.options().stream().anyMatch(each -> each.name().equals(name))) {
                    if (!road.equals(on)) {
                        throw new UsageException(name + " is for --on " + road.name());
                    }
                    given.put(name, option.getValue());
                }
            }
        }
        return given;
    }
}

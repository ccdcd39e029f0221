// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.job.JobLoader;
import io.thalweg.job.LoadedJob;
import io.thalweg.run.CacheFolder;
import io.thalweg.run.PlainText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which topology of a job's file is meant, and with which settings. */
final class JobOptions {
    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a setting for the job; may be repeated")
    private Map<String, String> set = new LinkedHashMap<>();

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = "--class", paramLabel = "NAME", description = "which class in JOB defines the topology")
    private @Nullable String className;

    /** @throws UsageException if one is given twice */
    Map<String, String> set() {
        checkGivenOnce();
        return set;
    }

    @Nullable String className() {
        return className;
    }

    static Path file(String job) {
        try {
            return Path.of(job);
        } catch (InvalidPathException e) {
            throw new UsageException("'" + job + "' is no name of a file");
        }
    }

    /** Its classes are those of this thread from then on. */
    LoadedJob load(String job) {
        LoadedJob loaded = new JobLoader(
                        CacheFolder.jobs(), line -> System.err.println(PlainText.line("thalweg: " + line)))
                .load(file(job), className);
        Thread.currentThread().setContextClassLoader(loaded.loader());
        return loaded;
    }

    TopologyGraph define(LoadedJob loaded) {
        if (set.containsKey("")) {
            throw new UsageException("--set takes KEY=VALUE, not =" + set.get(""));
        }
        return loaded.define(set());
    }

    /** The parser keeps the last of several. */
    private void checkGivenOnce() {
        Set<String> keys = new HashSet<>();
        OptionSpec given =
                Objects.requireNonNull(command).commandLine().getParseResult().matchedOption("--set");
        for (String setting : given == null ? List.<String>of() : given.originalStringValues()) {
            String key = setting.substring(0, setting.indexOf('='));
            if (!keys.add(key)) {
                throw new UsageException("--set " + key + " is given twice; leave one of them out");
            }
        }
    }
}

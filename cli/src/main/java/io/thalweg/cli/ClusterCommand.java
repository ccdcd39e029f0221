// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.run.CacheFolder;
import io.thalweg.run.TrialCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code thalweg flink start} and {@code thalweg storm start}: a real cluster on this machine, for trying. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        description = "Starts or stops a trial cluster on this machine.",
        footer = {
            "",
            "Exit codes: 0 done, 1 the cluster does not start or none is running, 2 the command line is wrong."
        })
final class ClusterCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "start|stop", description = "what to do")
    private String action = "";

    @Option(
            names = {"--taskmanagers", "--workers"},
            paramLabel = "N",
            description = "number of worker processes; default: 2")
    private int workers = 2;

    @Option(names = "--debug", description = "prints errors with their stack trace")
    private boolean debug;

    @Override
    public Integer call() {
        try {
            return run();
        } catch (Exception | Error e) {
            return Failures.report(e, debug);
        }
    }

    private int run() throws Exception {
        String name = Objects.requireNonNull(spec).name();
        if (workers < 1) {
            throw new UsageException("--workers must be at least 1, not " + workers);
        }
        Path folder = CacheFolder.ofCluster(name);
        switch (action) {
            case "start" -> System.out.println(cluster(name).start(folder, workers));
            case "stop" -> {
                if (!cluster(name).stop(folder)) {
                    System.err.println("thalweg: no " + name + " cluster is running here");
                    return ExitCodes.FAILED;
                }
            }
            default ->
                throw new UsageException(
                        "thalweg " + name + " takes " + actions() + (action.isEmpty() ? "" : ", not " + action));
        }
        return ExitCodes.DONE;
    }

    private String actions() {
        List<String> all = new ArrayList<>(List.of("start", "stop"));
        all.addAll(Objects.requireNonNull(spec).subcommands().keySet());
        String last = all.remove(all.size() - 1);
        return String.join(", ", all) + " or " + last;
    }

    private static TrialCluster cluster(String name) {
        for (TrialCluster cluster : ServiceLoader.load(TrialCluster.class, ClusterCommand.class.getClassLoader())) {
            if (cluster.name().equals(name)) {
                return cluster;
            }
        }
        throw new UsageException("thalweg " + name + " needs thalweg-" + name
                + " and its dependencies on the class path; ./thalweg adds them");
    }
}

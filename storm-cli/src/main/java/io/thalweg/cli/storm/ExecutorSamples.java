// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.api.graph.Node;
import io.thalweg.doctor.embedded.Profiler;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Samples of the threads of all topologies, by component. Any thread may {@link #start} one; everything else is for one thread. */
final class ExecutorSamples implements AutoCloseable {
    private final Profiler profiler = new Profiler();
    private final AtomicInteger topologies = new AtomicInteger();

    /** What is before the names of a topology's components. */
    private final Map<StormRun, String> prefixes = new ConcurrentHashMap<>();

    private @Nullable List<OperatorProfile> all;

    /** @param folder for what is recorded meanwhile; it is made */
    void begin(Path folder) throws IOException {
        boolean unused = profiler.recordIn(Files.createDirectories(folder)); // or where temporary files are
        profiler.start();
    }

    /** Starts a topology, having the engine tell which class calls which component. */
    StormRun start(StormDoor door, RunSettings settings) {
        String prefix = topologies.incrementAndGet() + " ";
        Set<String> nodes = door.graph().nodes().stream().map(Node::name).collect(Collectors.toSet());
        StormRun run =
                door.start(settings.withStages((node, type) -> profiler.made(prefix + component(node, nodes), type)));
        prefixes.put(run, prefix);
        return run;
    }

    /** Whose node it is: some have one more before or behind them. */
    private static String component(String node, Set<String> nodes) {
        int last = node.lastIndexOf('/');
        return last > 0 && nodes.contains(node.substring(0, last)) ? node.substring(0, last) : node;
    }

    /** What was recorded until now is all. */
    void end() {
        profiler.stop();
    }

    /**
     * Those of a topology, which call its components by their names; after {@link #end}.
     *
     * @throws IOException if the recording cannot be written or read
     */
    List<OperatorProfile> of(StormRun run) throws IOException {
        List<OperatorProfile> found = all;
        if (found == null) {
            found = profiler.profiles();
            all = found;
        }
        String prefix = prefixes.getOrDefault(run, "");
        return prefix.isEmpty()
                ? List.of()
                : found.stream()
                        .filter(each -> each.operator().startsWith(prefix))
                        .map(each -> named(each.operator().substring(prefix.length()), each))
                        .toList();
    }

    private static OperatorProfile named(String component, OperatorProfile profile) {
        return new OperatorProfile(
                component,
                profile.samples(),
                profile.handOverSamples(),
                profile.ackSamples(),
                profile.copySamples(),
                profile.blockedNs(),
                profile.allocatedBytes(),
                profile.hot(),
                profile.blocked(),
                profile.python(),
                profile.fetches(),
                profile.sends());
    }

    @Override
    public void close() {
        profiler.close();
    }
}

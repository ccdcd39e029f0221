// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormlocal;

import io.thalweg.stormdoor.StormOptions;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Stands in for Nimbus, as {@code storm local} has it: {@code StormSubmitter} asks it in place of one that is reached over the network. */
public final class StandIn implements InvocationHandler {
    private final Submissions submissions;

    private StandIn(Submissions submissions) {
        this.submissions = submissions;
    }

    /** Its calls submit to these, and tell of these. What it does not know it refuses by name. */
    public static Nimbus.Iface of(Submissions submissions) {
        return (Nimbus.Iface) Proxy.newProxyInstance(
                Nimbus.Iface.class.getClassLoader(), new Class<?>[] {Nimbus.Iface.class}, new StandIn(submissions));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given) throws Throwable {
        Object[] arguments = given == null ? new Object[0] : given;
        switch (method.getName()) {
            case "submitTopology", "submitTopologyWithOpts" -> {
                Map<String, Object> conf = Utils.parseJson((String) arguments[2]);
                submissions.submit(
                        (String) arguments[0],
                        Utils.merge(submissions.daemonConf(), conf),
                        (StormTopology) arguments[3],
                        arguments.length > 4 ? (SubmitOptions) arguments[4] : null);
                return null;
            }
            case "killTopology" -> {
                submissions.kill((String) arguments[0], null);
                return null;
            }
            case "killTopologyWithOpts" -> {
                submissions.kill((String) arguments[0], (KillOptions) arguments[1]);
                return null;
            }
            case "activate" -> {
                submissions.activate((String) arguments[0]);
                return null;
            }
            case "deactivate" -> {
                submissions.deactivate((String) arguments[0]);
                return null;
            }
            case "isTopologyNameAllowed" -> {
                return !submissions.runs((String) arguments[0]);
            }
            case "beginFileUpload" -> {
                return "jar"; // the jar is read where it is
            }
            case "uploadChunk", "finishFileUpload" -> {
                return null;
            }
            case "getBlobMeta" -> // StormSubmitter asks for those that a topology's configuration names
                throw new UnsupportedOperationException(StormOptions.noBlobs(List.of(arguments)));
            case "getClusterInfo" -> {
                return new ClusterSummary(List.of(), summaries(), List.of());
            }
            case "getTopologySummaries" -> {
                return summaries();
            }
            case "getTopologySummary" -> {
                return summary(submissions.of((String) arguments[0]));
            }
            case "getTopologySummaryByName" -> {
                return summary(submissions.named((String) arguments[0]));
            }
            case "getTopologyInfo" -> {
                return info(submissions.of((String) arguments[0]));
            }
            case "getTopologyInfoByName" -> {
                return info(submissions.named((String) arguments[0]));
            }
            case "getTopologyInfoWithOpts" -> {
                return info(submissions.of((String) arguments[0]), (GetInfoOptions) arguments[1]);
            }
            case "getTopologyInfoByNameWithOpts" -> {
                return info(submissions.named((String) arguments[0]), (GetInfoOptions) arguments[1]);
            }
            case "getTopologyConf" -> {
                return JSONValue.toJSONString(
                        submissions.of((String) arguments[0]).conf());
            }
            case "getTopology", "getUserTopology" -> {
                return submissions.of((String) arguments[0]).topology();
            }
            case "toString" -> {
                return "Thalweg";
            }
            case "hashCode" -> {
                return System.identityHashCode(proxy);
            }
            case "equals" -> {
                return proxy == arguments[0];
            }
            default ->
                throw new UnsupportedOperationException("there is no Nimbus here that could answer " + method.getName()
                        + "; Thalweg takes topologies, tells what they do, and kills, activates and deactivates them");
        }
    }

    private List<TopologySummary> summaries() {
        List<TopologySummary> all = new ArrayList<>(); // callers may sort it
        for (Submissions.Submitted each : submissions.all()) {
            if (!each.ended()) {
                all.add(summary(each));
            }
        }
        return all;
    }

    private static TopologySummary summary(Submissions.Submitted its) {
        TopologyInfo info = info(its);
        return new TopologySummary(
                info.get_id(),
                info.get_name(),
                info.get_executors().stream()
                        .map(ExecutorSummary::get_executor_info)
                        .mapToInt(tasks -> tasks.get_task_end() - tasks.get_task_start() + 1)
                        .sum(),
                info.get_executors_size(),
                1,
                info.get_uptime_secs(),
                info.get_status());
    }

    private static TopologyInfo info(Submissions.Submitted its) {
        return its.run().info();
    }

    private static TopologyInfo info(Submissions.Submitted its, GetInfoOptions options) {
        TopologyInfo info = info(its);
        long most = !options.is_set_num_err_choice()
                ? Long.MAX_VALUE
                : switch (options.get_num_err_choice()) {
                    case ALL -> Long.MAX_VALUE;
                    case ONE -> 1;
                    case NONE -> 0;
                };
        info.get_errors()
                .replaceAll((component, errors) ->
                        new ArrayList<>(errors.stream().limit(most).toList()));
        return info;
    }
}

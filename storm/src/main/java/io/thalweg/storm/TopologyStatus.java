// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologyInfo;

/**
 * How a topology stands that says nothing itself, as its Nimbus sees it.
 *
 * @param text for the user: what is wrong with it, and what to try
 * @param error the newest error of its components, for the end of a line; empty if there is none
 * @param up how long its executors are up, by their first task
 */
record TopologyStatus(State state, String text, String error, Map<Integer, Up> up) {
    /**
     * A worker says how long it is up when it begins, and then once a minute. One that has just begun, and has taken some seconds to say
     * so, is not up for that yet: it may end at its start.
     */
    private static final int UP_SECS = 10;

    /**
     * An executor.
     *
     * @param worker host and port
     * @param log of the worker, in Storm's logs on that host
     * @param seconds that its worker is up, as it has last said
     */
    record Up(String worker, String log, int seconds) {}

    enum State {
        /** It is not there any more. */
        GONE,
        /** Some of its executors have no worker, or one that has not come up. */
        WAITS,
        /** All of its executors have come up. */
        RUNS,
        /** Nimbus does not say. */
        UNKNOWN
    }

    TopologyStatus(State state, String text, String error) {
        this(state, text, error, Map.of());
    }

    static TopologyStatus gone() {
        return new TopologyStatus(State.GONE, "it is on the cluster no more: somebody has killed it", "");
    }

    static TopologyStatus unknown(RuntimeException why) {
        return new TopologyStatus(State.UNKNOWN, String.valueOf(why.getMessage()), "");
    }

    static TopologyStatus of(ClusterSummary cluster, TopologyInfo topology) {
        List<ExecutorSummary> executors = topology.get_executors();
        List<ExecutorSummary> down = executors.stream()
                .filter(each -> each.get_uptime_secs() < UP_SECS)
                .toList();
        String error = error(topology);
        Map<Integer, Up> up = up(topology);
        if (executors.isEmpty()) {
            return new TopologyStatus(State.WAITS, withoutWorkers(cluster, topology) + error, error);
        }
        if (!down.isEmpty()) {
            return new TopologyStatus(State.WAITS, withoutUptime(topology, down) + error, error, up);
        }
        String status = topology.get_status();
        return new TopologyStatus(
                State.RUNS,
                (status.equals("ACTIVE") ? "" : "it is " + status + " there; ") + "all of its " + executors.size()
                        + " executors run, says Nimbus; a task that takes long to open, or a call that does not come back, may hold it"
                        + " up" + error,
                error,
                up);
    }

    private static Map<Integer, Up> up(TopologyInfo topology) {
        Map<Integer, Up> up = new TreeMap<>();
        for (ExecutorSummary each : topology.get_executors()) {
            String log = "workers-artifacts/" + topology.get_id() + "/" + each.get_port() + "/worker.log";
            up.put(each.get_executor_info().get_task_start(), new Up(worker(each), log, each.get_uptime_secs()));
        }
        return Map.copyOf(up);
    }

    private static String worker(ExecutorSummary executor) {
        return executor.get_host() + ":" + executor.get_port();
    }

    private static String withoutWorkers(ClusterSummary cluster, TopologyInfo topology) {
        List<SupervisorSummary> supervisors = cluster.get_supervisors();
        if (supervisors.isEmpty()) {
            return "the cluster has no supervisor; start one";
        }
        int slots = supervisors.stream()
                .mapToInt(SupervisorSummary::get_num_workers)
                .sum();
        int used = supervisors.stream()
                .mapToInt(SupervisorSummary::get_num_used_workers)
                .sum();
        String scheduler = topology.is_set_sched_status() ? topology.get_sched_status() : "";
        return "it has no worker yet, and " + (slots - used) + " of the cluster's " + slots + " slots, on "
                + supervisors.size() + (supervisors.size() == 1 ? " supervisor" : " supervisors") + ", are free"
                + (scheduler.isBlank() ? "" : " (Nimbus: " + scheduler + ")")
                + "; kill a topology there, or start a supervisor with more slots";
    }

    private static String withoutUptime(TopologyInfo topology, List<ExecutorSummary> down) {
        String workers =
                down.stream().map(TopologyStatus::worker).distinct().sorted().collect(Collectors.joining(", "));
        return down.size() + " of its " + topology.get_executors_size() + " executors have not come up, on " + workers
                + "; Storm starts a worker that ends again and again: Storm's logs there, workers-artifacts/"
                + topology.get_id()
                + "/PORT/worker.log and supervisor.log, say why it does, such as a jar that Storm has"
                + " already, a class that is missing, or a port that is taken";
    }

    /** The newest error of its components, in one line; empty if there is none. */
    private static String error(TopologyInfo topology) {
        return topology.get_errors().entrySet().stream()
                .flatMap(component -> component.getValue().stream().map(error -> Map.entry(component.getKey(), error)))
                .max(Comparator.comparing(
                        (Map.Entry<String, ErrorInfo> each) -> each.getValue().get_error_time_secs()))
                .map(each -> "; its last error, of '" + each.getKey() + "': "
                        + each.getValue().get_error().lines().findFirst().orElse(""))
                .orElse("");
    }
}

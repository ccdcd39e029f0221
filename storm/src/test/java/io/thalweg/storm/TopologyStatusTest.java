// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologyInfo;
import org.junit.jupiter.api.Test;

/** What Nimbus knows of a topology, in words for its user. */
final class TopologyStatusTest {
    private final List<SupervisorSummary> supervisors = new ArrayList<>(
            List.of(new SupervisorSummary("one", 9, 4, 4, "1"), new SupervisorSummary("two", 9, 2, 1, "2")));
    private final List<ExecutorSummary> executors = new ArrayList<>();
    private final Map<String, List<ErrorInfo>> errors = new HashMap<>();
    private String status = "ACTIVE";
    private String scheduler = "";

    private TopologyStatus standing() {
        TopologyInfo topology = new TopologyInfo("words-1-17", "words", 30, executors, status, errors);
        topology.set_sched_status(scheduler);
        return TopologyStatus.of(new ClusterSummary(supervisors, List.of(), List.of()), topology);
    }

    private void add(int port, int uptime) {
        int task = executors.size();
        executors.add(new ExecutorSummary(new ExecutorInfo(task, task), "chain-0", "one", port, uptime));
    }

    @Test
    void shouldNameSlots() {
        scheduler = "Not enough slots";
        assertThat(standing())
                .isEqualTo(new TopologyStatus(
                        TopologyStatus.State.WAITS,
                        "it has no worker yet, and 1 of the cluster's 6 slots, on 2 supervisors, are free (Nimbus: Not"
                                + " enough slots); kill a topology there, or start a supervisor with more slots",
                        ""));
        supervisors.clear();
        assertThat(standing().text()).isEqualTo("the cluster has no supervisor; start one");
    }

    @Test
    void shouldNameWorkersThatDoNotComeUp() {
        add(6701, 0);
        add(6700, 0);
        add(6700, 0);
        add(6702, 60);
        errors.put("chain-0", List.of(new ErrorInfo("java.lang.NoClassDefFoundError: a/B\n\tat c.d(E.java:1)", 20)));
        errors.put("watch", List.of(new ErrorInfo("old", 10)));
        TopologyStatus standing = standing();
        assertThat(standing.state()).isEqualTo(TopologyStatus.State.WAITS);
        assertThat(standing.error()).isEqualTo("; its last error, of 'chain-0': java.lang.NoClassDefFoundError: a/B");
        assertThat(standing.text())
                .startsWith(
                        "3 of its 4 executors have not come up, on one:6700, one:6701; Storm starts a worker that ends"
                                + " again and again: ")
                .contains("workers-artifacts/words-1-17/PORT/worker.log")
                .endsWith("; its last error, of 'chain-0': java.lang.NoClassDefFoundError: a/B");
    }

    /** What it has said at its start is all that is known of one that has ended since. */
    @Test
    void shouldNotTakeAWorkerForOneThatRuns_whichTookSecondsToStart() {
        add(6700, 60);
        add(6701, 9);
        assertThat(standing().state()).isEqualTo(TopologyStatus.State.WAITS);
        assertThat(standing().text()).startsWith("1 of its 2 executors have not come up, on one:6701; ");
        assertThat(standing().up())
                .containsEntry(1, new TopologyStatus.Up("one:6701", "workers-artifacts/words-1-17/6701/worker.log", 9))
                .hasSize(2);
    }

    @Test
    void shouldSayThatAllRun() {
        add(6700, 60);
        assertThat(standing().state()).isEqualTo(TopologyStatus.State.RUNS);
        assertThat(standing().text()).startsWith("all of its 1 executors run, says Nimbus; ");
        status = "INACTIVE";
        assertThat(standing().text()).startsWith("it is INACTIVE there; all of its ");
    }
}

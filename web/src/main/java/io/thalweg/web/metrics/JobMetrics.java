// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.metrics;

import io.thalweg.api.stats.AckStats;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.ConnectionStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LatencyHistogram;
import io.thalweg.api.stats.ProcessStats;
import io.thalweg.api.stats.StateStats;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.web.server.Answer;
import io.thalweg.web.server.WebServer;
import io.thalweg.web.watch.EngineMetrics;
import io.thalweg.web.watch.JobSample;
import io.thalweg.web.watch.JobWatch;
import org.jspecify.annotations.Nullable;

/** The metrics of one job: those of the last look at it; for Prometheus under {@code /metrics}. */
public final class JobMetrics {
    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final double NS_PER_SECOND = 1e9;
    private static final double US_PER_SECOND = 1e6;
    private static final double MS_PER_SECOND = 1e3;

    private final Samples to;
    private final EngineMetrics told;

    private JobMetrics(JobStats now, Samples to) {
        told = EngineMetrics.by(now.plan());
        this.to = to;
    }

    /** Has a server tell what the watch has seen. */
    public static void on(WebServer server, JobWatch watch) {
        server.serve("/metrics", query -> {
            JobWatch.Seen seen = watch.seen(Long.MAX_VALUE);
            return Answer.of(TYPE, seen == null ? "# the job has not started yet\n" : text(seen.now()));
        });
    }

    static String text(JobSample look) {
        Exposition exposition = new Exposition(look.stats().topology());
        write(look, exposition);
        return exposition.text();
    }

    static void write(JobSample look, Samples to) {
        JobStats now = look.stats();
        JobMetrics metrics = new JobMetrics(now, to);
        metrics.job(look);
        metrics.latency(now.latencies());
        if (!now.acks().equals(AckStats.NONE)) {
            metrics.acks(now.acks());
        }
        metrics.checkpoint(look.checkpoint());
        now.tasks().forEach(metrics::task);
        now.keptState().forEach(metrics::state);
        now.connections().forEach(metrics::connection);
        metrics.process(now.process());
    }

    private void job(JobSample look) {
        JobStats now = look.stats();
        to.add(Metric.JOB_INFO, 1, now.plan().runner());
        for (JobState state : JobState.values()) {
            to.add(Metric.JOB_STATE, look.state().equals(state.name()) ? 1 : 0, state.name());
        }
        to.add(Metric.JOB_STATE, look.state().equals(JobSample.RESTARTING) ? 1 : 0, JobSample.RESTARTING);
        to.add(Metric.JOB_ELAPSED, now.elapsedNs() / NS_PER_SECOND);
        if (told.restarts()) {
            to.add(Metric.JOB_RESTARTS, look.restarts());
        }
        to.add(Metric.RECORDS_IN, now.recordsIn());
        to.add(Metric.RECORDS_OUT, now.recordsOut());
        to.add(Metric.RECORDS_BAD, now.recordsBad());
        to.add(Metric.RECORDS_LATE, now.recordsLate());
        if (told.calls()) {
            to.add(Metric.WINDOWS_OPEN, now.windowsOpen());
        }
    }

    private void latency(LatencyHistogram latencies) {
        if (latencies.total() > 0) {
            to.addHistogram(
                    Metric.LATENCY,
                    latencies.upToUs().stream().map(us -> us / US_PER_SECOND).toList(),
                    latencies.samples(),
                    latencies.total(),
                    latencies.sumUs() / US_PER_SECOND);
        }
    }

    private void acks(AckStats acks) {
        to.add(Metric.ACKS_PENDING, acks.pending());
        to.add(Metric.ACKS, acks.acked(), "acked");
        to.add(Metric.ACKS, acks.failed(), "failed");
        to.add(Metric.ACKS, acks.timedOut(), "timed_out");
        to.add(Metric.ACKS, acks.givenUp(), "given_up");
        if (acks.complete().samples() > 0) {
            to.add(Metric.ACKS_LATENCY, acks.complete().p50Us() / US_PER_SECOND, "0.5");
            to.add(Metric.ACKS_LATENCY, acks.complete().p90Us() / US_PER_SECOND, "0.9");
            to.add(Metric.ACKS_LATENCY, acks.complete().p99Us() / US_PER_SECOND, "0.99");
            to.add(Metric.ACKS_LATENCY, acks.complete().p999Us() / US_PER_SECOND, "0.999");
        }
    }

    private void checkpoint(@Nullable CheckpointStats newest) {
        if (newest != null) {
            to.add(Metric.CHECKPOINT_NUMBER, newest.number());
            to.add(Metric.CHECKPOINT_TIME, (newest.beganMs() + newest.tookMs()) / MS_PER_SECOND);
            to.add(Metric.CHECKPOINT_DURATION, newest.tookMs() / MS_PER_SECOND);
            to.add(Metric.CHECKPOINT_ALIGNMENT, newest.alignedMs() / MS_PER_SECOND);
            to.add(Metric.CHECKPOINT_PAUSE, newest.pausedMs() / MS_PER_SECOND);
            to.add(
                    Metric.CHECKPOINT_SIZE,
                    newest.states().stream()
                            .mapToLong(CheckpointStats.StateSize::bytes)
                            .sum());
        }
    }

    private void task(TaskStats task) {
        String chain = String.join("+", task.operators());
        String index = Integer.toString(task.index());
        to.add(Metric.TASK_RECORDS_IN, task.recordsIn(), chain, index);
        to.add(Metric.TASK_RECORDS_OUT, task.recordsOut(), chain, index);
        to.add(Metric.TASK_RECORDS_BAD, task.recordsBad(), chain, index);
        to.add(Metric.TASK_RECORDS_LATE, task.recordsLate(), chain, index);
        to.add(Metric.TASK_SECONDS, task.busyNs() / NS_PER_SECOND, chain, index, "busy");
        to.add(Metric.TASK_SECONDS, task.waitingNs() / NS_PER_SECOND, chain, index, "waiting");
        to.add(Metric.TASK_SECONDS, task.heldBackNs() / NS_PER_SECOND, chain, index, "back_pressured");
        if (told.queues()) {
            to.add(Metric.TASK_QUEUE, task.queueDepth(), chain, index);
        }
        if (told.calls()) {
            to.add(Metric.TASK_SLOW_CALLS, task.slowCalls(), chain, index);
            to.add(Metric.TASK_LONGEST_CALL, task.longestCallNs() / NS_PER_SECOND, chain, index);
        }
        if (!task.input().splits().isEmpty()) {
            to.add(Metric.TASK_LAG, task.input().lag(), chain, index);
            to.add(Metric.TASK_BYTES, task.input().bytes(), chain, index);
        }
    }

    private void state(StateStats state) {
        to.add(Metric.STATE_KEYS, state.keys(), state.operator());
        to.add(Metric.STATE_BYTES, state.bytes(), state.operator());
    }

    private void connection(ConnectionStats connection) {
        String operator = connection.operator();
        String system = connection.system();
        to.add(Metric.SYSTEM_LOST, connection.isLost() ? 1 : 0, operator, system);
        to.add(Metric.SYSTEM_LOSSES, connection.timesLost(), operator, system);
        to.add(Metric.SYSTEM_LOST_SECONDS, connection.lostNs() / NS_PER_SECOND, operator, system);
    }

    private void process(ProcessStats process) {
        to.add(Metric.PROCESS_CPU, process.cpuNs() / NS_PER_SECOND);
        to.add(Metric.PROCESS_HEAP, process.heapUsedBytes());
        to.add(Metric.PROCESS_GC, process.gcCount());
        to.add(Metric.PROCESS_GC_SECONDS, process.gcMs() / MS_PER_SECOND);
        to.add(Metric.PROCESS_THREADS, process.threads());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.instance.BuildInfoProvider;
import com.hazelcast.jet.JetService;
import com.hazelcast.jet.Job;
import com.hazelcast.jet.config.EdgeConfig;
import com.hazelcast.jet.config.JobConfig;
import com.hazelcast.jet.config.ProcessingGuarantee;
import com.hazelcast.jet.core.DAG;
import com.hazelcast.jet.core.JobStatus;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Driver;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Runs cells on Hazelcast Jet; its members stay up from cell to cell. */
public final class JetDriver implements Driver {
    private static final long SNAPSHOT_MS = 1_000;

    private static final Duration LONGEST = Duration.ofMinutes(10);

    private @Nullable Members members;

    @Override
    public String version() {
        return BuildInfoProvider.getBuildInfo().getVersion();
    }

    @Override
    public void run(Cell cell) throws Exception {
        checkVariant(cell);
        if (Members.count(cell) > 1 && !cell.options("jet").isEmpty()) {
            throw new IllegalArgumentException(
                    "options of Jet are for cells of one process: its second member is started without");
        }
        if (cell.kills()) {
            killed(cell);
            return;
        }
        Members running = members(cell);
        Job job = start(cell, running);
        if (cell.from().equals("generated")) {
            job.join();
        } else {
            cancelWhenDrained(cell, job);
        }
    }

    /**
     * On members of its own: this JVM's, which runs nothing and keeps a copy of each snapshot, and one that runs everything, which the
     * lab kills and which is replaced when it has ended.
     */
    private void killed(Cell cell) throws Exception {
        close();
        try (Members own = Members.start(cell)) {
            cell.folder().setWorker(own.pidOfWorker());
            Job job = start(cell, own);
            while (true) {
                try {
                    job.getFuture().get(100, TimeUnit.MILLISECONDS);
                    return;
                } catch (TimeoutException e) {
                    own.replaceEndedWorker();
                    if (job.getStatus() == JobStatus.SUSPENDED && own.allAlive()) {
                        job.resume();
                    }
                }
            }
        }
    }

    /** Jet reads Kafka without end. A thread of its own waits: the common pool, which Jet may use too, may have only one. */
    private static void cancelWhenDrained(Cell cell, Job job) throws Exception {
        CompletableFuture<Void> drained = new CompletableFuture<>();
        Thread watch = new Thread(
                () -> {
                    try {
                        cell.folder().awaitDrained(cell, LONGEST);
                        drained.complete(null);
                    } catch (InterruptedException | RuntimeException e) {
                        drained.completeExceptionally(e);
                    }
                },
                "watch");
        watch.setDaemon(true);
        watch.start();
        try {
            CompletableFuture.anyOf(drained, job.getFuture()).get();
        } finally {
            job.cancel();
        }
        try {
            job.join();
        } catch (CancellationException e) {
            // as it was told to
        }
    }

    private static Job start(Cell cell, Members running) {
        JetService jet = running.here().getJet();
        boolean pipeline = cell.variant().equals("pipeline") || cell.variant().equals("default");
        return switch (cell.workload()) {
            case RELAY -> relay(cell, RelayWork.of(cell), pipeline, running);
            case GROUP_BY ->
                pipeline
                        ? jet.newJob(Pipelines.grouped(cell), config(cell))
                        : jet.newJob(sized(Dags.grouped(cell), cell), config(cell));
            case WINDOWS -> jet.newJob(WindowPipelines.of(cell), config(cell));
            case TELECOM -> jet.newJob(sized(Dags.telecom(cell), cell), config(cell));
            case FLATTEN -> jet.newJob(sized(Dags.flattener(cell), cell), config(cell));
            default -> throw new IllegalArgumentException("no workload of Jet: " + cell.workload());
        };
    }

    private static <T> Job relay(Cell cell, RelayWork<T> work, boolean pipeline, Members running) {
        JetService jet = running.here().getJet();
        return pipeline
                ? jet.newJob(Pipelines.relay(cell, work), config(cell))
                : jet.newJob(sized(Dags.relay(cell, work, running.working(cell)), cell), config(cell));
    }

    /** With queues of the size that the cell names; edges of pipelines have that of the member. */
    private static DAG sized(DAG dag, Cell cell) {
        int size = (int) cell.number(Members.QUEUE_SIZE, 0);
        if (size > 0) {
            dag.edgeIterator().forEachRemaining(edge -> edge.setConfig(new EdgeConfig().setQueueSize(size)));
        }
        return dag;
    }

    private static void checkVariant(Cell cell) {
        switch (cell.variant()) {
            case "pipeline", "dag", "default" -> {}
            default -> throw new IllegalArgumentException("Jet has no variant " + cell.variant());
        }
    }

    private static JobConfig config(Cell cell) {
        return new JobConfig()
                .setProcessingGuarantee(
                        switch (cell.guarantee()) {
                            case NONE, ACKED -> ProcessingGuarantee.NONE;
                            case AT_LEAST_ONCE -> ProcessingGuarantee.AT_LEAST_ONCE;
                            case EXACTLY_ONCE -> ProcessingGuarantee.EXACTLY_ONCE;
                        })
                .setSnapshotIntervalMillis(cell.number("checkpoint-ms", SNAPSHOT_MS))
                .setAutoScaling(false);
    }

    /** As many as the cell wants; others, or what is left of them after one has ended, are stopped. */
    private Members members(Cell cell) throws IOException, InterruptedException {
        Members running = members;
        if (running != null && !running.fit(cell)) {
            running.close();
            running = null;
        }
        if (running == null) {
            running = Members.start(cell);
        }
        members = running;
        return running;
    }

    @Override
    public void close() {
        if (members != null) {
            members.close();
            members = null;
        }
    }
}

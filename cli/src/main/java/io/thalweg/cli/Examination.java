// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.PlanInfo;
import io.thalweg.cli.report.Report;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.embedded.JobObserver;
import io.thalweg.doctor.embedded.Profiler;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.whatif.Changes;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.PlainText;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import io.thalweg.run.TemporaryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The doctor beside a job that this process has started: watches it while it runs, and then says what was found. Of one that another
 * engine runs nobody samples threads: he goes by what its tasks tell, and what a cluster of Flink tells. For one thread.
 */
final class Examination implements AutoCloseable {
    private static final String FLINK = "flink";

    private final @Nullable Duration atMost;
    private final List<DiagnosisOutput> outputs;
    private final @Nullable PrintStream people;
    private final @Nullable Changes changes;
    private final Profiler profiler = new Profiler();

    /** Where the flight recorder writes; null for where temporary files are. */
    private @Nullable TemporaryFolder recordings;

    private JobObserver observer = new JobObserver();
    private @Nullable Destination elsewhere;
    private @Nullable FlinkWatch flink;

    /** Records have come: another engine takes seconds to begin. */
    private boolean begun;

    private @Nullable JobStats end;

    /**
     * @param atMost how long the job is watched before it is stopped; null for as long as it runs
     * @param outputs files
     * @param people where the diagnosis is told; null for where the job's results are printed
     * @param changes of which it is said what they would bring; null for none
     */
    Examination(
            @Nullable Duration atMost,
            List<DiagnosisOutput> outputs,
            @Nullable PrintStream people,
            @Nullable Changes changes) {
        this.atMost = atMost;
        this.outputs = List.copyOf(outputs);
        this.people = people;
        this.changes = changes;
    }

    /**
     * Better known before it runs.
     *
     * @throws UsageException if the changes name an operator that the job does not have
     * @throws io.thalweg.api.graph.TopologyException if the job reads or writes one of the files
     */
    void check(TopologyGraph graph) {
        outputs.forEach(output -> output.check(graph));
        check(changes, graph.nodes().stream().map(Node::name).toList());
    }

    /** @throws UsageException if the changes name an operator that the plan does not have */
    static void check(@Nullable Changes changes, PlanInfo plan) {
        check(changes, plan.operators().stream().map(PlanInfo.Operator::name).toList());
    }

    private static void check(@Nullable Changes changes, List<String> operators) {
        try {
            if (changes != null) {
                Changes unused = changes.of(operators);
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException("--what-if: " + e.getMessage());
        }
    }

    /** Says where the job will run; to be called before the other methods if that is not this process's own engine. */
    void on(Destination destination) {
        if (!destination.road().equals(Runners.EMBEDDED)) {
            elsewhere = destination;
            String address = destination.address();
            if (address != null && changes == null && destination.road().name().equals(FLINK)) {
                flink = new FlinkWatch(address); // not where changes name operators: its are whole vertices
            }
        }
    }

    /** Begins to record, and has the engine tell which class runs which operator, and how keys divide the records. */
    RunSettings watching(RunSettings settings) {
        if (elsewhere != null) {
            return settings; // another engine does not tell which operator runs
        }
        recordInOwnFolder();
        profiler.start();
        return settings.withStages(profiler::made)
                .withKeys((from, to, task) -> observer.keys().along(from, to, task)::add);
    }

    /** Of a process that is killed, the next one with a doctor removes it. */
    private void recordInOwnFolder() {
        try {
            TemporaryFolder folder = TemporaryFolder.make("thalweg-doctor-");
            if (profiler.recordIn(folder.path())) {
                recordings = folder;
            } else {
                folder.close();
            }
        } catch (IOException e) {
            return; // the recorder says so itself if it can write nowhere
        }
    }

    /** Called about once a second. */
    void look(RunningJob job) {
        JobStats stats = job.stats();
        if (flink != null) {
            flink.look(job);
        }
        if (elsewhere == null || begun) {
            observer.look(stats, job.restarts(), job.lastFailure(), job.lastCheckpoint());
        } else if (stats.recordsIn() > 0) {
            begun = true;
            observer = beside(elsewhere, JobObserver.ofThreads(stats, job.restarts()));
        }
    }

    /** Of what the tasks of another engine tell, in this process or in others. */
    private static JobObserver beside(Destination there, JobObserver tasks) {
        return there.address() == null ? tasks : tasks.inOtherProcesses();
    }

    /** It watches for a time, and what it sees is all that the job is run for. */
    boolean stopsTheJob() {
        return atMost != null;
    }

    /** True once the job has been watched for long enough. */
    boolean isOver(Duration watched) {
        return atMost != null && watched.compareTo(atMost) >= 0;
    }

    /** Takes a last look, while the job still works if it has not ended. Does nothing if it was called before. */
    void end(RunningJob job) {
        if (end == null) {
            look(job);
            end = job.stats();
            profiler.stop();
            if (elsewhere != null && !observer.hasSeenAnything()) { // it was over soon: all of it, with its beginning
                observer = beside(elsewhere, JobObserver.ofThreads());
                observer.look(end, job.restarts(), job.lastFailure(), job.lastCheckpoint());
            }
        }
    }

    /**
     * Judges what was seen until {@link #end} and tells it, behind the job's results.
     *
     * @param failure that ended the job; null if none did
     * @throws ConnectorException if there was nothing to see, or it cannot be told; also if what the changes would bring cannot be
     *     computed, once all else is told
     */
    void tell(PrintStream results, @Nullable JobFailedException failure) {
        Judgement judged = Judgement.of(observation(failure), changes);
        PrintStream to = people == null ? results : people;
        to.print(PlainText.lines(DiagnosisText.of(judged.diagnosis())));
        to.flush();
        for (DiagnosisOutput output : outputs) {
            output.write(judged.diagnosis());
        }
        judged.sayWhatIsMissing();
    }

    private Observation observation(@Nullable JobFailedException failure) {
        JobStats last = end;
        Observation told = flink == null || last == null ? null : flink.observation(last);
        if (flink != null && flink.problem() != null) {
            Report.standardError()
                    .println("thalweg: the doctor goes by what the job tells, for he cannot observe Flink: "
                            + flink.problem());
        }
        if (told != null) {
            return told;
        }
        if (last == null || !observer.hasSeenAnything()) {
            throw new ConnectorException(
                    elsewhere == null
                            ? "the doctor saw nothing: the job ran for less than a tenth of a second; give it more input"
                            : "the doctor saw nothing: the job told nothing of its records before it ended; give it more input");
        }
        return observer.observation(
                failure == null ? last.state() : JobState.FAILED,
                profiles(),
                failure == null ? null : Failures.oneLine(failure));
    }

    private List<OperatorProfile> profiles() {
        if (elsewhere != null) {
            return List.of();
        }
        try {
            return profiler.profiles();
        } catch (IOException e) {
            throw new ConnectorException("the doctor's recording cannot be written or read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        profiler.close();
        if (recordings != null) {
            recordings.close();
        }
    }
}

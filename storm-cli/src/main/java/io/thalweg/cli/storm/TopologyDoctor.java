// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.cli.DiagnosisOutput;
import io.thalweg.cli.report.Report;
import io.thalweg.cli.storm.doctor.RunObserver;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.PlainText;
import io.thalweg.stormlocal.Submissions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The doctor beside the topologies that a main has submitted: watches each while it works, and then says what was found. For one thread. */
final class TopologyDoctor implements AutoCloseable {
    private static final long SECOND_NS = 1_000_000_000;

    private final Clock clock;
    private final List<DiagnosisOutput> outputs;
    private final Map<Submissions.Submitted, RunObserver> observers = new LinkedHashMap<>();

    private final Set<Submissions.Submitted> refused = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private final ExecutorSamples samples = new ExecutorSamples();

    private long lookedNs;

    /** @param outputs files */
    TopologyDoctor(Clock clock, List<DiagnosisOutput> outputs) {
        this.clock = clock;
        this.outputs = List.copyOf(outputs);
        lookedNs = clock.nowNs();
    }

    /**
     * Begins to sample threads.
     *
     * @param folder for what is recorded meanwhile; it is made
     */
    ExecutorSamples begin(Path folder) throws IOException {
        samples.begin(folder);
        return samples;
    }

    /** Looks at those that work, if a second has passed since; to be called more often than that. */
    void look(List<Submissions.Submitted> topologies) {
        long nowNs = clock.nowNs();
        topologies.forEach(this::observe);
        if (nowNs - lookedNs >= SECOND_NS) {
            lookedNs = nowNs;
            lookAt(topologies);
        }
    }

    /** Takes a last look, before they are stopped. */
    void end(List<Submissions.Submitted> topologies) {
        lookAt(topologies);
        samples.end();
    }

    private void lookAt(List<Submissions.Submitted> topologies) {
        for (Submissions.Submitted each : topologies) {
            observe(each);
            RunObserver observer = observers.get(each);
            boolean over = each.killed() || each.ended();
            if (observer != null && !(over && observer.hasSeenAnything())) {
                observer.look();
            }
        }
    }

    private void observe(Submissions.Submitted its) {
        if (observers.containsKey(its) || refused.contains(its)) {
            return;
        }
        try {
            observers.put(its, new RunObserver(its.run(), its.topology(), its.conf(), clock));
        } catch (IOException e) {
            refused.add(its);
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    /** Says what was found, to standard error; false if something could not be. */
    boolean tell() {
        PrintStream people = Report.standardError();
        List<String> told = new ArrayList<>();
        observers.forEach((its, observer) -> {
            String failure = failure(its);
            if (!observer.hasSeenAnything()) {
                problems.add("the doctor saw nothing of topology '" + its.name()
                        + "': it ran for less than a tenth of a second");
                return;
            }
            Diagnosis diagnosis = Doctor.diagnose(observer.observation(failure, samplesOf(its)));
            people.print(PlainText.lines(DiagnosisText.of(diagnosis)));
            if (told.isEmpty()) {
                outputs.forEach(output -> write(output, diagnosis));
            }
            told.add(its.name());
        });
        if (told.size() > 1) {
            outputs.forEach(output -> problems.add(output.option() + " is of one topology, '" + told.get(0)
                    + "', and not of "
                    + told.stream().skip(1).map(name -> "'" + name + "'").collect(Collectors.joining(", "))));
        }
        people.flush();
        problems.forEach(problem -> people.println("thalweg: " + PlainText.line(problem)));
        return problems.isEmpty();
    }

    /** Without those that cannot be read, it goes by what was counted. */
    private List<OperatorProfile> samplesOf(Submissions.Submitted its) {
        try {
            return samples.of(its.run());
        } catch (IOException e) {
            problems.add("the doctor's recording cannot be written or read: " + e.getMessage());
            return List.of();
        }
    }

    @Override
    public void close() {
        samples.close();
    }

    private void write(DiagnosisOutput output, Diagnosis diagnosis) {
        try {
            output.write(diagnosis);
        } catch (ConnectorException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable String failure(Submissions.Submitted its) {
        try {
            boolean unused = its.run().await(Duration.ZERO);
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (JobFailedException e) {
            return PlainText.line(String.valueOf(e.getMessage()));
        }
    }
}

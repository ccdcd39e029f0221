// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.doctor.embedded.JobObserver;
import io.thalweg.doctor.embedded.Profiler;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Runs a job for a few seconds and observes it, as the command line does. */
public final class PlantedRun {
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int LOOKS = 12;

    private PlantedRun() {}

    /** In a JVM of its own, as a user's job: runs the job of this name, and writes what it observed to a file. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[2]);
        Observation observed = of(GainJobs.any(arguments[0]), folder);
        Files.writeString(Path.of(arguments[1]), RecordJson.line(observed) + "\n");
        System.exit(0); // a job that stands still may keep a thread
    }

    /** @param folder for checkpoints, which is empty */
    private static Observation of(PlantedJob planted, Path folder) throws Exception {
        try (Profiler profiler = new Profiler()) {
            profiler.start();
            JobObserver observer = new JobObserver();
            RunSettings settings = planted.settings()
                    .apply(
                            RunSettings.defaults()
                                    .withParallelism(2)
                                    .withThreads(Integer.getInteger("thalweg.threads", 2)),
                            folder)
                    .withStages(profiler::made)
                    .withKeys((from, to, task) -> observer.keys().along(from, to, task)::add);
            RunningJob job = new EmbeddedRunner(settings).start(planted.graph().get());
            boolean ended = false;
            for (int i = 0; i < LOOKS && !ended; i++) {
                ended = job.await(LOOK);
                look(observer, job);
            }
            var state = job.stats().state();
            Observation observed = observer.observation(state, profiler.profiles(), null);
            job.cancel();
            job.await();
            return observed;
        }
    }

    private static void look(JobObserver observer, RunningJob job) {
        observer.look(job.stats(), job.restarts(), job.lastFailure(), job.lastCheckpoint());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.stats.JobStats;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.files.DeadLetterFile;
import io.thalweg.job.JobLoader;
import io.thalweg.job.LoadedJob;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Meters;
import io.thalweg.run.BadLimit;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;

/** A user's own topology, run until its input ends, in the same way as by {@code thalweg run}. */
final class UserTopology {
    private UserTopology() {}

    static void run(Cell cell) throws Exception {
        String type = cell.text("class", "");
        LoadedJob loaded = new JobLoader(null).load(Path.of(cell.jar()), type.isEmpty() ? null : type);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loaded.loader());
        try (DeadLetterFile letters = new DeadLetterFile(cell.folder().path().resolve("dead-letters.jsonl"))) {
            Job job = new EmbeddedRunner(
                            RunSettings.defaults().withBadLimit(BadLimit.none()).withBadRecords(letters::accept))
                    .start(loaded.define(cell.set()));
            Meters.of(cell).countBy(() -> counts(job.stats()));
            job.await();
        } catch (JobFailedException e) {
            throw told(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Meters.Counts counts(JobStats stats) {
        return new Meters.Counts(stats.recordsIn(), stats.recordsOut());
    }

    /** The engine's message names the operator and the record, which the deepest cause does not. */
    private static IllegalStateException told(JobFailedException failure) {
        IllegalStateException told = new IllegalStateException(failure.getMessage());
        told.addSuppressed(failure);
        return told;
    }
}

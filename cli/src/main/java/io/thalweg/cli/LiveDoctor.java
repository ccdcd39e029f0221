// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.embedded.JobObserver;
import io.thalweg.doctor.finding.Bound;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.observation.Span;
import io.thalweg.web.page.Judgement;
import io.thalweg.web.watch.JobSample;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The doctor of a job of this process that shows a page. It judges the last minute or two, from the statistics that the page shows
 * anyway: nothing more is measured. One thread looks and judges, any thread may ask for the newest judgement.
 */
final class LiveDoctor {
    /** Looks between two judgements: about as many seconds. */
    private static final int LOOKS = 5;

    /** What is judged covers so many looks, and twice as many at most: what was wrong long ago is not wrong now. */
    private static final int LOOKS_OF_WINDOW = 60;

    /** As the page reads it. */
    private record Said(
            double seconds,
            @Nullable Bound bound,
            List<Finding> findings,
            @Nullable String problem) {}

    private JobObserver older = new JobObserver();
    private @Nullable JobObserver newer;
    private int looks;
    private int looksUnjudged = LOOKS;
    private volatile Judgement said = Judgement.NONE;

    /** Called about once a second. */
    void look(JobSample now) {
        JobStats stats = now.stats();
        looks++;
        looksUnjudged++;
        if (looks % LOOKS_OF_WINDOW == 0) {
            JobObserver next = newer;
            older = next == null ? older : next;
            newer = new JobObserver(stats, now.restarts());
        }
        look(older, now, stats);
        JobObserver next = newer;
        if (next != null) {
            look(next, now, stats);
        }
    }

    private static void look(JobObserver observer, JobSample now, JobStats stats) {
        @Nullable CheckpointStats checkpoint = now.checkpoint();
        observer.look(stats, now.restarts(), now.lastFailure(), checkpoint);
    }

    /** Judges what was seen, unless it did so a few looks ago. */
    void judge(JobSample now) {
        if (looksUnjudged < LOOKS && !now.over()) {
            return;
        }
        looksUnjudged = 0;
        Said newest = said(now);
        if (newest != null) {
            said = new Judgement(said.number() + 1, RecordJson.line(newest));
        }
    }

    private @Nullable Said said(JobSample now) {
        if (!older.hasSeenAnything()) {
            return null;
        }
        JobState state = now.stats().state();
        try {
            Diagnosis diagnosis = Doctor.diagnose(older.observation(state, List.of(), null));
            List<Span> spans = diagnosis.observation().spans();
            double seconds = (spans.get(spans.size() - 1).toNs() - spans.get(0).fromNs()) / 1e9;
            return new Said(seconds, diagnosis.bound(), diagnosis.findings(), null);
        } catch (RuntimeException e) { // a mistake of the doctor's must not end the job
            return new Said(0, null, List.of(), "the doctor cannot judge this job: " + Failures.oneLine(e));
        }
    }

    /** The newest judgement. */
    Judgement newest() {
        return said;
    }
}

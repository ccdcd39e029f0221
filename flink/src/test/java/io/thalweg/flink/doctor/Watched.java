// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.doctor;

import io.thalweg.doctor.flink.FlinkJob;
import io.thalweg.doctor.flink.FlinkObserver;
import io.thalweg.doctor.observation.Observation;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Watches a job as the command line does. */
final class Watched {
    private Watched() {}

    /** @param looks how many, a second apart */
    static Observation of(NativeFlink flink, String job, int looks) throws Exception {
        return of(flink, job, looks, true);
    }

    /** @param starts all of its tasks run some time */
    static Observation of(NativeFlink flink, String job, int looks, boolean starts) throws Exception {
        FlinkObserver observer = new FlinkObserver(flink.rest(), FlinkJob.find(flink.rest(), job));
        CountDownLatch never = new CountDownLatch(1);
        boolean running = true;
        for (int i = 0; running && (i < looks || (starts && !observer.hasSeenAnything())); i++) {
            running = !never.await(1, TimeUnit.SECONDS) && observer.look();
        }
        return observer.observation();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.JobFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Storm's LocalCluster in this JVM: one for each job that runs at a time, kept a moment for the next. */
final class LocalPlace implements Place {
    /** Storm interrupts a task that it closes; none needs long after that. */
    private static final long CLOSING_MS = 10_000;

    private final int workers;

    LocalPlace(int workers) {
        this.workers = workers;
    }

    @Override
    public boolean local() {
        return true;
    }

    @Override
    public int workers(int tasks) {
        return workers;
    }

    @Override
    public Running submit(String name, String job, HostedOrders first, Map<String, Object> config, Topology topology) {
        LocalDesk desk = new LocalDesk(job, first);
        LocalStorm storm;
        try {
            storm = LocalStorm.take();
        } catch (Exception e) {
            desk.forget();
            throw new JobFailedException("Storm's LocalCluster does not start: " + e, e);
        }
        try {
            storm.submit(name, config, topology.make());
            return new InJvm(desk, storm, name);
        } catch (Exception e) {
            desk.forget();
            storm.discard();
            if (e instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw new JobFailedException("Storm refused topology '" + name + "': " + e, e);
        }
    }

    private record InJvm(LocalDesk desk, LocalStorm storm, String name) implements Running {
        @Override
        public List<Note> hear(Duration atMost) throws InterruptedException {
            Note first = desk.notes().poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
            if (first == null) {
                return List.of();
            }
            List<Note> notes = new ArrayList<>();
            notes.add(first);
            desk.notes().drainTo(notes);
            return notes;
        }

        @Override
        public void cancel() {
            desk.cancel();
        }

        @Override
        public void end() throws InterruptedException {
            boolean killed = storm.kill(name);
            try {
                if (killed) {
                    desk.awaitLeft(CLOSING_MS);
                }
            } finally {
                desk.forget();
                if (killed) {
                    storm.leave();
                } else {
                    storm.discard();
                }
            }
        }
    }
}

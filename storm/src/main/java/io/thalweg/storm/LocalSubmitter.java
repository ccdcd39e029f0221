// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedOrders;
import io.thalweg.run.JobFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Submits to a LocalCluster in this JVM; each running job has its own, which is kept for a while for the next job. */
final class LocalSubmitter implements Submitter {
    /** How long to wait for tasks to close; Storm interrupts them. */
    private static final long CLOSING_MS = 10_000;

    private final int workers;

    LocalSubmitter(int workers) {
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
        LocalControlChannel channel =
                new LocalControlChannel(job, topology.graph().name(), first);
        PooledLocalCluster storm;
        try {
            storm = PooledLocalCluster.take();
        } catch (Exception e) {
            channel.forget();
            throw new JobFailedException("Storm's LocalCluster does not start: " + e, e);
        }
        try {
            storm.submit(name, config, topology.make());
            return new InJvm(channel, storm, name);
        } catch (Exception e) {
            channel.forget();
            storm.discard();
            if (e instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw new JobFailedException("Storm refused topology '" + name + "': " + e, e);
        }
    }

    private record InJvm(LocalControlChannel channel, PooledLocalCluster storm, String name) implements Running {
        @Override
        public List<ControlMessage> receive(Duration atMost) throws InterruptedException {
            ControlMessage first = channel.messages().poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
            if (first == null) {
                return List.of();
            }
            List<ControlMessage> messages = new ArrayList<>();
            messages.add(first);
            channel.messages().drainTo(messages);
            return messages;
        }

        @Override
        public @Nullable TopologyStatus standing() {
            return null;
        }

        @Override
        public void cancel() {
            channel.cancel();
        }

        @Override
        public boolean lingers() {
            return channel.lingers();
        }

        @Override
        public void end() throws InterruptedException {
            channel.beginEnd();
            boolean killed = storm.kill(name);
            try {
                if (killed) {
                    channel.awaitLeft(CLOSING_MS);
                    storm.awaitReleased(name);
                }
            } finally {
                channel.forget();
                if (killed) {
                    storm.leave();
                } else {
                    storm.discard();
                }
            }
        }
    }
}

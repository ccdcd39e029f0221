// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jstorm;

import backtype.storm.messaging.IConnection;
import backtype.storm.messaging.IContext;
import backtype.storm.messaging.TaskMessage;
import backtype.storm.utils.DisruptorQueue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jboss.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * For a single worker, whose tasks hand tuples to each other without the network: JStorm's own context would listen on every
 * interface. What a task sends before it knows that the other one is beside it takes this way, from queue to queue.
 */
final class NoNetwork implements IContext {
    private static final long PAUSE_NS = 1_000_000;

    private volatile @Nullable Itself worker;

    @Override
    public void prepare(@SuppressWarnings("rawtypes") Map conf) {
        // nothing to prepare
    }

    @Override
    public void term() {
        // nothing to end
    }

    @Override
    public IConnection bind(
            String topology,
            int port,
            ConcurrentHashMap<Integer, DisruptorQueue> queues,
            DisruptorQueue control,
            boolean start,
            Set<Integer> tasks) {
        Itself bound = new Itself(queues, control);
        worker = bound;
        return bound;
    }

    @Override
    public IConnection connect(String topology, String host, int port) {
        Itself bound = worker;
        if (bound == null) {
            throw new IllegalStateException("the worker at " + host + ":" + port + " has not started");
        }
        return bound;
    }

    /** Both ends of the worker's connection to itself. */
    private static final class Itself implements IConnection {
        private final ConcurrentHashMap<Integer, DisruptorQueue> queues;
        private final DisruptorQueue control;
        private volatile boolean closed;

        Itself(ConcurrentHashMap<Integer, DisruptorQueue> queues, DisruptorQueue control) {
            this.queues = queues;
            this.control = control;
        }

        @Override
        public void send(TaskMessage message) {
            if (message.get_type() != TaskMessage.NORMAL_MESSAGE) {
                control.publish(message);
                return;
            }
            DisruptorQueue queue = queues.get(message.task());
            while (queue == null && !closed && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(PAUSE_NS); // the task is about to begin
                queue = queues.get(message.task());
            }
            if (queue != null) {
                queue.publish(message.message());
            }
        }

        @Override
        public void send(List<TaskMessage> messages) {
            messages.forEach(this::send);
        }

        @Override
        public void enqueue(TaskMessage message, Channel channel) {
            send(message);
        }

        @Override
        public @Nullable Object recv(Integer task, int flags) {
            return null; // what is sent goes into the queues at once
        }

        @Override
        public void registerQueue(Integer task, DisruptorQueue queue) {
            queues.put(task, queue);
        }

        @Override
        public boolean available() {
            return !closed;
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }
    }
}

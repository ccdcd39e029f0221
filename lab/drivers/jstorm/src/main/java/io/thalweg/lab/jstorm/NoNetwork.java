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
import org.jboss.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** For a single worker, whose tasks never go through the network: JStorm's own would listen on every interface. */
final class NoNetwork implements IContext {
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
        return new Nowhere();
    }

    @Override
    public IConnection connect(String topology, String host, int port) {
        return new Nowhere(); // the worker's connection to itself, which its tasks do not use
    }

    /** Nobody sends to it. */
    private static final class Nowhere implements IConnection {
        private boolean closed;

        @Override
        public @Nullable Object recv(Integer task, int flags) {
            return null;
        }

        @Override
        public void registerQueue(Integer task, DisruptorQueue queue) {
            // nothing will come for it
        }

        @Override
        public void enqueue(TaskMessage message, Channel channel) {
            throw new IllegalStateException("there is only one worker");
        }

        @Override
        public void send(List<TaskMessage> messages) {
            throw new IllegalStateException("there is only one worker");
        }

        @Override
        public void send(TaskMessage message) {
            throw new IllegalStateException("there is only one worker");
        }

        @Override
        public boolean available() {
            return true;
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

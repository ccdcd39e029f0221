// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedOrders;

/** Carries orders from the watch bolt to the tasks, and messages between the watch bolt and the client that started the job. */
interface ControlChannel extends AutoCloseable {
    /** The newest orders, possibly with a short delay. Cheap: sources poll it all the time. */
    HostedOrders orders();

    void post(HostedOrders orders);

    /** True if an earlier watch bolt, which died, has posted orders. */
    boolean begunBefore();

    /** Removes what attempts of the job have left that nobody can be part of any more. For the watch bolt. */
    default void clean() {}

    /** Sends a message to the client that started the job, perhaps a moment later, together with others. */
    void send(ControlMessage message);

    /** True if the client asked the job to stop. */
    boolean cancelled();

    /** The class loader of the job. */
    ClassLoader loader();

    /** The thread of a task that is closed has not come back from a call yet, and may still write. */
    default void lingers(Thread thread) {}

    @Override
    void close();

    /** Opens the channel of a job in one of its tasks. */
    static ControlChannel of(JobDescriptor descriptor, java.util.Map<String, Object> conf) {
        return descriptor.local()
                ? LocalControlChannel.find(descriptor.job())
                : new ClusterControlChannel(descriptor, conf);
    }
}

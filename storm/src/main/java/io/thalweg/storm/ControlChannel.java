// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedOrders;

/** Carries orders from the watch bolt to the tasks, and messages between the watch bolt and the client that started the job. */
interface ControlChannel extends AutoCloseable {
    /** The newest orders, perhaps a moment old. Cheap: sources poll it all the time. */
    HostedOrders orders();

    void post(HostedOrders orders);

    /** Orders were given before this channel was opened: by an earlier watch bolt, which died. */
    boolean begunBefore();

    /** Sends a message to the client that started the job. */
    void tell(ControlMessage message);

    /** The client asked the job to stop. */
    boolean cancelled();

    /** Finds the job's classes. */
    ClassLoader loader();

    @Override
    void close();

    /** The channel of a job, as its tasks reach it. */
    static ControlChannel of(JobDescriptor descriptor, java.util.Map<String, Object> conf) {
        return descriptor.local()
                ? LocalControlChannel.find(descriptor.job())
                : new ClusterControlChannel(descriptor, conf);
    }
}

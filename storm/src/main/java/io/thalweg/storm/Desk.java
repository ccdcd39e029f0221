// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedOrders;

/** Where tasks read what is ordered, and where the bolt that watches over the job meets whoever started it. */
interface Desk extends AutoCloseable {
    /** The newest orders, or some that were new a moment ago. Cheap: sources ask all the time. */
    HostedOrders orders();

    void post(HostedOrders orders);

    /** Orders were given before this desk was opened: by one that watched, and is gone. */
    boolean begunBefore();

    /** To whoever started the job. */
    void tell(Note note);

    /** Whoever started the job wants it to stop. */
    boolean cancelled();

    /** Finds the job's classes. */
    ClassLoader loader();

    @Override
    void close();

    /** The one of a job, as its tasks reach it. */
    static Desk of(Cargo cargo, java.util.Map<String, Object> conf) {
        return cargo.local() ? LocalDesk.find(cargo.job()) : new ClusterDesk(cargo, conf);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * Where a source, a sink or a lookup tells that it lost the system that it talks to, and that it has it back. The loss is
 * counted ({@link io.thalweg.api.stats.ConnectionStats}), shown in the progress of the job, and told to the user in one
 * line. It does not fail the job: the connector waits and tries again by itself. Any thread may call, also while the task
 * waits.
 */
public interface ConnectionReports {
    /**
     * The system is not available. Nothing happens if it has been lost already.
     *
     * @param system in a few words, with its address and without secrets: {@code Kafka at 127.0.0.1:9092}; the same each
     *     time
     * @param reason why, in one line, without secrets
     */
    void lost(String system, String reason);

    /** The system is available again. Nothing happens if it was not lost, so it may be called after each success. */
    void restored(String system);

    /** The engine's clock, in nanoseconds from an arbitrary origin, to tell how long a system is away; it stands still outside a job. */
    default long nowNs() {
        return 0;
    }

    /** For connectors outside a job: nobody hears. */
    static ConnectionReports none() {
        return new ConnectionReports() {
            @Override
            public void lost(String system, String reason) {
                // nobody asks
            }

            @Override
            public void restored(String system) {
                // nobody asks
            }
        };
    }
}

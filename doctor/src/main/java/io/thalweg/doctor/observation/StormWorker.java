// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.observation;

/**
 * A worker process of a topology of Storm.
 *
 * @param host that it runs on
 * @param port its name there
 * @param executors how many run in it, ackers included
 * @param uptimeSeconds since it was started, when it last told; 0 if it has told nothing
 */
public record StormWorker(String host, int port, int executors, long uptimeSeconds) {
    /** {@code host:port}. */
    public String name() {
        return host + ":" + port;
    }
}

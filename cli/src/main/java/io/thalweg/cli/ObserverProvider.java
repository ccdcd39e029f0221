// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.doctor.observation.Observation;
import java.time.Duration;
import java.util.Map;

/**
 * Lets {@code thalweg doctor NAME=ADDRESS} watch something that runs elsewhere, with a client that not everybody needs; found by {@link
 * java.util.ServiceLoader}.
 */
public interface ObserverProvider {
    /** {@code kafka}. */
    String name();

    /** What comes behind the name, for messages: {@code HOST:PORT/GROUP}. */
    String address();

    /**
     * Watches it, and changes nothing.
     *
     * @param address as it was given
     * @param settings as {@code --set} gave them
     * @param atMost how long
     * @throws UsageException if the address or a setting cannot be one
     * @throws io.thalweg.api.connector.ConnectorException if it cannot be watched; the message is one line
     */
    Observation observe(String address, Map<String, String> settings, Duration atMost) throws InterruptedException;
}

// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.util.Map;

/** How topics are read: by Kafka's own consumer in each engine, with the same settings in all of them. */
public final class TopicConsumer {
    /**
     * What brings most here, broker and consumer on one machine: buffers as large as a fetch, more records for each poll, no checksum
     * computed again of what came over loopback.
     */
    public static final Map<String, String> SETTINGS =
            Map.of("receive.buffer.bytes", "2097152", "max.poll.records", "5000", "check.crcs", "false");

    private TopicConsumer() {}
}

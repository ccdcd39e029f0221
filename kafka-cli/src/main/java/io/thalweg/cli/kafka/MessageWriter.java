// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Writes a message for people or for programs. */
interface MessageWriter {
    void write(ConsumerRecord<byte[], byte[]> message, OutputStream out) throws IOException;
}

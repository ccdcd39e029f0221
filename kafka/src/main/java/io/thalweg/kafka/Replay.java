// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What a checkpoint needs to have the messages of one transaction sent again, if it is not committed when its producer dies. */
interface Replay {
    /** Adds a message that is about to be sent. */
    void add(ProducerRecord<byte[], byte[]> message);

    /** Nothing more comes. Waits for what must be known of the messages before a checkpoint can do without them. */
    default void complete(Sender sender, SinkSettings sink) throws InterruptedException {}

    /** True if the topic has the messages, and the checkpoint only where. */
    boolean inTopic();

    /** How many bytes {@link #parts} has. */
    int size();

    /** For a checkpoint, behind their {@link #size}; valid until {@link #recycle}. Nothing may be added any more. */
    List<ByteBuffer> parts();

    /** Sends the messages, to the topic to which they were sent before. */
    void sendTo(Sender sender, SinkSettings sink) throws InterruptedException;

    /** Nobody reads it any more. */
    default void recycle() {}
}

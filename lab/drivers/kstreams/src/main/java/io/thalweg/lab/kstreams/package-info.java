// SPDX-License-Identifier: Apache-2.0
/** The lab's relays on Kafka Streams, which reads and keeps everything in Kafka. */
@NullMarked
package io.thalweg.lab.kstreams;

import org.jspecify.annotations.NullMarked;

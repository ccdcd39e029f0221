// SPDX-License-Identifier: Apache-2.0
/**
 * Kafka under test: brokers in processes of their own, producers and consumers in this one, in the loops of Kafka's own
 * performance tools. Record n of a topic that is filled stands in partition n modulo the partitions, in order, so that a reader
 * knows what must stand at each offset.
 */
@NullMarked
package io.thalweg.lab.kafka;

import org.jspecify.annotations.NullMarked;

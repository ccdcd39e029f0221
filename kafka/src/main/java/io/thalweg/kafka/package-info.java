// SPDX-License-Identifier: Apache-2.0
/** Topics of Apache Kafka, in and out. {@link io.thalweg.kafka.Kafka} is where to begin. */
@NullMarked
package io.thalweg.kafka;

import org.jspecify.annotations.NullMarked;

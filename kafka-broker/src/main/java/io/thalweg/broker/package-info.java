// SPDX-License-Identifier: Apache-2.0
/** A Kafka broker in a process of its own, for trying and for tests. What only starts it needs none of Kafka's classes. */
@NullMarked
package io.thalweg.broker;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Jobs on Kafka beside Kafka's own performance tools and other engines, in turn, each in a warm JVM of its own. */
@NullMarked
package io.thalweg.lab.topics;

import org.jspecify.annotations.NullMarked;

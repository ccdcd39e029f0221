// SPDX-License-Identifier: Apache-2.0
/** The lab's cells on Apache Storm, written as its users write topologies: spouts, bolts, groupings, acks, ticks, multilang. */
@NullMarked
package io.thalweg.lab.storm;

import org.jspecify.annotations.NullMarked;

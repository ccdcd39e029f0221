// SPDX-License-Identifier: Apache-2.0
/**
 * Runs topologies that were written for Apache Storm, unchanged, without a cluster: {@link io.thalweg.stormdoor.StormDoor}
 * translates one into a graph. Each executor of a spout or bolt is a task with a thread of its own; groupings, windows and
 * state are Storm's own classes; tuple trees are tracked here.
 */
@NullMarked
package io.thalweg.stormdoor;

import org.jspecify.annotations.NullMarked;

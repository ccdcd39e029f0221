// SPDX-License-Identifier: Apache-2.0
/** Station 0 of 5: a graph becomes fused chains, and these become tasks and queues. Before: the graph. After: tasks on workers. */
@NullMarked
package io.thalweg.engine.plan;

import org.jspecify.annotations.NullMarked;

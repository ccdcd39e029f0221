// SPDX-License-Identifier: Apache-2.0
/**
 * Station 4 of 5: batches from one task to one other. Before: route. After: the next chain. If a queue is full, its
 * producer tries again in a later turn.
 */
@NullMarked
package io.thalweg.engine.queue;

import org.jspecify.annotations.NullMarked;

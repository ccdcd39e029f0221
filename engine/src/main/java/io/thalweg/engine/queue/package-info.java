// SPDX-License-Identifier: Apache-2.0
/** Station 4 of 5: batches from one task to one other. Before: route. After: the next chain. Full means: not now. */
@NullMarked
package io.thalweg.engine.queue;

import org.jspecify.annotations.NullMarked;

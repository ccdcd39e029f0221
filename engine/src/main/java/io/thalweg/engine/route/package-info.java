// SPDX-License-Identifier: Apache-2.0
/** Station 3 of 5: a record is routed to a queue. Before: the end of a chain. After: the queue of the chosen task. */
@NullMarked
package io.thalweg.engine.route;

import org.jspecify.annotations.NullMarked;

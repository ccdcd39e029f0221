// SPDX-License-Identifier: Apache-2.0
/** Counters that one thread writes and any may read. */
@NullMarked
package io.thalweg.engine.stats;

import org.jspecify.annotations.NullMarked;

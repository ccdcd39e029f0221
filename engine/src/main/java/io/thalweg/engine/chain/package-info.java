// SPDX-License-Identifier: Apache-2.0
/** Station 2 of 5: a record passes fused operators by plain calls. Before: a source or a queue. After: route or a sink. */
@NullMarked
package io.thalweg.engine.chain;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Station 1 of 5: a record is read. Polls splits, gives records their event time and stamp. After: the chain. */
@NullMarked
package io.thalweg.engine.source;

import org.jspecify.annotations.NullMarked;

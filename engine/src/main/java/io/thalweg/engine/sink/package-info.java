// SPDX-License-Identifier: Apache-2.0
/** Station 5 of 5: a record is written. Before: the chain. After: files and other systems. */
@NullMarked
package io.thalweg.engine.sink;

import org.jspecify.annotations.NullMarked;

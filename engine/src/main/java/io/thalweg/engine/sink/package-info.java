// SPDX-License-Identifier: Apache-2.0
/** Station 5 of 5: a record goes out. Before: the chain. After: the world. */
@NullMarked
package io.thalweg.engine.sink;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Who runs: tasks take turns on workers, idle workers wait, one clock. */
@NullMarked
package io.thalweg.engine.work;

import org.jspecify.annotations.NullMarked;

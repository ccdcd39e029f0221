// SPDX-License-Identifier: Apache-2.0
/** Who runs: tasks take turns on workers, idle workers wait. */
@NullMarked
package io.thalweg.engine.work;

import org.jspecify.annotations.NullMarked;

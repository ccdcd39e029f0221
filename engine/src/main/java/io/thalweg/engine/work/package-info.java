// SPDX-License-Identifier: Apache-2.0
/** Scheduling: tasks take turns on workers, and idle workers wait. */
@NullMarked
package io.thalweg.engine.work;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Checkpoints: barriers, the state of tasks, files, restoring. */
@NullMarked
package io.thalweg.engine.checkpoint;

import org.jspecify.annotations.NullMarked;

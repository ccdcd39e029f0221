// SPDX-License-Identifier: Apache-2.0
/** What a job needs to go on where it was: barriers, snapshots of tasks, files of them, restoring. */
@NullMarked
package io.thalweg.engine.checkpoint;

import org.jspecify.annotations.NullMarked;

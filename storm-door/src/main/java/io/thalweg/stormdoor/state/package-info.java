// SPDX-License-Identifier: Apache-2.0
/** State of stateful bolts in files, committed by Storm's own checkpoints. */
@NullMarked
package io.thalweg.stormdoor.state;

import org.jspecify.annotations.NullMarked;

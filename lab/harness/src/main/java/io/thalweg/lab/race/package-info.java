// SPDX-License-Identifier: Apache-2.0
/** A user's own job on several engines, side by side: who is faster, beyond doubt. */
@NullMarked
package io.thalweg.lab.race;

import org.jspecify.annotations.NullMarked;

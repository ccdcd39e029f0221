// SPDX-License-Identifier: Apache-2.0
/** Runs cells: each engine's driver in JVMs of its own, interleaved, watched, checked. */
@NullMarked
package io.thalweg.lab.run;

import org.jspecify.annotations.NullMarked;

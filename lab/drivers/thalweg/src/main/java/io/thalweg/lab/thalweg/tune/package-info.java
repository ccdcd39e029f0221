// SPDX-License-Identifier: Apache-2.0
/** A job that {@code lab/tune/sweep.py} tunes. */
@NullMarked
package io.thalweg.lab.thalweg.tune;

import org.jspecify.annotations.NullMarked;

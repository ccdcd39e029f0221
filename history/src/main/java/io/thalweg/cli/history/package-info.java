// SPDX-License-Identifier: Apache-2.0
/** Keeps what was measured of runs in one file. */
@NullMarked
package io.thalweg.cli.history;

import org.jspecify.annotations.NullMarked;

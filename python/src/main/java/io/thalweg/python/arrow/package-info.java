// SPDX-License-Identifier: Apache-2.0
/** Rows as record batches of Apache Arrow, in its IPC format: as much of it as rows need. */
@NullMarked
package io.thalweg.python.arrow;

import org.jspecify.annotations.NullMarked;

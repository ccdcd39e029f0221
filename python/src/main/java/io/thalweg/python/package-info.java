// SPDX-License-Identifier: Apache-2.0
/** Operators written in Python: each task runs them in processes of its own. */
@NullMarked
package io.thalweg.python;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Text for a child process, as UTF-8 that has all of it. */
@NullMarked
package io.thalweg.python.text;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** From a path to lines: which files it means, opening them, gzip, and the search for line ends. */
@NullMarked
package io.thalweg.files.input;

import org.jspecify.annotations.NullMarked;

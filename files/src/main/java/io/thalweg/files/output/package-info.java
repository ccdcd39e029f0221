// SPDX-License-Identifier: Apache-2.0
/** From rows to files: what a path of an output means, text into bytes, and files that appear whole or not at all. */
@NullMarked
package io.thalweg.files.output;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Studies: what their YAML says, and the cells that come of it. */
@NullMarked
package io.thalweg.lab.study;

import org.jspecify.annotations.NullMarked;

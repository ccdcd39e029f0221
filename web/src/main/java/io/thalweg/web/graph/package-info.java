// SPDX-License-Identifier: Apache-2.0
/** Where the parts of a graph stand when it is drawn. */
@NullMarked
package io.thalweg.web.graph;

import org.jspecify.annotations.NullMarked;

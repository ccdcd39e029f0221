// SPDX-License-Identifier: Apache-2.0
/** The immutable graph of a topology: the one thing that every road reads. */
@NullMarked
package io.thalweg.api.graph;

import org.jspecify.annotations.NullMarked;

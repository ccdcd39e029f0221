// SPDX-License-Identifier: Apache-2.0
/**
 * The immutable graph of a topology, which every runner reads, and what runners share. Users of the fluent API do not
 * need this package; other front ends build graphs with {@link io.thalweg.api.graph.GraphBuilder}.
 */
@NullMarked
package io.thalweg.api.graph;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The immutable graph of a topology, which every runner reads, and what runners share. Users do not need this package.
 */
@NullMarked
package io.thalweg.api.graph;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Topologies by chance, for holding a road against {@link io.thalweg.testkit.oracle the oracle}: see
 * {@link io.thalweg.testkit.random.RandomTopology}.
 */
@NullMarked
package io.thalweg.testkit.random;

import org.jspecify.annotations.NullMarked;

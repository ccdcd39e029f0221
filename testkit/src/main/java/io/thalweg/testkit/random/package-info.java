// SPDX-License-Identifier: Apache-2.0
/**
 * Random topologies, for comparing a runner with {@link io.thalweg.testkit.oracle the oracle}: see {@link io.thalweg.testkit.random.RandomTopology}.
 */
@NullMarked
package io.thalweg.testkit.random;

import org.jspecify.annotations.NullMarked;

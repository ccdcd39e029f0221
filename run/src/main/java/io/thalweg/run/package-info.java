// SPDX-License-Identifier: Apache-2.0
/**
 * How topologies are run, whatever runs them: {@link io.thalweg.run.Runner} and {@link io.thalweg.run.RunningJob},
 * {@link io.thalweg.run.RunSettings}, and what all runners do alike.
 */
@NullMarked
package io.thalweg.run;

import org.jspecify.annotations.NullMarked;

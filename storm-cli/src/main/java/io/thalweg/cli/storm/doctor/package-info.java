// SPDX-License-Identifier: Apache-2.0
/** Watches topologies of a cluster of Storm, for {@code thalweg doctor storm=…}. */
@NullMarked
package io.thalweg.cli.storm.doctor;

import org.jspecify.annotations.NullMarked;

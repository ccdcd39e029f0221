// SPDX-License-Identifier: Apache-2.0
/** {@code thalweg storm run}: topologies that were written for Storm, from their jars. */
@NullMarked
package io.thalweg.cli.storm;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Contracts of sources and sinks: splits, polling, positions, writing. */
@NullMarked
package io.thalweg.api.connector;

import org.jspecify.annotations.NullMarked;

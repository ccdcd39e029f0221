// SPDX-License-Identifier: Apache-2.0
/** Thalweg's sources as sources of Flink. */
@NullMarked
package io.thalweg.flink.source;

import org.jspecify.annotations.NullMarked;

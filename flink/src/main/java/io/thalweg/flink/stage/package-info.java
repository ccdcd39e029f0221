// SPDX-License-Identifier: Apache-2.0
/** The operators of a topology as operators of Flink. */
@NullMarked
package io.thalweg.flink.stage;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** The Storm road: a topology as spouts and bolts, one component for each chain of fused operators. */
@NullMarked
package io.thalweg.storm;

import org.jspecify.annotations.NullMarked;

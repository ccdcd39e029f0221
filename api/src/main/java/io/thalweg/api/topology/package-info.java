// SPDX-License-Identifier: Apache-2.0
/** The fluent description of a topology: what a user writes. */
@NullMarked
package io.thalweg.api.topology;

import org.jspecify.annotations.NullMarked;

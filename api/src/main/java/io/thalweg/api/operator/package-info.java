// SPDX-License-Identifier: Apache-2.0
/** Contracts of what a user hands to a topology: functions, operators with state and timers, aggregates. */
@NullMarked
package io.thalweg.api.operator;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * What users pass to a topology: functions, operators with state and timers, aggregates.
 *
 * <p>Functions such as {@link io.thalweg.api.operator.MapFunction} are stateless and serve all tasks at the same time. An operator is
 * made once for each task and called by one thread at a time: {@link io.thalweg.api.operator.Operator} without keys,
 * {@link io.thalweg.api.operator.KeyedOperator} with state per key and timers, and variants with two inputs or a broadcast input. An
 * {@link io.thalweg.api.operator.Aggregate} combines records; {@link io.thalweg.api.operator.Aggregates} has the usual ones.
 *
 * <p>All of them may throw any exception, which fails the job, except for two:
 * {@link io.thalweg.api.operator.BadRecordException} counts and keeps the current record as a bad one, and
 * {@link io.thalweg.api.operator.RecordFailedException} retries it in a job with the guarantee {@code acked}.
 */
@NullMarked
package io.thalweg.api.operator;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of event time, for all runners: which event times are valid, how far splits and windows are, what is late, which
 * sessions merge. Pure logic: no threads, no storage of records or accumulators. Depends on the API only.
 */
@NullMarked
package io.thalweg.run.time;

import org.jspecify.annotations.NullMarked;

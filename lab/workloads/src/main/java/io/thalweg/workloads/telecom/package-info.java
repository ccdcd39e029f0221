// SPDX-License-Identifier: Apache-2.0
/**
 * A telecom workload: records of 62 dimensions and 20 measures, each a pure function of its number, so that what a query
 * over them must return is arithmetic and not a second run.
 */
@NullMarked
package io.thalweg.workloads.telecom;

import org.jspecify.annotations.NullMarked;
